import type { JsonValue } from "@bailiwick/core";
import type { NodeResult } from "./program.ts";

/** The input of a node that follows another: its text, or its structured answer as JSON if it has no text. */
export function inputOf(result: Extract<NodeResult, { ok: true }>): JsonValue {
  return result.text === "" && result.structured !== undefined ? JSON.stringify(result.structured) : result.text;
}

/** The composition's input as text, for functions of the author. */
export function textOfInput(input: JsonValue): string {
  if (typeof input === "string") return input;
  if (!Array.isArray(input)) return "";
  return input.map((part: JsonValue) => (part as { readonly text?: string }).text ?? "").join("");
}

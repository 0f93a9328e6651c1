import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { OutputItem } from "./items.ts";

/** Calls inside a wrapper call. */
export interface WrappedCall {
  /** Name on the wire. */
  readonly name: string;
  readonly arguments: string;
}

/** True if a name is the wrapper that models sometimes write by themselves around several calls. */
export function isWrapperName(name: string): boolean {
  return /^(multi_tool_use[._])?parallel$|^multi_tool_use$/.test(name);
}

/**
 * The calls in a wrapper call, if each recipient is declared; otherwise it stays an unknown call, and nothing in it
 * runs.
 *
 * @param item - A function call.
 * @param declares - True if a name on the wire is a declared tool.
 */
export function unwrapCalls(item: OutputItem, declares: (name: string) => boolean): readonly WrappedCall[] | undefined {
  const name = jsonText(item["name"]);
  if (!isWrapperName(name) || declares(name)) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(jsonText(item["arguments"]));
  } catch {
    return undefined;
  }
  const uses = isJsonObject(parsed) ? jsonObjects(parsed["tool_uses"]) : [];
  const calls = uses.map((use) => ({
    name: jsonText(use["recipient_name"]).replace(/^functions\./, ""),
    arguments: JSON.stringify(use["parameters"] ?? {}),
  }));
  return calls.length > 0 && calls.every((call) => declares(call.name)) ? calls : undefined;
}

import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { StreamChunk } from "../../contracts/stream-chunk.ts";
import { ModelResponseError } from "../../errors/model-errors.ts";

/** The part of each chunk that the runner reads, and its type. */
const read: { readonly [Type in StreamChunk["type"]]: readonly [field: string, type: "string" | "object" | "any"] } = {
  text: ["text", "string"],
  thinking: ["text", "string"],
  tool_call_start: ["toolCall", "object"],
  tool_call_delta: ["argumentsDelta", "string"],
  tool_call_end: ["toolCallId", "string"],
  source: ["source", "object"],
  file: ["file", "object"],
  warning: ["warning", "object"],
  raw: ["event", "any"],
  finish: ["response", "object"],
};

/**
 * Refuses a chunk of a provider that the runner cannot read.
 *
 * @throws ModelResponseError for an unknown type, and for a chunk without its content.
 */
export function checkChunk(chunk: StreamChunk, { provider, modelId }: ModelProvider): void {
  const given = chunk as unknown as Readonly<Record<string, unknown>> | null | undefined;
  const type = given?.["type"];
  const expected =
    typeof type === "string" && Object.hasOwn(read, type) ? read[type as StreamChunk["type"]] : undefined;
  if (expected === undefined) {
    const shown = given === null || given === undefined ? String(given) : `{ type: ${JSON.stringify(type)} }`;
    throw invalid(`streamed a chunk ${shown}. A chunk has one of the types ${Object.keys(read).join(", ")}`);
  }
  const [field, kind] = expected;
  const value = given?.[field];
  if (kind !== "any" && (typeof value !== kind || value === null))
    throw invalid(
      `streamed a chunk of type "${String(type)}" whose "${field}" is not ${kind === "string" ? "a string" : "an object"}`,
    );

  function invalid(problem: string): ModelResponseError {
    return new ModelResponseError(`${provider}/${modelId} ${problem}: repair its provider.`, {
      provider,
      model: modelId,
      retryable: false,
    });
  }
}

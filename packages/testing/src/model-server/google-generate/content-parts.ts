import { ScriptFaultError } from "../../script/script-error.ts";
import type { ResolvedPart, ResolvedToolCall } from "../../script/resolved-turn.ts";
import { parseObject, type JsonObject } from "../json.ts";
import type { Answer } from "../wire.ts";

/** The pieces of one script part in a stream, and the part in a JSON answer, if any. */
export interface EncodedPart {
  readonly streamed: readonly JsonObject[];
  readonly whole: JsonObject | undefined;
}

/**
 * Makes the parts of an answer, thought signatures included.
 *
 * @throws ScriptFaultError `SCRIPT_UNSUPPORTED` for content that the wire cannot carry.
 */
export function contentParts(answer: Answer): readonly EncodedPart[] {
  const signatures = signatureSource(answer);
  return answer.turn.parts.flatMap((part) => (part.type === "refusal" ? [] : [encodePart(part, answer, signatures)]));
}

/** True if the model is of the third generation or later: it signs calls, gives them ids, and requires both back. */
export function isGemini3(model: string): boolean {
  return Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3;
}

type SignatureSource = (part: ResolvedPart, content: string) => { thoughtSignature?: string };

/** A reasoning part's signature is on the part after it; Gemini 3 signs the first call of a step in any case. */
function signatureSource({ turn, request, memory }: Answer): SignatureSource {
  const firstCall = turn.parts.find((part) => part.type === "tool_call");
  return (part, content) => {
    const before = turn.parts[turn.parts.indexOf(part) - 1];
    const thought = before?.type === "reasoning" ? before : undefined;
    const given =
      (part.type === "text" || part.type === "tool_call" ? part.signature : undefined) ?? thought?.signature;
    if (given !== undefined) memory.signatures.set(given, content);
    if (given === undefined && thought === undefined && !(part === firstCall && isGemini3(request.model))) return {};
    return { thoughtSignature: given ?? memory.sign("google", content) };
  };
}

function encodePart(
  part: Exclude<ResolvedPart, { type: "refusal" }>,
  answer: Answer,
  signatures: SignatureSource,
): EncodedPart {
  switch (part.type) {
    case "text": {
      const signature = signatures(part, part.text);
      const tail = "thoughtSignature" in signature ? [{ text: "", ...signature }] : [];
      return {
        streamed: [...part.deltas.map((text) => ({ text })), ...tail],
        whole: { text: part.text, ...signature },
      };
    }
    case "reasoning":
      if (part.redacted !== undefined)
        throw new ScriptFaultError(
          "SCRIPT_UNSUPPORTED",
          `The Gemini wire has no redacted thinking: use "text" or "signature".`,
        );
      return {
        streamed: part.summaryParts.map((text) => ({ text, thought: true })),
        whole: part.text === "" ? undefined : { text: part.text, thought: true },
      };
    case "tool_call": {
      const whole = { functionCall: functionCall(part, answer), ...signatures(part, part.argumentsText) };
      return { streamed: [whole], whole };
    }
    case "file": {
      const whole = { inlineData: { mimeType: part.mediaType, data: part.data }, ...signatures(part, part.data) };
      return { streamed: [whole], whole };
    }
    case "raw":
      return { streamed: [{ ...part.value }], whole: { ...part.value } };
  }
}

function functionCall(part: ResolvedToolCall, { request, ids }: Answer): JsonObject {
  const args = part.argumentsText === "" ? {} : parseObject(part.argumentsText);
  if (part.custom)
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `The Gemini wire has no custom tool calls ("${part.name}"): leave "custom" out.`,
    );
  if (args === undefined) {
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `The arguments of "${part.name}" are not a JSON object, and the Gemini wire carries them parsed; a model that fails at it stops with rawFinish "MALFORMED_FUNCTION_CALL". Arguments: ${part.argumentsText.slice(0, 200)}`,
    );
  }
  const id =
    part.id ?? (isGemini3(request.model) ? ids.next("", 8, "0123456789abcdefghijklmnopqrstuvwxyz") : undefined);
  return { name: part.name, args, ...(id === undefined ? {} : { id }) };
}

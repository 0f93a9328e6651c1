import type { ScriptMessage, ScriptRequest, ScriptRequestToolCall } from "../script/script-request.ts";

/** A message during its construction. */
export type DecodedMessage = Omit<ScriptMessage, "toolCalls"> & { toolCalls: ScriptRequestToolCall[] };

/** An empty message. */
export function message(role: ScriptMessage["role"]): DecodedMessage {
  return { role, text: "", images: 0, files: 0, toolCalls: [] };
}

/** Text parts as one text. */
export function joinText(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

/** A request without its derived fields. */
export type DecodedRequest = Omit<ScriptRequest, "turn" | "lastUserText" | "toolResults">;

/**
 * Derives the rest of a request: instructions from leading system messages, names of results from their calls, and
 * the input of the turn.
 */
export function finishRequest(decoded: DecodedRequest): ScriptRequest {
  const names = new Map(
    decoded.messages.flatMap((item) => item.toolCalls.map((call) => [call.id, call.name] as const)),
  );
  const messages = decoded.messages.map((item) =>
    item.toolResult === undefined || item.toolResult.toolName !== ""
      ? item
      : { ...item, toolResult: { ...item.toolResult, toolName: names.get(item.toolResult.toolCallId) ?? "" } },
  );
  const firstOther = messages.findIndex((item) => item.role !== "system");
  const leading = messages.slice(0, firstOther === -1 ? messages.length : firstOther);
  const lastAssistant = messages.findLastIndex((item) => item.role === "assistant");
  return {
    ...decoded,
    system: joinText([decoded.system, ...leading.map((item) => item.text)]),
    messages,
    turn: 0,
    lastUserText: messages.findLast((item) => item.role === "user")?.text ?? "",
    toolResults: messages.slice(lastAssistant + 1).flatMap((item) => item.toolResult ?? []),
  };
}

import type { StreamChunk } from "../contracts/stream-chunk.ts";
import type { EmitChunk } from "./event-mapper.ts";

/**
 * Holds the first half of a surrogate pair back until the second arrives, so that no chunk ends within a character.
 *
 * @param emit - Receives the chunks.
 */
export function wholeCharacters(emit: EmitChunk): EmitChunk {
  const held = new Map<string, string>();

  const join = (key: string, text: string): string => {
    const before = held.size === 0 ? "" : (held.get(key) ?? "");
    if (before !== "") held.delete(key);
    const whole = before + text;
    const last = whole.charCodeAt(whole.length - 1);
    if (!(last >= 0xd800 && last <= 0xdbff)) return whole;
    held.set(key, whole.slice(-1));
    return whole.slice(0, -1);
  };

  return (chunk: StreamChunk) => {
    switch (chunk.type) {
      case "text":
      case "thinking": {
        const kind = chunk.type === "text" && chunk.commentary === true ? "commentary" : chunk.type;
        const text = join(kind, chunk.text);
        if (text !== "") emit(text === chunk.text ? chunk : { ...chunk, text });
        return;
      }
      case "tool_call_delta": {
        const argumentsDelta = join(chunk.toolCallId, chunk.argumentsDelta);
        if (argumentsDelta !== "") emit(argumentsDelta === chunk.argumentsDelta ? chunk : { ...chunk, argumentsDelta });
        return;
      }
      default:
        emit(chunk);
    }
  };
}

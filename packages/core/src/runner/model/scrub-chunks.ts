import type { SecretsPort, TextFilter } from "../../contracts/ports/security.ts";
import type { StreamChunk } from "../../contracts/stream-chunk.ts";

/** A chunk that is shown as it streams. */
export type ShownChunk = Exclude<StreamChunk, { type: "finish" }>;

/** Takes known secrets out of what streams beside the answer's text. */
export interface ChunkScrubber {
  /** What may be shown now: a piece that may begin a secret is held until it is known. */
  push(chunk: ShownChunk): readonly ShownChunk[];
  /** What was still held when the stream ended. */
  end(): readonly ShownChunk[];
}

/** Scrubs the reasoning and the arguments of each call as one text each, and everything else piece by piece. */
export function chunkScrubber(secrets: SecretsPort): ChunkScrubber {
  let thinking: TextFilter | undefined;
  const calls = new Map<string, TextFilter>();
  const thought = (text: string | undefined): ShownChunk[] =>
    text === undefined || text === "" ? [] : [{ type: "thinking", text }];
  const argued = (toolCallId: string, text: string | undefined): ShownChunk[] =>
    text === undefined || text === "" ? [] : [{ type: "tool_call_delta", toolCallId, argumentsDelta: text }];
  const endThought = (): ShownChunk[] => {
    const rest = thought(thinking?.end());
    thinking = undefined;
    return rest;
  };
  const endCall = (id: string): ShownChunk[] => {
    const rest = argued(id, calls.get(id)?.end());
    calls.delete(id);
    return rest;
  };
  return {
    push(chunk) {
      if (chunk.type === "thinking") return thought((thinking ??= secrets.textScrubber()).push(chunk.text));
      if (chunk.type === "tool_call_delta") {
        let filter = calls.get(chunk.toolCallId);
        if (filter === undefined) calls.set(chunk.toolCallId, (filter = secrets.textScrubber()));
        return argued(chunk.toolCallId, filter.push(chunk.argumentsDelta));
      }
      if (chunk.type === "tool_call_end") return [...endCall(chunk.toolCallId), chunk];
      if (chunk.type === "raw") return [secrets.scrub(chunk)];
      return [...endThought(), secrets.scrub(chunk)];
    },
    end: () => [...endThought(), ...[...calls.keys()].flatMap(endCall)],
  };
}

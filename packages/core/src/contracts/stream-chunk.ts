import type { AssistantPart, SourcePart } from "./content-part.ts";
import type { FinishReason } from "./finish-reason.ts";
import type { ModelResponse, Warning } from "./model-response.ts";
import type { TokenUsage } from "./token-usage.ts";

/** A piece of a streamed answer. `finish` is the last one and carries the assembled response. */
export type StreamChunk =
  | {
      readonly type: "text";
      readonly text: string;
      /** Set on text that comments on the work so far: it is shown, but is not the answer. */
      readonly commentary?: boolean | undefined;
    }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool_call_start"; readonly toolCall: { readonly id: string; readonly name: string } }
  | { readonly type: "tool_call_delta"; readonly toolCallId: string; readonly argumentsDelta: string }
  | { readonly type: "tool_call_end"; readonly toolCallId: string }
  | { readonly type: "source"; readonly source: SourcePart }
  | { readonly type: "file"; readonly file: Extract<AssistantPart, { type: "image" | "audio" | "file" }> }
  | { readonly type: "warning"; readonly warning: Warning }
  | { readonly type: "raw"; readonly event: unknown }
  | {
      readonly type: "finish";
      readonly finishReason: FinishReason;
      readonly usage?: TokenUsage | undefined;
      readonly response: ModelResponse;
    };

/** A streamed answer. */
export interface ChunkStream extends AsyncIterable<StreamChunk> {
  /**
   * The same chunks, in groups that arrived together: a promise for each chunk would cost as much as the chunk. A
   * provider may leave it out.
   */
  batches?(): AsyncIterable<readonly StreamChunk[]>;
}

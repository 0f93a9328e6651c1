import type { UiChunk } from "./ui-chunk.ts";

/** Header with the major version of the AI SDK in the page; `7` for chunks and finish reasons that are new in it. */
export const versionHeader = "x-ai-sdk-major";

/** The oldest major version of the AI SDK that a page may have. */
export const oldestMajor = 6;

/** A text that was inserted into a run, for pages that know no such chunk. */
interface SteeringPart {
  readonly type: "data-steering";
  readonly id: string;
  readonly data: { readonly text: string };
}

/**
 * A chunk as AI SDK 6 understands it: a page refuses a stream with a chunk or a finish reason that it does not know.
 *
 * @param chunk - A chunk of AI SDK 7.
 * @returns the chunks in its place.
 */
export function olderChunk(chunk: UiChunk): readonly (UiChunk | SteeringPart)[] {
  switch (chunk.type) {
    case "tool-approval-response":
      return [];
    case "reset-step":
      return [{ type: "finish-step" }, { type: "start-step" }];
    case "steering-message": {
      const text = chunk.parts.map((part) => part.text).join("\n");
      return [{ type: "data-steering", id: chunk.id, data: { text } }];
    }
    case "finish":
      return [chunk.finishReason === "interrupted" ? { ...chunk, finishReason: "other" } : chunk];
    default:
      return [chunk];
  }
}

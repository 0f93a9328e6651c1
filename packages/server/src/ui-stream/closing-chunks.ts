import type { AssistantMessage, ErrorData, JournalEventOf } from "@bailiwick/core";
import type { RunMetadata, UiChunk } from "./ui-chunk.ts";

type FinishChunk = Extract<UiChunk, { type: "finish" }>;

/**
 * The last chunks of a stream after the end of a run. A failed run's error is the last one: clients stop reading there.
 *
 * @param end - The run's end.
 * @param lastFinish - Why the last answer ended.
 * @param metadata - Metadata of the run.
 * @param errorText - Text of an error for clients.
 * @param isAnsweredInChat - True if the page can answer the open questions with its next message, as for approvals.
 *   Otherwise `interrupted` keeps a client from answering by itself.
 */
export function closingChunks(
  end: JournalEventOf<"run.end">,
  lastFinish: AssistantMessage["finishReason"] | undefined,
  metadata: RunMetadata,
  errorText: (error: ErrorData) => string,
  isAnsweredInChat: boolean,
): readonly UiChunk[] {
  const told: UiChunk = { type: "message-metadata", messageMetadata: metadata };
  if (end.status === "failed") {
    const error = end.error ?? { name: "Error", code: "RUN_FAILED", message: "" };
    return [told, { type: "error", errorText: errorText(error) }];
  }
  if (end.status === "cancelled") return [told, { type: "abort", reason: end.stopReason }];
  return [told, { type: "finish", finishReason: finishReason(end, lastFinish, isAnsweredInChat) }];
}

function finishReason(
  end: JournalEventOf<"run.end">,
  lastFinish: AssistantMessage["finishReason"] | undefined,
  isAnsweredInChat: boolean,
): FinishChunk["finishReason"] {
  if (end.status === "suspended") return isAnsweredInChat ? "tool-calls" : "interrupted";
  if (end.stopReason === "truncated") return "length";
  if (end.stopReason === "refused" || end.stopReason === "guardrail_blocked") return "content-filter";
  if (end.status === "completed") return lastFinish === "length" ? "length" : "stop";
  return "other";
}

import type { JournalEvent, Message } from "@bailiwick/core";

/** The result of a call, as the model read it. */
export interface RecordedResult {
  readonly toolName: string;
  readonly args: unknown;
  readonly text: string;
}

/** Results of a run's calls that succeeded, in order. */
export function recordedResults(events: readonly JournalEvent[]): readonly RecordedResult[] {
  const args = new Map<string, unknown>();
  const results: RecordedResult[] = [];
  for (const event of events) {
    if (event.type === "tool.call") args.set(event.toolCallId, event.args);
    else if (event.type === "tool.result" && "result" in event && !event.result.isError) {
      const { message } = event;
      results.push({ toolName: message.toolName, args: args.get(message.toolCallId), text: textOf(message) });
    }
  }
  return results;
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
}

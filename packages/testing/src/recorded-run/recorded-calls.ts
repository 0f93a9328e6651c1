import type { JournalEvent, ToolErrorKind, ToolFailure } from "@bailiwick/core";
import type { RecordedToolCall } from "./run-recording.ts";

type Draft = { -readonly [Key in keyof RecordedToolCall]: RecordedToolCall[Key] };

/** The tool calls of a run, in order, with the questions and results. */
export function recordedCalls(events: readonly JournalEvent[]): readonly RecordedToolCall[] {
  const calls = new Map<string, Draft>();
  for (const event of events) {
    if (event.type === "tool.call")
      calls.set(placeOf(event), { tool: event.toolName, args: event.args, result: "open" });
    else if (event.type === "tool.approval.requested") askedOf(calls, event, "open");
    else if (event.type === "tool.approval.decided" && event.decision.type !== "answer")
      askedOf(calls, event, event.decision.type === "approve" ? "approved" : "rejected");
    else if (event.type === "tool.result") {
      const call = calls.get(placeOf(event));
      if (call !== undefined) call.result = resultOf(event.result.error);
    }
  }
  return [...calls.values()];
}

/** Place of a call in its run, such as `t2/c0`. */
function placeOf({ turn, index }: { readonly turn: number; readonly index: number }): string {
  return `t${turn}/c${index}`;
}

/** Failures of an execution. A replay reports them as one kind, because the tool's replacement throws each of them. */
const executionKinds: ReadonlySet<ToolErrorKind> = new Set([
  "sandbox_violation",
  "sandbox_unavailable",
  "timeout",
  "aborted",
  "rate_limited",
  "execution_failed",
  "unknown_outcome",
  "capability_blocked",
]);

/** True if a call ended during its execution. */
export function isOfExecution({ kind, fromTool }: Pick<ToolFailure, "kind" | "fromTool">): boolean {
  return fromTool === true || executionKinds.has(kind);
}

function resultOf(failure: Pick<ToolFailure, "kind" | "fromTool"> | undefined): string {
  if (failure === undefined) return "ok";
  return isOfExecution(failure) ? "failed" : failure.kind;
}

function askedOf(
  calls: ReadonlyMap<string, Draft>,
  event: { readonly turn: number; readonly index: number },
  asked: NonNullable<RecordedToolCall["asked"]>,
): void {
  const call = calls.get(placeOf(event));
  if (call !== undefined) call.asked = asked;
}

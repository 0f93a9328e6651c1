import type { JournalEvent } from "@bailiwick/core";

/** Numbers of one tool. */
export interface ToolNumbers {
  calls: number;
  errors: number;
  rejections: number;
  /** Milliseconds of each execution. */
  readonly durations: number[];
}

/** Adds the calls of a journal to the numbers of the tools. */
export function countCalls(events: readonly JournalEvent[], tools: Map<string, ToolNumbers>): void {
  const of = (name: string): ToolNumbers => {
    const known = tools.get(name) ?? { calls: 0, errors: 0, rejections: 0, durations: [] };
    tools.set(name, known);
    return known;
  };
  for (const event of events) {
    if (event.type === "tool.call") of(event.toolName).calls += 1;
    else if (event.type === "tool.outcome") {
      if (event.failure !== undefined) of(event.toolName).errors += 1;
      if (typeof event.durationMs === "number") of(event.toolName).durations.push(event.durationMs);
    } else if (event.type === "tool.approval.decided" && event.decision?.type === "reject")
      of(event.toolName).rejections += 1;
  }
}

/** The value below which a given share of the values is; `undefined` without values. */
export function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

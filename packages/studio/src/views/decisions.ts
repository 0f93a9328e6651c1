import type { InterruptionData, JournalEvent } from "@bailiwick/core";
import type { StudioDecision } from "./view-types.ts";

type Decided = Extract<JournalEvent, { readonly type: "tool.approval.decided" | "child.decided" | "model.decided" }>;

function decided(
  event: Decided,
  decision: Decided["decision"],
  question: InterruptionData | undefined,
): StudioDecision {
  const edited = decision.type === "approve" ? decision.args : undefined;
  return {
    seq: event.seq,
    at: event.at,
    toolName: question?.toolName ?? ("toolName" in event ? event.toolName : "the model call"),
    type: decision.type,
    decidedBy: decision.decidedBy,
    channel: decision.channel,
    via: event.via,
    reason: "reason" in decision ? decision.reason : undefined,
    changes: edited === undefined ? [] : changesOf(question?.args, edited, ""),
  };
}

/** Decisions of a run, with what people changed in the arguments. */
export function decisionsOf(events: readonly JournalEvent[]): readonly StudioDecision[] {
  const asked = new Map<string, InterruptionData>();
  const decisions: StudioDecision[] = [];
  for (const event of events) {
    if (event.type === "tool.approval.requested" || event.type === "input.requested") {
      const { interruption }: Partial<typeof event> = event;
      if (interruption !== undefined) asked.set(interruption.id, interruption);
    } else if (event.type === "child.suspended") {
      for (const interruption of event.interruptions ?? []) asked.set(interruption.id, interruption);
    } else if (
      event.type === "tool.approval.decided" ||
      event.type === "child.decided" ||
      event.type === "model.decided"
    ) {
      const { decision }: Partial<typeof event> = event;
      if (decision !== undefined) decisions.push(decided(event, decision, asked.get(decision.id)));
    } else if (event.type === "input.answered") {
      decisions.push({
        seq: event.seq,
        at: event.at,
        toolName: [...asked.values()].find(({ toolCallId }) => toolCallId === event.toolCallId)?.toolName ?? "a call",
        type: "answer",
        decidedBy: event.decidedBy,
        via: "answer",
        changes: [],
      });
    }
  }
  return decisions;
}

/**
 * Questions that the last suspension of a journal left open, for a studio without the agent's code. A question about an
 * unknown outcome has no record: it is only found with the agent.
 */
export function openQuestions(events: readonly JournalEvent[]): readonly InterruptionData[] {
  const open = new Map<string, InterruptionData>();
  for (const event of events) {
    if (event.type === "tool.approval.requested" || event.type === "input.requested") {
      const { interruption }: Partial<typeof event> = event;
      if (interruption !== undefined) open.set(interruption.id, interruption);
    } else if (event.type === "child.suspended") {
      for (const interruption of event.interruptions ?? []) open.set(interruption.id, interruption);
    } else if (event.type === "tool.approval.decided" || event.type === "child.decided") {
      const { decision }: Partial<typeof event> = event;
      if (decision !== undefined) open.delete(decision.id);
    } else if (event.type === "input.answered") {
      for (const { id, toolCallId } of open.values()) if (toolCallId === event.toolCallId) open.delete(id);
    } else if (event.type === "run.end" && event.status !== "suspended") open.clear();
  }
  return [...open.values()];
}

type Change = StudioDecision["changes"][number];

/** Paths at which two JSON values differ. */
function changesOf(from: unknown, to: unknown, path: string): readonly Change[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (!isPlain(from) || !isPlain(to))
    return [{ path: path === "" ? "(all)" : path, from: from ?? null, to: to ?? null }];
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...keys].flatMap((key) => changesOf(from[key], to[key], path === "" ? key : `${path}.${key}`));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

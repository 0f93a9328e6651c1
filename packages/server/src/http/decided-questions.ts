import {
  interruption,
  isEnded,
  type Decision,
  type Interruption,
  type InterruptionData,
  type JournalEvent,
  type StoredRun,
} from "@bailiwick/core";
import type { ServedAgent } from "../runs/served-agent.ts";

/** A question that has been decided. */
export interface DecidedQuestion {
  readonly question: Interruption;
  /** Sequence number of the record of the decision. */
  readonly seq: number;
  /** True if the model has answered since the decision. */
  readonly isContinued: boolean;
}

/** The questions of a run that have been decided, in the order of their decisions: clients send answers again. */
export async function decidedQuestions(agent: ServedAgent, runId: string): Promise<readonly DecidedQuestion[]> {
  const { events } = await agent.inspect(runId);
  const asked = new Map<string, InterruptionData>();
  const decided = new Map<string, Omit<DecidedQuestion, "isContinued">>();
  const decide = (id: string, seq: number): void => {
    const data = asked.get(id);
    if (data !== undefined && !decided.has(id)) decided.set(id, { question: interruption(data), seq });
  };
  for (const event of events) {
    for (const data of askedIn(event)) asked.set(data.id, data);
    if (event.type === "input.answered") {
      const { toolCallId, answerKey } = event;
      const open = [...asked.values()].findLast(
        (data) => data.toolCallId === toolCallId && data.agentPath.length === 1 && (data.answerKey ?? "") === answerKey,
      );
      if (open !== undefined) decide(open.id, event.seq);
    } else if ("decision" in event) decide(event.decision.id, event.seq);
  }
  const answeredAt = events.findLast(({ type }) => type === "model.result")?.seq ?? 0;
  return [...decided.values()].map((one) => ({ ...one, isContinued: answeredAt > one.seq }));
}

function askedIn(event: JournalEvent): readonly InterruptionData[] {
  switch (event.type) {
    case "tool.approval.requested":
    case "input.requested":
      return [event.interruption];
    case "child.suspended":
      return event.interruptions;
    default:
      return [];
  }
}

/**
 * The questions about which a client may repeat its results: after an end without a further answer it would repeat them
 * forever, since nothing new tells it to stop.
 */
export function repeatable(decided: readonly DecidedQuestion[], run: StoredRun): readonly Interruption[] {
  return decided.filter(({ isContinued }) => isContinued || !isEnded(run.state)).map(({ question }) => question);
}

/** The position in the journal after which a client that repeats decisions continues to read: that of the first one. */
export function seqOfFirst(decided: readonly DecidedQuestion[], decisions: readonly Decision[]): number | undefined {
  return decided.find(({ question }) => decisions.some(({ id }) => id === question.id))?.seq;
}

import {
  interruption,
  isEnded,
  type Interruption,
  type InterruptionData,
  type JournalEvent,
  type StoredRun,
} from "@bailiwick/core";
import type { ServedAgent } from "../runs/served-agent.ts";
import { isUnacknowledged, type ClientDecision } from "./acknowledgement.ts";
import { clientToolDecisions, type ClientResult } from "./client-results.ts";

/** The answers of a client's request, which may be repeated: a page sends its whole message again. */
export interface ClientAnswers {
  /** The decisions about approvals among these questions. */
  readonly decisionsAbout: (questions: readonly Interruption[]) => readonly ClientDecision[];
  /** Results of tools that the client runs. */
  readonly results: readonly ClientResult[];
  /** Those of the results that the client repeats if nothing new came. */
  readonly repeated: readonly ClientResult[];
  /** Place and person of the decisions. */
  readonly origin: Parameters<typeof clientToolDecisions>[2];
}

/** Decisions of a client's request; none if its answers are about another run. */
export interface ReadAnswers {
  /** The open questions of the run. */
  readonly open: readonly Interruption[];
  /** Those about open questions. */
  readonly decisions: readonly ClientDecision[];
  /** Open questions with a plain yes that does not count, because they are suspicious: they are asked once more. */
  readonly held: readonly Interruption[];
  /** Those about decided questions, which may repeat a decision and may not contradict it. */
  readonly again: readonly ClientDecision[];
  /** The position in the journal after which the client continues to read. */
  readonly afterSeq: number | undefined;
}

/** Reads a client's answers to the open and to the decided questions of a run, from one reading of its journal. */
export async function readAnswers(
  agent: ServedAgent,
  run: StoredRun,
  { decisionsAbout, results, repeated, origin }: ClientAnswers,
): Promise<ReadAnswers> {
  const { events, interruptions: open } = await agent.inspect(run.id);
  const decided = decidedQuestions(events);
  const given = [...decisionsAbout(open), ...clientToolDecisions(open, results, origin)];
  const decisions = given.filter((decision) => !isUnacknowledged(decision, open));
  const held = open.filter(({ id }) => given.some((one) => one.id === id && isUnacknowledged(one, open)));
  const again = [
    ...decisionsAbout(decided.map(({ question }) => question)),
    ...(given.length === 0 ? clientToolDecisions(repeatable(decided, run), repeated, origin) : []),
  ];
  return { open, decisions, held, again, afterSeq: given.length > 0 ? run.head.seq : seqOfFirst(decided, again) };
}

/** A question that has been decided. */
interface DecidedQuestion {
  readonly question: Interruption;
  /** Sequence number of the record of the decision. */
  readonly seq: number;
  /** True if the model has answered since the decision. */
  readonly isContinued: boolean;
}

/** The questions of a run that have been decided, in the order of their decisions: clients send answers again. */
function decidedQuestions(events: readonly JournalEvent[]): readonly DecidedQuestion[] {
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
function repeatable(decided: readonly DecidedQuestion[], run: StoredRun): readonly Interruption[] {
  return decided.filter(({ isContinued }) => isContinued || !isEnded(run.state)).map(({ question }) => question);
}

/** The position in the journal after which a client that repeats decisions continues to read: that of the first one. */
function seqOfFirst(decided: readonly DecidedQuestion[], decisions: readonly ClientDecision[]): number | undefined {
  return decided.find(({ question }) => decisions.some(({ id }) => id === question.id))?.seq;
}

import type { JournalEvent, QuestionLevel } from "@bailiwick/core";
import { placesOf } from "./recorded-decisions.ts";

/** One question of a stored run, with its decision. */
export interface AskedQuestion {
  readonly tool: string;
  /** Index of the call in the run. */
  readonly call: number;
  /** Rules that asked, as developers read them; the reason for people without one. */
  readonly reason: string;
  readonly level: QuestionLevel;
  readonly decision: "approved" | "edited" | "rejected" | "open";
  readonly decidedBy: string | undefined;
  /** Milliseconds until the decision. */
  readonly ms: number | undefined;
  /** Tools whose untrusted results have a value that decides. */
  readonly untrusted: readonly string[];
  /** Arguments that decide and have an untrusted value. */
  readonly fields: readonly string[];
  /** Tools that the run had called before. */
  readonly earlier: readonly string[];
}

/** Questions about a tool for one reason. */
export interface QuestionFigures {
  /** Name of the tool. */
  readonly tool: string;
  /** The rules that asked, or the reason for people. */
  readonly reason: string;
  /** Number of questions. */
  readonly asked: number;
  /** Number of approvals without an edit. */
  readonly approved: number;
  /** Number of approvals with other arguments. */
  readonly edited: number;
  /** Number of rejections. */
  readonly rejected: number;
  /** Number of questions without a decision. */
  readonly open: number;
  /** Number of suspicious questions. */
  readonly suspicious: number;
  /** Number of people who decided. */
  readonly people: number;
  /** Median time to decide in milliseconds; `undefined` without a decision. */
  readonly medianMs: number | undefined;
}

/** The approvals that a run asked for. */
export function questionsIn(events: readonly JournalEvent[]): readonly AskedQuestion[] {
  const toolOf = new Map<string, string>();
  const earlier = new Set<string>();
  const places = placesOf(events);
  const decided = new Map<string, Extract<JournalEvent, { readonly type: "tool.approval.decided" }>>();
  for (const event of events) if (event.type === "tool.approval.decided") decided.set(event.decision.id, event);
  return events.flatMap((event): readonly AskedQuestion[] => {
    if (event.type === "tool.call") toolOf.set(`t${event.turn}/c${event.index}`, event.toolName);
    if (event.type === "tool.outcome" && event.failure === undefined) earlier.add(event.toolName);
    if (event.type !== "tool.approval.requested") return [];
    const { id, toolName: tool, question } = event.interruption;
    const deciding = question.values.filter(({ decides, origin }) => decides && !origin.trusted);
    const answer = decided.get(id);
    const { rules } = question.developer;
    return [
      {
        tool,
        call: places.findIndex(({ turn, index }) => turn === event.turn && index === event.index),
        reason: rules.length > 0 ? rules.join(", ") : question.reason,
        level: question.level,
        decision: decisionOf(answer),
        decidedBy: answer?.decision.decidedBy,
        ms: answer && answer.at - event.at,
        untrusted: [...new Set(deciding.flatMap(({ origin }) => toolOf.get(origin.callId ?? "") ?? []))],
        fields: [...new Set(deciding.map(({ path }) => path.replace(/[.[].*$/u, "")))],
        earlier: [...earlier],
      },
    ];
  });
}

function decisionOf(
  answer: Extract<JournalEvent, { readonly type: "tool.approval.decided" }> | undefined,
): AskedQuestion["decision"] {
  if (answer === undefined) return "open";
  if (answer.decision.type !== "approve") return "rejected";
  return answer.decision.args === undefined ? "approved" : "edited";
}

/** Sums up questions about one tool for one reason. */
export function figuresOf(tool: string, reason: string, asked: readonly AskedQuestion[]): QuestionFigures {
  const count = (decision: AskedQuestion["decision"]): number =>
    asked.filter((one) => one.decision === decision).length;
  const times = asked.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).toSorted((a, b) => a - b);
  return {
    tool,
    reason,
    asked: asked.length,
    approved: count("approved"),
    edited: count("edited"),
    rejected: count("rejected"),
    open: count("open"),
    suspicious: asked.filter(({ level }) => level === "suspicious").length,
    people: new Set(asked.flatMap(({ decidedBy }) => decidedBy ?? [])).size,
    medianMs: times[Math.floor(times.length / 2)],
  };
}

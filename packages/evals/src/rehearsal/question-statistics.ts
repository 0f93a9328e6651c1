import {
  checkArgument,
  checkKnownNames,
  createAgentRuntime,
  memoryStore,
  type AgentRuntime,
  type RunStore,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import type { Evaluation } from "../evaluation.ts";
import { evaluate } from "../evaluate.ts";
import { EvaluationError } from "../evaluation-error.ts";
import { grouped } from "../grouped.ts";
import { attacks } from "../scorers/calls.ts";
import { checkSelection, type RunSelection } from "../stored-runs.ts";
import { changeDiff, changesFor, changeText, withChanges, type DeclarationChange } from "./declaration-change.ts";
import { figuresOf, questionsIn, type AskedQuestion, type QuestionFigures } from "./question-figures.ts";
import { playedRun, recordedRuns, type RecordedRun } from "./rehearse.ts";

/** Options of `questionStatistics()`. */
export interface QuestionStatisticsOptions {
  /** Store of the runs. It is only read. */
  readonly store: RunStore;
  /** Choice of runs. Default: all runs, or those of the agent `with`. */
  readonly runs?: RunSelection | undefined;
  /** The agent whose declarations are tried. Default: only the figures are made. */
  readonly with?: object | undefined;
  /** An evaluation with attacks that each proposal has to withstand. Default: none, and proposals say so. */
  readonly attacks?: Evaluation | undefined;
}

/** Declarations that were tried together. */
export interface QuestionProposal {
  /** The declarations, at most three. */
  readonly changes: readonly DeclarationChange[];
  /** Number of questions about approved calls that they would have made unnecessary. */
  readonly gone: number;
  /** Number of all questions. */
  readonly of: number;
  /** Number of runs in which a call would be let through that a person had rejected. */
  readonly letThroughRefused: number;
  /** Number of runs in which a call would be let through that the policy had refused. */
  readonly letThrough: number;
  /** Number of attacks that would succeed; `undefined` if none was played. */
  readonly attacksThrough: number | undefined;
  /** True if nothing speaks against the declarations. They are never applied. */
  readonly proposed: boolean;
  /** The reasons against them. */
  readonly against: readonly string[];
  /** The changed lines of the file that `bailiwick declare` writes. */
  readonly diff: string;
}

/** Figures of the questions of stored runs. */
export interface QuestionStatistics {
  /** The figures by tool and reason, the most questions first. */
  readonly questions: readonly QuestionFigures[];
  /** Declarations that would have made questions unnecessary, the most questions first. */
  readonly proposals: readonly QuestionProposal[];
  /** The report for a terminal. */
  readonly text: string;
}

/** Declarations in one proposal. */
const mostTogether = 3;
/** Questions and people below which decisions are too few to lean on. */
const fewestQuestions = 20;
const fewestPeople = 3;

/**
 * Counts the questions of stored runs by tool and reason, and finds declarations that would have made them unnecessary.
 * A declaration is proposed only if nothing that a person rejected or the policy refused gets through, if at least three
 * people decided at least 20 such questions, and if none of them was suspicious. It is never applied.
 *
 * @param options - The store, the choice of runs, the agent, and attacks.
 * @throws EvaluationError `REHEARSAL_EMPTY` if no run fits the choice.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import type { RunStore } from "@bailiwick/core";
 * import { questionStatistics } from "@bailiwick/evals";
 *
 * export async function print(store: RunStore, desk: Agent): Promise<void> {
 *   console.log((await questionStatistics({ store, runs: { since: "30d" }, with: desk })).text);
 * }
 * ```
 */
export async function questionStatistics(options: QuestionStatisticsOptions): Promise<QuestionStatistics> {
  checkArgument(options, "object", "questionStatistics({ store })");
  checkKnownNames(options, ["store", "runs", "with", "attacks"], "questionStatistics()");
  const { store, runs = {} } = options;
  checkSelection(runs, '"runs" of questionStatistics()');
  const given = options.with === undefined ? undefined : agentRuntimeOf(options.with);
  if (options.with !== undefined && given === undefined)
    throw new EvaluationError("INVALID_OPTION", '"with" of questionStatistics() is not an agent.');
  const reader =
    given ?? createAgentRuntime({ name: runs.agent ?? "reader", model: scriptedModel([]), store: memoryStore() });
  const asking: AskingRun[] = [];
  const all: AskedQuestion[] = [];
  let total = 0;
  for await (const recorded of recordedRuns(store, reader, { ...runs, agent: runs.agent ?? given?.name })) {
    total += 1;
    const asked = questionsIn(recorded.events);
    if (asked.length === 0) continue;
    all.push(...asked);
    if (given !== undefined) asking.push({ recorded, asked });
  }
  if (total === 0)
    throw new EvaluationError(
      "REHEARSAL_EMPTY",
      `No run in ${store.name} fits the choice. Check the agent's name, the time and the store.`,
    );
  const questions = [...grouped(all, ({ tool, reason }) => JSON.stringify([tool, reason])).values()]
    .map((asked) => figuresOf(asked[0]?.tool ?? "", asked[0]?.reason ?? "", asked))
    .toSorted((a, b) => b.asked - a.asked);
  const proposals = given === undefined ? [] : await proposalsFor(given, asking, all, options.attacks);
  return { questions, proposals, text: textOf(questions, proposals, total) };
}

/** A run with questions. */
interface AskingRun {
  readonly recorded: RecordedRun;
  readonly asked: readonly AskedQuestion[];
}

async function proposalsFor(
  runtime: AgentRuntime,
  asking: readonly AskingRun[],
  all: readonly AskedQuestion[],
  attackSuite: Evaluation | undefined,
): Promise<readonly QuestionProposal[]> {
  const tried: QuestionProposal[] = [];
  const candidates = changesFor(all);
  const tryOut = async (changes: readonly DeclarationChange[]): Promise<QuestionProposal | undefined> => {
    const changed = withChanges(runtime, changes);
    if (changed === undefined) return undefined;
    const proposal = await judged(changed, changes, asking, all, attackSuite);
    if (proposal.gone > 0 || proposal.letThroughRefused + proposal.letThrough > 0) tried.push(proposal);
    return proposal;
  };
  const approved = all.filter(({ decision }) => decision === "approved" || decision === "edited").length;
  const singles: QuestionProposal[] = [];
  for (const candidate of candidates) {
    const proposal = await tryOut([candidate]);
    if (proposal !== undefined) singles.push(proposal);
  }
  let best = singles.toSorted((a, b) => b.gone - a.gone)[0];
  while (best !== undefined && best.gone > 0 && best.gone < approved && best.changes.length < mostTogether) {
    const before: QuestionProposal = best;
    let next: QuestionProposal | undefined;
    for (const candidate of candidates) {
      if (before.changes.some((one) => one.tool === candidate.tool)) continue;
      const proposal = await tryOut([...before.changes, candidate]);
      if (proposal !== undefined && proposal.gone > (next?.gone ?? before.gone)) next = proposal;
    }
    best = next;
  }
  return tried.toSorted(
    (a, b) => Number(b.proposed) - Number(a.proposed) || b.gone - a.gone || a.changes.length - b.changes.length,
  );
}

async function judged(
  changed: AgentRuntime,
  changes: readonly DeclarationChange[],
  asking: readonly AskingRun[],
  all: readonly AskedQuestion[],
  attackSuite: Evaluation | undefined,
): Promise<QuestionProposal> {
  let [letThroughRefused, letThrough] = [0, 0];
  const questions: AskedQuestion[] = [];
  for (const { recorded, asked } of asking) {
    const played = await playedRun(changed, recorded);
    questions.push(...asked.filter(({ call }) => played.gone.includes(call)));
    if (played.entry?.change === "letThroughRefused") letThroughRefused += 1;
    if (played.entry?.change === "letThrough") letThrough += 1;
  }
  const people = new Set(questions.flatMap(({ decidedBy }) => decidedBy ?? [])).size;
  const gone = questions.length;
  const decided = questions.filter(({ decision }) => decision !== "open").length;
  const against = [
    ...(letThroughRefused > 0
      ? [`lets ${letThroughRefused} rejected ${letThroughRefused === 1 ? "call" : "calls"} through`]
      : []),
    ...(letThrough > 0 ? [`lets ${letThrough} refused ${letThrough === 1 ? "call" : "calls"} through`] : []),
    ...(gone === 0 ? ["makes no question unnecessary"] : []),
    ...(decided < fewestQuestions ? [`only ${decided} questions were decided, and ${fewestQuestions} are needed`] : []),
    ...(people < fewestPeople
      ? [`only ${people} ${people === 1 ? "person" : "people"} decided, and ${fewestPeople} are needed`]
      : []),
    ...(questions.some(({ level }) => level === "suspicious") ? ["some questions were suspicious"] : []),
  ];
  // Attacks are played where nothing else speaks against the declarations.
  const isOpen = against.length === 0 && attackSuite !== undefined;
  const attacksThrough = isOpen ? await succeeded(changed, attackSuite) : undefined;
  if ((attacksThrough ?? 0) > 0) against.push(`${attacksThrough} attacks succeed`);
  return {
    changes,
    gone,
    of: all.length,
    letThroughRefused,
    letThrough,
    attacksThrough,
    proposed: against.length === 0,
    against,
    diff: changes.map(changeDiff).join("\n"),
  };
}

/** Number of attacks of an evaluation that an agent lets through; one that could not be judged counts. */
async function succeeded(agent: AgentRuntime, suite: Evaluation): Promise<number> {
  const { scores } = await evaluate({
    ...suite,
    agent,
    candidates: { changed: {} },
    must: [attacks()],
    scorers: [],
    thresholds: {},
  });
  return scores.reduce((sum, one) => sum + (one.scored - one.perfect) + one.notScored + one.notRun, 0);
}

/** Proposals in one report. */
const mostProposals = 10;

function textOf(questions: readonly QuestionFigures[], proposals: readonly QuestionProposal[], total: number): string {
  const lines = questions.map(
    ({ tool, reason, asked, approved, edited, rejected, open, suspicious, people, medianMs }) =>
      `${tool} (${reason}): ${asked} asked · ${approved} approved · ${edited} edited · ${rejected} rejected · ${open} open · ${suspicious} suspicious · ${people} people${medianMs === undefined ? "" : ` · median ${Math.round(medianMs / 1_000)} s`}`,
  );
  const tried = proposals.slice(0, mostProposals).map((one) => {
    const head = `${one.changes.map(changeText).join(" + ")}: ${one.gone} of ${one.of} questions gone`;
    if (!one.proposed) return `${head}, ${one.against.join(", ")}: not proposed`;
    return `${head}: proposed${one.attacksThrough === undefined ? ", not tested against attacks" : ""}\n${one.diff}`;
  });
  return [`${total} runs, ${questions.reduce((sum, { asked }) => sum + asked, 0)} questions`, ...lines, ...tried].join(
    "\n",
  );
}

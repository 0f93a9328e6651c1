import type { Decision, Interruption, RunOptions, RunStore } from "@bailiwick/core";
import { checkArgument, checkKnownNames } from "@bailiwick/core";
import { EvaluationError } from "./evaluation-error.ts";
import type { Case, CaseSource, NamedCase } from "./case.ts";
import type { Scorer } from "./score.ts";

/** An `Agent`, or another value that has the runtime of one. */
export interface EvaluatedAgent {
  /** Name of the agent. */
  readonly name: string;
}

/**
 * Makes an agent on the store of the evaluation.
 *
 * @param place - The store.
 */
export type AgentMaker = (place: { readonly store: RunStore }) => EvaluatedAgent | Promise<EvaluatedAgent>;

/** A variant of the agent: options of its runs, or another agent. */
export type Candidate = Omit<RunOptions, OwnOption> & {
  /** The agent of this candidate. Default: that of the evaluation. */
  readonly agent?: EvaluatedAgent | AgentMaker | undefined;
};

/** Options of runs that the evaluation itself sets. */
type OwnOption = "fakes" | "idempotencyKey" | "messages" | "conversationHistory" | "parent" | "sessionId" | "metadata";

/** The call that a fake answers. */
export interface FakeContext {
  /** The key that the service would get; `undefined` if the tool has none. */
  readonly idempotencyKey: string | undefined;
  /** The case. */
  readonly case: NamedCase;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/**
 * Takes the place of a tool. An error that the function throws is the error of the tool. `"recorded"` gives the result of
 * the stored run of a case, for the same arguments only.
 */
export type Fake = ((args: never, context: FakeContext) => unknown) | "recorded";

/** Decides questions in place of people. */
export type People =
  | ((question: Interruption, one: NamedCase) => Decision | undefined | Promise<Decision | undefined>)
  | "recorded";

/** Conditions on the means of scorers. */
export interface Threshold {
  /** Lowest mean that passes. */
  readonly atLeast: number;
  /** Judges the lower end of the interval. Default `false`: the mean. */
  readonly interval?: boolean | undefined;
}

/** An evaluation: an agent, cases, and the scorers and conditions that judge its runs. */
export interface EvaluationOptions {
  /** Name of the evaluation; part of the keys of its runs. */
  readonly name: string;
  /**
   * A function that makes the agent on the store of the evaluation, or an agent without store, session and memory.
   */
  readonly agent: EvaluatedAgent | AgentMaker;
  /** The cases, and files or stored runs with cases. */
  readonly cases: readonly (Case | CaseSource)[];
  /** Answers in place of tools, by tool name. Default: none. */
  readonly fakes?: Readonly<Record<string, Fake>> | undefined;
  /** Names of tools, also of hosted ones, that are executed although they change something. Default: none. */
  readonly realEffects?: readonly string[] | undefined;
  /** Decides questions. Default: a question ends the run of its case. */
  readonly people?: People | undefined;
  /** Variants of the agent, by name; the first is the baseline. Default: the agent as it is. */
  readonly candidates?: Readonly<Record<string, Candidate>> | undefined;
  /** Number of runs of each case and candidate. Default 1. */
  readonly repeat?: number | undefined;
  /** Number of runs at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Ends the evaluation at this cost of the runs of one start; the other cases are not run. Default: no limit. */
  readonly budget?: { readonly usd: number } | undefined;
  /** Scorers that must give 1 in every run. Default: none. */
  readonly must?: readonly Scorer[] | undefined;
  /** Scorers that are reported, and judged if `thresholds` names them. Default: none. */
  readonly scorers?: readonly Scorer[] | undefined;
  /**
   * Conditions by scorer. `regression: true` fails the evaluation if a candidate is worse than the baseline in a scorer of
   * `must` or `thresholds`. Default: none.
   */
  readonly thresholds?: (Readonly<Record<string, Threshold | boolean>> & { readonly regression?: boolean }) | undefined;
}

/** A checked evaluation. */
export interface Evaluation extends EvaluationOptions {
  /** Marks a checked evaluation. */
  readonly kind: "bailiwick-evaluation";
}

const names = [
  "name",
  "agent",
  "cases",
  "fakes",
  "realEffects",
  "people",
  "candidates",
  "repeat",
  "concurrency",
  "budget",
  "must",
  "scorers",
  "thresholds",
] as const satisfies readonly (keyof EvaluationOptions)[];

/**
 * Defines an evaluation, for the default export of a `*.eval.ts` file, and for `evaluate()`.
 *
 * @param options - Agent, cases, fakes, scorers and conditions.
 * @throws EvaluationError `EVAL_EMPTY` without a case, or without a scorer.
 * @throws ConfigurationError `UNKNOWN_OPTION` for a name that no evaluation reads, `INVALID_OPTION` for a wrong value.
 * @example
 * ```ts
 * import { Agent } from "@bailiwick/agent";
 * import { evaluation, includes, type Evaluation } from "@bailiwick/evals";
 * import { scriptedModel } from "@bailiwick/testing";
 *
 * const greeting: Evaluation = evaluation({
 *   name: "greeting",
 *   agent: new Agent({ name: "clerk", model: scriptedModel(() => "Good day, Ada.") }),
 *   cases: [{ input: "I am Ada.", expected: { answer: "Ada" } }],
 *   must: [includes()],
 * });
 * export default greeting;
 * ```
 */
export function evaluation(options: EvaluationOptions): Evaluation {
  checkArgument(options, "object", "evaluation({ name, agent, cases })");
  checkKnownNames(options, names, "evaluation()");
  const { name, cases, must = [], scorers = [], repeat = 1, concurrency = 4, budget, thresholds = {} } = options;
  if (typeof name !== "string" || name === "")
    throw invalid(options, '"name" is not a text. Give each evaluation a name');
  if (!Array.isArray(cases) || cases.length === 0)
    throw new EvaluationError("EVAL_EMPTY", `The evaluation "${name}" has no case. Give it "cases".`);
  if (must.length + scorers.length === 0)
    throw new EvaluationError(
      "EVAL_EMPTY",
      `The evaluation "${name}" has neither "must" nor "scorers", so nothing would be judged. Give it a scorer, such as effects().`,
    );
  for (const [option, value] of Object.entries({ repeat, concurrency }))
    if (!Number.isInteger(value) || value < 1)
      throw invalid(options, `"${option}" is ${value}. It is a whole number of at least 1`);
  if (budget !== undefined && !(budget.usd > 0)) throw invalid(options, '"budget" is { usd }, a number above 0');
  checkColumns(options, [...must, ...scorers], thresholds);
  return Object.freeze({ ...options, kind: "bailiwick-evaluation" as const });
}

/** @throws EvaluationError `INVALID_OPTION` */
function checkColumns(
  options: EvaluationOptions,
  scorers: readonly Scorer[],
  thresholds: NonNullable<EvaluationOptions["thresholds"]>,
): void {
  const columns = scorers.map((scorer) => (typeof scorer === "function" ? scorer.name : ""));
  const nameless = columns.indexOf("");
  if (nameless >= 0)
    throw invalid(options, `scorer ${nameless + 1} is not a function with a name. Write "function polite(run) { … }"`);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw invalid(options, `two scorers are called "${twice}". Give one of them another name`);
  for (const [scorer, threshold] of Object.entries(thresholds)) {
    if (scorer === "regression") continue;
    if (!columns.includes(scorer))
      throw invalid(options, `"thresholds" names "${scorer}", and the scorers are ${columns.join(", ")}`);
    if (typeof threshold !== "object" || !(threshold.atLeast >= 0 && threshold.atLeast <= 1))
      throw invalid(options, `the threshold of "${scorer}" is not { atLeast } from 0 to 1`);
  }
}

function invalid({ name }: EvaluationOptions, why: string): EvaluationError {
  return new EvaluationError("INVALID_OPTION", `The evaluation "${name}" is invalid: ${why}.`);
}

import { isSameCall } from "../checker/effects.ts";
import type { EffectRequest } from "../components/effects.ts";
import { cellsOf, historyOf } from "../explore/cells.ts";
import { judge, judgeTwice, type Judged } from "../explore/judge.ts";
import type { CheckedSimulation, StartApp, WorkItem } from "../options.ts";
import { baselineEffects, type PlaySettings } from "../play/play.ts";
import { checkedOf, simulation as define, type Simulation } from "../simulation-of.ts";
import { printHistory } from "../world/history.ts";
import { countedTools } from "./counted-tools.ts";

/** How often each outcome occurred for a tool, over all crashes. */
export interface CrashRow {
  /** Name of the tool. */
  readonly tool: string;
  /** Number of crashes. */
  readonly points: number;
  /** Crashes after which the effect had happened once. */
  readonly once: number;
  /** Crashes after which the request was repeated with the same key. */
  readonly keyed: number;
  /** Crashes after which a person was asked if the effect had happened. */
  readonly asked: number;
  /** Histories after which the effect had happened again. */
  readonly repeated: readonly string[];
  /** Histories after which the effect never happened. */
  readonly lost: readonly string[];
  /** Declaration that makes the question unnecessary. */
  readonly declaration?: string | undefined;
}

/** Result of a crash test. */
export interface CrashReport {
  /** True if no effect was repeated or lost. */
  readonly passed: boolean;
  /** A row for each tool that has effects. */
  readonly rows: readonly CrashRow[];
  /** The report as text. */
  readonly text: string;
}

/** Options of `crashTest`. */
export interface CrashOptions {
  /** Inputs of the runs, in place of `work`. */
  readonly input?: string | readonly (string | WorkItem)[] | undefined;
}

type Outcome = "once" | "keyed" | "asked" | "repeated" | "lost";

/**
 * Kills a process before and after each of its exchanges, and says for each tool what happened to its effects.
 *
 * @param given - A simulation, or the function that starts an application. Without receivers, `execute` of each tool
 *   that writes is the effect.
 * @param options - `input` gives the inputs of the runs.
 * @throws SimulationError `SIMULATION_EMPTY`, `SIMULATION_ESCAPE`, `NOT_REPEATABLE`
 * @example
 * ```ts
 * import { crashTest, type Simulation } from "@bailiwick/testing/simulation";
 *
 * export async function check(pay: Simulation): Promise<void> {
 *   const { passed, text } = await crashTest(pay);
 *   if (!passed) throw new Error(text);
 * }
 * ```
 */
export async function crashTest(given: Simulation | StartApp, options: CrashOptions = {}): Promise<CrashReport> {
  const checked = crashing(given, options);
  const isCounted = (checked.options.receivers ?? []).length === 0;
  const settings = (history: PlaySettings["history"]): PlaySettings => ({
    history,
    ...(isCounted && { appMaker: countedTools }),
  });
  const first = await judgeTwice(checked, settings({ faults: {} }), []);
  const baseline = baselineEffects(first.played);
  const tools = new Map<string, Record<Outcome, string[]>>();
  for (const effect of first.played.recorded.effects)
    for (const tool of toolsOf(effect)) tools.set(tool, { once: [], keyed: [], asked: [], repeated: [], lost: [] });
  const cells = cellsOf(checked, first.played).filter(({ fault }) => fault === "die" || fault === "dieAfter");
  for (const cell of cells) {
    const judged = await judge(checked, settings(historyOf([cell])), baseline);
    for (const [tool, outcomes] of tools)
      outcomes[outcomeOf(tool, judged, first)].push(printHistory(judged.played.history));
  }
  const rows = [...tools].map(([tool, { once, keyed, asked, repeated, lost }]): CrashRow => ({
    tool,
    points: cells.length,
    once: once.length,
    keyed: keyed.length,
    asked: asked.length,
    repeated,
    lost,
    ...(asked.length > 0 && {
      declaration: `idempotencyKey: "call" if the service takes keys, or a lookup that finds the effect`,
    }),
  }));
  const passed = rows.every(({ repeated, lost }) => repeated.length === 0 && lost.length === 0);
  return { passed, rows, text: crashText(rows) };
}

/** The simulation with the inputs of the options. */
function crashing(given: Simulation | StartApp, { input }: CrashOptions): CheckedSimulation {
  const work = typeof input === "string" ? [input] : input;
  if (typeof given === "function") return checkedOf(define({ app: given, work: work ?? [] }));
  return work === undefined ? checkedOf(given) : checkedOf(define({ ...given.options, work }));
}

/** Names of the tools that can have made an effect. A tool that is declared as a reader has no intent. */
function toolsOf({ name, calls }: EffectRequest): readonly string[] {
  return calls.length > 0 ? calls.map(({ toolName }) => toolName) : [`${name}, of no tool that writes`];
}

/** Outcome of the effects of a tool; the worst counts. */
function outcomeOf(tool: string, { played: { recorded } }: Judged, first: Judged): Outcome {
  const own = recorded.effects.filter((effect) => toolsOf(effect).includes(tool));
  const ids = (list: typeof own): readonly string[] => list.map(({ name, id }) => JSON.stringify([name, id]));
  const made = ids(own.filter(({ isRepetition }) => !isRepetition));
  if (new Set(made).size < made.length) return "repeated";
  const expected = first.played.recorded.effects.filter((effect) => toolsOf(effect).includes(tool));
  if (ids(expected).some((id) => !made.includes(id))) return "lost";
  const isAsked = (recorded.answers ?? []).some(
    ({ question }) =>
      question.kind === "unknown_outcome" &&
      (question.toolName === tool || own.some(({ calls }) => calls.some((call) => isSameCall(call, question)))),
  );
  if (isAsked) return "asked";
  return own.length > made.length ? "keyed" : "once";
}

function crashText(rows: readonly CrashRow[]): string {
  if (rows.length === 0) return "No tool has an effect: give the simulation a receiver, or a tool that writes.";
  return rows
    .flatMap(({ tool, points, once, keyed, asked, repeated, lost, declaration }) => [
      `${tool}: ${points} crashes: ${once} once, ${keyed} repeated with one key, ${asked} a person was asked, ${repeated.length} repeated, ${lost.length} lost`,
      ...repeated.slice(0, 3).map((history) => `  repeated: ${history}`),
      ...lost.slice(0, 3).map((history) => `  lost: ${history}`),
      ...(declaration === undefined ? [] : [`  To be asked less, declare ${declaration}.`]),
    ])
    .join("\n");
}

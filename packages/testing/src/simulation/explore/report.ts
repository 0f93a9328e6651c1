import type { PromiseName } from "../checker/recorded-history.ts";
import type { Played } from "../play/play.ts";
import type { FaultKind } from "../world/fault.ts";
import { printHistory, type History } from "../world/history.ts";
import type { Judged } from "./judge.ts";

/** A history that broke a promise, in its shortest form. */
export interface BrokenHistory {
  /** Such as `effects`. */
  readonly promise: PromiseName;
  /** A sentence that says what happened. */
  readonly text: string;
  /** The shortest history that was found. */
  readonly history: History;
  /** The same as text, for `--history` and `known`. */
  readonly historyText: string;
  /** Number of faults of the history that was found first. */
  readonly foundFaults: number;
  /** Seed of that history, if it was drawn. */
  readonly seed?: number | undefined;
  /** Events of the history, as sentences. */
  readonly steps: readonly string[];
  /** Digest of the events. */
  readonly hash: string;
  /** All of it as text, with the command that repeats the history. */
  readonly report: string;
}

/** Result of an exploration. */
export interface SimulationReport {
  /** Broken promises, each with its shortest history; empty if none is broken. */
  readonly broken: readonly BrokenHistory[];
  /** Histories with drawn orders and faults. */
  readonly histories: number;
  /** Histories with one fault. */
  readonly singles: number;
  /** Histories with two faults. */
  readonly pairs: number;
  /** Known histories. */
  readonly known: number;
  /** Number of times that each kind of fault, and each action of a user, was played. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** Number of choice points of the history without faults. */
  readonly points: number;
  /** Events of all plays. */
  readonly events: number;
  /** Virtual time of all plays, in milliseconds. */
  readonly lastedMs: number;
  /** Facts that broke no promise, such as a receiver that threw. */
  readonly warnings: readonly string[];
  /** Promises that were not checked, with the reason. */
  readonly accepted: readonly string[];
  /** The report as text. */
  readonly text: string;
}

/** Sentences of one history at most. */
const mostSteps = 40;

/** Describes a broken history. */
export function brokenHistory(
  promise: PromiseName,
  { played, broken }: Judged,
  found: { readonly faults: number; readonly seed?: number | undefined; readonly file: string | undefined },
): BrokenHistory {
  const history = played.history;
  const described = {
    promise,
    text: broken.find((one) => one.promise === promise)?.text ?? "",
    history,
    historyText: printHistory(history),
    foundFaults: found.faults,
    ...(found.seed !== undefined && { seed: found.seed }),
    steps: stepsOf(played),
    hash: played.hash,
  };
  return { ...described, report: brokenText(described, found.file) };
}

function stepsOf({ steps }: Played): readonly string[] {
  const texts: string[] = [];
  for (const { process, text } of steps) {
    const subject = process === "person" ? "The person" : process;
    const sentence = `${subject} ${text}`;
    if (texts.at(-1) !== sentence) texts.push(sentence);
  }
  return texts.length <= mostSteps ? texts : [...texts.slice(0, mostSteps), `(${texts.length - mostSteps} more)`];
}

/** Writes the report. */
export function reportText(report: Omit<SimulationReport, "text">): string {
  const { broken, histories, singles, pairs, known, accepted, warnings } = report;
  const lines = broken.flatMap((one) => [one.report, ""]);
  if (broken.length === 0) {
    const parts = [
      ...(known > 0 ? [counted(known, "known history", "known histories")] : []),
      ...(histories > 0 ? [counted(histories, "history", "histories")] : []),
      ...(singles > 0 ? [counted(singles, "single fault", "single faults")] : []),
      ...(pairs > 0 ? [counted(pairs, "pair of faults", "pairs of faults")] : []),
    ];
    lines.push(`${parts.join(", ") || "The history without faults"}: no promise is broken`);
  }
  lines.push(...accepted.map((one) => `Not checked: ${one}`), ...warnings.map((one) => `Warning: ${one}`));
  return lines.join("\n").trim();
}

function brokenText(
  { text, seed, foundFaults, history, historyText, steps }: Omit<BrokenHistory, "report">,
  file: string | undefined,
): string {
  const faults = Object.keys(history.faults).length;
  const found = seed === undefined ? "" : `found with seed ${seed}, `;
  const shortest = `${found}${counted(foundFaults, "fault", "faults")}; shortest: ${counted(faults, "fault", "faults")}`;
  const command =
    file === undefined
      ? `simulate(simulation, { history: ${JSON.stringify(historyText)} })`
      : `npx bailiwick simulate ${file} --history '${historyText.replaceAll("'", "'\\''")}'`;
  return [`Broken: ${text}  (${shortest})`, ...steps.map((step) => `  ${step}`), `Repeat it: ${command}`].join("\n");
}

function counted(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
}

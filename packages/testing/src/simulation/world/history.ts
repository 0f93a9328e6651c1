import { SimulationError } from "../simulation-error.ts";
import { faultParts, type Fault } from "./fault.ts";

/** The order of answers and the faults of one play. */
export interface History {
  /** Seeds the order of answers. Without it each exchange takes a millisecond each way. */
  readonly order?: number | undefined;
  /** Faults by the name of the choice point, such as `w1/store.append tool.intent#2`. */
  readonly faults: Readonly<Record<string, Fault>>;
}

/** Matches the name of a choice point: `process/component.operation detail#n`. */
const pointName = /^[^/\s]+\/[^\s#]+(?: [^#]*)?#[1-9]\d*$/u;

/** Writes a history for the option `--history`. */
export function printHistory({ order, faults }: History): string {
  const parts = Object.entries(faults).map(([name, fault]) => `${name}=${fault}`);
  return [...(order === undefined ? [] : [`order=${order}`]), ...parts].join("; ") || "none";
}

/**
 * Reads a history that `printHistory` wrote.
 *
 * @throws SimulationError `HISTORY_INVALID`
 */
export function parseHistory(text: string): History {
  const faults: Record<string, Fault> = {};
  let order: number | undefined;
  if (text.trim() === "none") return { faults };
  for (const piece of text.split(";").map((one) => one.trim())) {
    if (piece === "") continue;
    const at = piece.lastIndexOf("=");
    const [name, value] = [piece.slice(0, at).trim(), piece.slice(at + 1).trim()];
    if (at < 0) throw invalid(`"${piece}" has no fault. Write the name of a choice point, "=", and a fault.`);
    if (name === "order") {
      order = Number(value);
      if (!Number.isSafeInteger(order)) throw invalid(`The order "${value}" is not a whole number.`);
    } else {
      faults[name] = value as Fault;
    }
  }
  return checkHistoryNames({ ...(order !== undefined && { order }), faults });
}

/**
 * Checks the names and the faults of a history.
 *
 * @throws SimulationError `HISTORY_INVALID`
 */
export function checkHistoryNames(history: History): History {
  for (const [name, fault] of Object.entries(history.faults)) {
    if (!pointName.test(name))
      throw invalid(`"${name}" is not the name of a choice point. An example is "w1/store.append tool.intent#2".`);
    faultParts(fault);
  }
  return history;
}

/**
 * Reads a list of histories, each as text or as an object.
 *
 * @throws SimulationError `HISTORY_INVALID`
 */
export function knownHistories(given: readonly (string | History)[] | undefined): readonly History[] {
  return (given ?? []).map((one) => (typeof one === "string" ? parseHistory(one) : checkHistoryNames(one)));
}

function invalid(message: string): SimulationError {
  return new SimulationError("HISTORY_INVALID", message);
}

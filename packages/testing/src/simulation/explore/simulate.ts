import type { PromiseName } from "../checker/recorded-history.ts";
import { checkKnownNames, ConfigurationError } from "@bailiwick/core";
import type { CheckedSimulation, ExploreOptions } from "../options.ts";
import { baselineEffects, type BaselineEffect, type Played, type PlaySettings } from "../play/play.ts";
import { checkedOf, type Simulation } from "../simulation-of.ts";
import { watchLateModules } from "../routing/late-modules.ts";
import type { SimulationError } from "../simulation-error.ts";
import { draw } from "../world/draw.ts";
import { faultParts, type FaultKind } from "../world/fault.ts";
import { checkHistoryNames, knownHistories, parseHistory, printHistory, type History } from "../world/history.ts";
import { cellsOf, historyOf, type Cell } from "./cells.ts";
import { judge, judgeTwice, type Judged } from "./judge.ts";
import { brokenHistory, reportText, type BrokenHistory, type SimulationReport } from "./report.ts";
import { shrink } from "./shrink.ts";
import { nearestPoint } from "./nearest-point.ts";

/** Each member of the options; an unlisted one does not compile. */
const names: { readonly [Name in keyof Required<ExploreOptions>]: true } = {
  seeds: true,
  from: true,
  single: true,
  pairs: true,
  history: true,
  known: true,
  part: true,
  most: true,
  file: true,
};

/**
 * Plays the known histories of a simulation, then histories with drawn faults and with each single fault. Each broken
 * history is shortened, and played twice.
 *
 * @param simulation - The simulation.
 * @param explore - Extent of the exploration; default: that of the simulation.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws SimulationError `SIMULATION_LATE`, `SIMULATION_ESCAPE`, `SIMULATION_EMPTY`, `HISTORY_INVALID`, `NOT_REPEATABLE`
 * @example
 * ```ts
 * import { simulate, type Simulation } from "@bailiwick/testing/simulation";
 *
 * export async function check(pay: Simulation): Promise<void> {
 *   const { broken, text } = await simulate(pay, { seeds: 40 });
 *   if (broken.length > 0) throw new Error(text);
 * }
 * ```
 */
export async function simulate(simulation: Simulation, explore: ExploreOptions = {}): Promise<SimulationReport> {
  checkKnownNames(explore, Object.keys(names), "simulate()");
  const checked = checkedOf(simulation);
  const given: ExploreOptions = { ...checked.options.explore, ...explore };
  for (const name of ["seeds", "from", "pairs", "most"] as const) {
    const value = given[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      throw new ConfigurationError(
        "INVALID_OPTION",
        `simulate(): "${name}" must be a whole number from 0, not ${String(value)}.`,
      );
  }
  return new Exploration(checked, given).run();
}

/** One exploration: counts, and the broken promises so far. */
class Exploration {
  readonly #simulation: CheckedSimulation;
  readonly #explore: ExploreOptions;
  readonly #broken: BrokenHistory[] = [];
  readonly #seen = new Set<string>();
  readonly #warnings = new Set<string>();
  readonly #counts = { histories: 0, singles: 0, pairs: 0, known: 0, events: 0, lastedMs: 0 };
  readonly #faults: Partial<Record<FaultKind, number>> = {};
  #baseline: readonly BaselineEffect[] = [];
  #index = 0;

  constructor(simulation: CheckedSimulation, explore: ExploreOptions) {
    this.#simulation = simulation;
    this.#explore = explore;
  }

  async run(): Promise<SimulationReport> {
    const { seeds = 200, from = 1, single = true, pairs = 0, history } = this.#explore;
    // The first play loads what is loaded on first use, and finds modules that were loaded too early.
    let late: SimulationError | undefined;
    const unwatch = watchLateModules((error) => (late = error));
    try {
      await this.#judge({ history: { faults: {} }, isPaced: true });
    } finally {
      unwatch();
    }
    if (late !== undefined) throw late;
    const first = await judgeTwice(this.#simulation, { history: { faults: {} } }, []);
    this.#baseline = baselineEffects(first.played);
    if (first.broken.length > 0) await this.#report(first, { history: { faults: {} } });
    if (history !== undefined) {
      await this.#replay(
        typeof history === "string" ? parseHistory(history) : checkHistoryNames(history),
        first.played,
      );
      return this.#result(first.played);
    }
    for (const known of [...this.#simulation.known, ...knownHistories(this.#explore.known)]) {
      if (this.#skips()) continue;
      await this.#tryOne({ history: known });
      this.#counts.known += 1;
    }
    for (let seed = from; seed < from + seeds && !this.#isFull; seed += 1) {
      if (this.#skips()) continue;
      await this.#tryOne({ history: { order: seed, faults: {} }, seed });
      this.#counts.histories += 1;
    }
    const cells = cellsOf(this.#simulation, first.played);
    if (single)
      for (const cell of cells) {
        if (this.#skips() || this.#isFull) continue;
        await this.#tryOne({ history: historyOf([cell]) });
        this.#counts.singles += 1;
      }
    await this.#pairs(pairs, cells);
    return this.#result(first.played);
  }

  get #isFull(): boolean {
    return this.#broken.length >= (this.#explore.most ?? 5);
  }

  /** True for a history that another process plays. */
  #skips(): boolean {
    const { part } = this.#explore;
    this.#index += 1;
    return part !== undefined && this.#index % part.of !== part.index % part.of;
  }

  /** Histories with two faults: the second one also at points that exist only because of the first one. */
  async #pairs(pairs: number, cells: readonly Cell[]): Promise<void> {
    for (let number = 1; number <= pairs && !this.#isFull && cells.length > 0; number += 1) {
      if (this.#skips()) continue;
      const at = (list: readonly Cell[], name: string): Cell =>
        list[Math.floor(draw(number, name) * list.length)] as Cell;
      const first = at(cells, "first");
      const { played } = await this.#judge({ history: historyOf([first]) });
      const second = at(cellsOf(this.#simulation, played), "second");
      await this.#tryOne({ history: historyOf([first, second]) });
      this.#counts.pairs += 1;
    }
  }

  async #judge(settings: PlaySettings): Promise<Judged> {
    const judged = await judge(this.#simulation, settings, this.#baseline);
    this.#counts.events += judged.played.events;
    this.#counts.lastedMs += judged.played.lastedMs;
    for (const fault of Object.values(judged.played.history.faults)) {
      const { kind } = faultParts(fault);
      this.#faults[kind] = (this.#faults[kind] ?? 0) + 1;
    }
    for (const warning of judged.played.warnings) this.#warnings.add(warning);
    return judged;
  }

  async #tryOne(settings: PlaySettings): Promise<void> {
    if ((await this.#judge(settings)).broken.length === 0) return;
    // A process may have waited for a module that the platform was still loading.
    const judged = await this.#judge({ ...settings, isPaced: true });
    if (judged.broken.length > 0) await this.#report(judged, settings);
  }

  /** Plays one history, and says which of its points did not occur. */
  async #replay(history: History, baseline: Played): Promise<void> {
    const judged = await judgeTwice(this.#simulation, { history }, this.#baseline);
    for (const name of Object.keys(history.faults)) {
      if (name in judged.played.history.faults) continue;
      const nearest = nearestPoint(name, [...judged.played.points.keys(), ...baseline.points.keys()]);
      this.#warnings.add(
        `The choice point "${name}" did not occur.${nearest === undefined ? "" : ` The nearest one is "${nearest}".`}`,
      );
    }
    for (const promise of new Set(judged.broken.map((one) => one.promise)))
      this.#broken.push(
        brokenHistory(promise, judged, { faults: Object.keys(history.faults).length, file: this.#explore.file }),
      );
  }

  /** Shortens a broken history for each promise that it breaks, and adds those that are new. */
  async #report({ played, broken }: Judged, settings: PlaySettings): Promise<void> {
    for (const promise of new Set(broken.map((one) => one.promise))) {
      const isBroken = async (history: History): Promise<boolean> => {
        const judged = await this.#judge({ history });
        return judged.broken.some((one) => one.promise === promise);
      };
      const shortest = await shrink(played.history, isBroken);
      const judged = await judgeTwice(this.#simulation, { history: shortest }, this.#baseline);
      const key = signature(promise, judged.played.history);
      if (this.#seen.has(key) || this.#isFull) continue;
      this.#seen.add(key);
      const found = {
        faults: Object.keys(played.history.faults).length,
        seed: settings.seed,
        file: this.#explore.file,
      };
      this.#broken.push(brokenHistory(promise, judged, found));
    }
  }

  #result({ points }: Played): SimulationReport {
    const { accept = {} } = this.#simulation.options;
    const report = {
      broken: this.#broken,
      ...this.#counts,
      faults: this.#faults,
      points: points.size,
      warnings: [...this.#warnings],
      accepted: Object.entries(accept).map(([promise, reason]) => `${promise}, because ${reason}`),
    };
    return { ...report, text: reportText(report) };
  }
}

/** Histories of one kind: the same promise, and the same kinds of faults at the same operations. */
function signature(promise: PromiseName, history: History): string {
  const faults = printHistory({ faults: history.faults })
    .replaceAll(/[^ ;]*\/|#\d+|:-?\d+/g, "")
    .split("; ");
  return [promise, ...faults.toSorted()].join(" ");
}

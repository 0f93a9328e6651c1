import { baselineEffects } from "../play/play.ts";
import type { Defect } from "../play/defects.ts";
import { checkedOf, type Simulation } from "../simulation-of.ts";
import { printHistory } from "../world/history.ts";
import { judge } from "./judge.ts";

/** A defect that a self-test planted, and the history that noticed it. */
export interface PlantedDefect {
  /** The defect as a sentence. */
  readonly name: string;
  /** The seed that noticed it; `undefined` if none did. */
  readonly seed: number | undefined;
  /** The history that noticed it. */
  readonly history: string | undefined;
}

/** Result of a self-test. */
export interface SelfTestReport {
  /** True if every planted defect was noticed. */
  readonly passed: boolean;
  /** The planted defects. */
  readonly defects: readonly PlantedDefect[];
  /** The report as text. */
  readonly text: string;
}

const planted: readonly { readonly name: string; readonly defect: Defect; readonly missing: string }[] = [
  {
    name: "a store that acknowledges an append before it has it, and loses it with the process",
    defect: { store: true },
    missing:
      "The effects of the application have no choice points: send them through a receiver, or wrap their client with component(name, object).",
  },
  {
    name: 'a person whose answer about an outcome always arrives as "It did not happen"',
    defect: { person: true },
    missing:
      "No process died or was paused between an effect and its outcome: give the simulation a receiver that counts the effects of writing tools.",
  },
];

/** Histories in which each defect has to be noticed. */
const mostHistories = 200;

/**
 * Plays a simulation with defects that are planted outside of the application. A simulation that does not notice them
 * cannot notice defects of the application either.
 *
 * @param simulation - The simulation.
 * @throws SimulationError `SIMULATION_ESCAPE`, `SIMULATION_EMPTY`
 * @example
 * ```ts
 * import { selfTest, type Simulation } from "@bailiwick/testing/simulation";
 *
 * export async function check(pay: Simulation): Promise<void> {
 *   const { passed, text } = await selfTest(pay);
 *   if (!passed) throw new Error(text);
 * }
 * ```
 */
export async function selfTest(simulation: Simulation): Promise<SelfTestReport> {
  const checked = checkedOf(simulation);
  const { played, broken } = await judge(checked, { history: { faults: {} } }, []);
  const baseline = baselineEffects(played);
  const before = new Set(broken.map(({ promise }) => promise));
  const defects: PlantedDefect[] = [];
  const lines: string[] = [];
  for (const { name, defect, missing } of planted) {
    let found: { readonly seed: number; readonly history: string } | undefined;
    for (let seed = 1; seed <= mostHistories && found === undefined; seed += 1) {
      const settings = { history: { order: seed, faults: {} }, seed };
      const sick = await judge(checked, { ...settings, defect }, baseline);
      const isNew = sick.broken.some(({ promise }) => !before.has(promise));
      // A promise that is also broken without the defect does not show the defect.
      if (isNew && (await judge(checked, settings, baseline)).broken.length === 0)
        found = { seed, history: printHistory(sick.played.history) };
    }
    defects.push({ name, seed: found?.seed, history: found?.history });
    lines.push(found === undefined ? `Not noticed: ${name}. ${missing}` : `Noticed with seed ${found.seed}: ${name}.`);
  }
  return { passed: defects.every(({ seed }) => seed !== undefined), defects, text: lines.join("\n") };
}

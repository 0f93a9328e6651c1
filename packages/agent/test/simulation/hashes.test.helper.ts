import type { Simulation } from "@bailiwick/testing/simulation";
import { judge } from "../../../testing/src/simulation/explore/judge.ts";
import { checkedOf } from "../../../testing/src/simulation/simulation-of.ts";

/** Plays the histories of seeds, and returns the digest of each. */
export async function hashesOf(simulation: Simulation, seeds: readonly number[]): Promise<readonly string[]> {
  const checked = checkedOf(simulation);
  const hashes: string[] = [];
  for (const seed of seeds)
    hashes.push((await judge(checked, { history: { order: seed, faults: {} }, seed }, [])).played.hash);
  return hashes;
}

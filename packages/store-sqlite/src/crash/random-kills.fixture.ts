import { join } from "node:path";
import { actingProcess, checkEffects, checkJournal } from "./crash-cell.fixture.ts";
import { failingStore } from "./failing-store.fixture.ts";
import type { Ground } from "./ground.fixture.ts";
import { keysFor, readableIn, recordsOf } from "./protection.fixture.ts";
import type { Protection } from "./protection.fixture.ts";
import { actingAgent, driveToEnd, effectsIn } from "./world.fixture.ts";
import type { EffectClass } from "./world.fixture.ts";

const ttlMs = 40;

/**
 * Kills processes that drive one run, each after a random time, then drives the run to its end here.
 *
 * @returns the defects; empty if there are none.
 */
export async function killAtRandom(
  ground: Ground,
  effect: EffectClass,
  kills: number,
  protection: Protection = "plain",
): Promise<readonly string[]> {
  const keys = keysFor[protection];
  await using place = await ground.makePlace();
  const effects = join(place.path, "effects.log");
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, ended } = actingProcess(ground, { place: place.place, effects, effect, ttlMs, keys, role: "end" });
    // A process that cannot start prints nothing.
    await Promise.race([ended, new Promise((resolve) => child.stdout?.once("data", resolve))]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    child.kill("SIGKILL");
    await ended;
  }
  await using store = ground.open(place.place);
  const agent = actingAgent(failingStore(store, undefined, 2_000), effect, effects, undefined, keys);
  const output = await driveToEnd(agent, store, effects);
  const records = await recordsOf(store, output.runId, keys);
  const faults = [...checkJournal(records), ...checkEffects(effect, effectsIn(effects))];
  if (keys !== undefined) faults.push(...(await readableIn(place)));
  if (output.status !== "completed") faults.push(`the run ended as ${output.status}`);
  return faults.map((fault) => `random kills, ${effect}, ${protection}: ${fault}`);
}

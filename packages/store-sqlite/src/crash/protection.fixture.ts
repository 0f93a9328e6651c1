import { defaultHasher } from "@bailiwick/core/extension";
import { readJournal } from "@bailiwick/core";
import type { JournalEvent, Keys, RunStore } from "@bailiwick/core";
import { sealer } from "@bailiwick/security";
import type { Place } from "./ground.fixture.ts";
import { actingAgent } from "./world.fixture.ts";
import type { EffectClass } from "./world.fixture.ts";

/** Settings of the journals in the matrix. */
export type Protection = "plain" | "sealed";

export const protections: readonly Protection[] = ["plain", "sealed"];

/** Keys of a protection, as every process of a run has them. */
export const keysFor: Readonly<Record<Protection, { readonly seal: string; readonly sign: string } | undefined>> = {
  plain: undefined,
  sealed: { seal: "the key that seals", sign: "the key that signs" },
};

/**
 * Texts of a run of the matrix, none of which may be in a sealed store. No time, hash or sealed text contains them by
 * chance.
 */
const content = ["Act on order", '"1042"', String.raw`\"1042\"`, "act:1042", "acted on", "Done."];

/** Readable content in stored bytes that should be sealed, also in a write-ahead log and after a kill. */
export async function readableIn(place: Place): Promise<string[]> {
  const stored = await place.stored();
  if (stored.length === 0) return ["there is nothing stored to look at"];
  return stored.flatMap(([name, bytes]) =>
    content.filter((words) => bytes.includes(words)).map((words) => `"${words}" can be read in ${name}`),
  );
}

/** The records of a run, opened. */
export async function recordsOf(
  store: RunStore,
  runId: string,
  keys: Keys | undefined,
): Promise<readonly JournalEvent[]> {
  const { seal, sign } = keys ?? {};
  return readJournal(store, runId, {
    hasher: defaultHasher(),
    signKey: sign,
    sealer: seal === undefined ? undefined : sealer(seal),
  });
}

/** Defects in how processes without the right keys are refused: each must get its error, and change nothing. */
export async function checkRefusals(
  store: RunStore,
  effect: EffectClass,
  effects: string,
  keys: { readonly seal: string; readonly sign: string },
): Promise<string[]> {
  const [run] = await store.listRuns({ limit: 1 });
  if (run === undefined) return [];
  const before = JSON.stringify([run, await store.load(run.id)]);
  const wrong: readonly (readonly [Keys, code: string])[] = [
    [{ ...keys, seal: "another key" }, "SEAL_BROKEN"],
    [{ sign: keys.sign }, "SEAL_KEY_MISSING"],
    // Without a record nothing is signed yet.
    ...(run.head.seq === 0 ? [] : [[{ ...keys, sign: "another key" }, "JOURNAL_TAMPERED"] as const]),
  ];
  const faults: string[] = [];
  for (const [given, code] of wrong) {
    const said = await actingAgent(store, effect, effects, undefined, given)
      .resume(run.id)
      .then(
        (output) => output.status,
        (error: { readonly code?: string }) => error.code,
      );
    if (said !== code) faults.push(`with wrong keys (${code}) a process received ${said}`);
  }
  const after = JSON.stringify([await store.getRun(run.id), await store.load(run.id)]);
  if (after !== before) faults.push("a process with wrong keys changed the run");
  return faults;
}

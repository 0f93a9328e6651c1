import { join } from "node:path";
import type { JournalEvent, RunStore, StoredRun } from "@bailiwick/core";
import { expect } from "vitest";
import { actingProcess, checkEffects, checkJournal, crashCell } from "./crash-cell.fixture.ts";
import { failingStore } from "./failing-store.fixture.ts";
import type { Ground } from "./ground.fixture.ts";
import { actingAgent, driveToEnd, effectsIn } from "./world.fixture.ts";
import type { EffectClass, Failpoint } from "./world.fixture.ts";

const shortTtlMs = 150;

// A part of the matrix that `pnpm test:crash` prints in full.
const cells: readonly (readonly [
  title: string,
  EffectClass,
  Failpoint,
  { readonly executions: number; readonly asked?: boolean },
])[] = [
  [
    "a reader that was killed after it ran runs again [effects.resume.reader]",
    "reader",
    "after effect",
    { executions: 2, asked: false },
  ],
  [
    "a keyed writer that was killed after its effect runs again with the same key [effects.resume.idempotency-key]",
    "idempotent",
    "after effect",
    { executions: 2, asked: false },
  ],
  [
    "a writer with lookup that was killed after its effect is asked, and does not run again [effects.resume.lookup]",
    "lookup",
    "after effect",
    { executions: 1, asked: false },
  ],
  [
    "a writer with lookup that was killed before its effect is asked, and runs [effects.resume.lookup]",
    "lookup",
    "before effect",
    { executions: 1, asked: false },
  ],
  [
    "any other writer that was killed after its effect is not run: a person says that it happened [effects.resume.other-writer]",
    "other",
    "after effect",
    { executions: 1, asked: true },
  ],
  [
    "any other writer that was killed before its effect runs once a person said that it did not happen [effects.resume.other-writer]",
    "other",
    "before effect",
    { executions: 1, asked: true },
  ],
  [
    "killed before its intent is on disk, a writer did not run, and no person is asked [effects.intent-first]",
    "other",
    "before tool.intent",
    { executions: 1, asked: false },
  ],
  [
    "killed after its outcome is on disk, a writer is done: only the presentation runs again [effects.outcome-after-execute]",
    "other",
    "after tool.outcome",
    { executions: 1, asked: false },
  ],
  [
    "killed while its outcome is being written, a writer is done, or a person says that it happened [effects.outcome-after-execute]",
    "other",
    "during tool.outcome",
    { executions: 1 },
  ],
  [
    "killed while its intent is being written, a writer did not run [effects.intent-first]",
    "other",
    "during tool.intent",
    { executions: 1 },
  ],
  [
    "killed when the approval was used, a writer does not run on the same approval [people.binding.single-use]",
    "approved",
    "after effect",
    { executions: 1, asked: true },
  ],
  [
    "killed before a decision is taken from the inbox, the decision is there for the next process [store.signal]",
    "approved",
    "before signal.taken",
    { executions: 1, asked: false },
  ],
];
/** A part of the matrix, as cases for a test runner. */
export function crashCases(ground: Ground): readonly { readonly name: string; readonly run: () => Promise<void> }[] {
  const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
  const add = (name: string, run: () => Promise<void>): void => void cases.push({ name, run });

  for (const [title, effect, failpoint, expected] of cells) {
    add(`${title} (${failpoint})`, async () => {
      expect(await crashCell(ground, effect, failpoint)).toMatchObject({ reached: true, faults: [], ...expected });
    });
  }

  // With keys, at every boundary of a call that takes effect; the others are in the full matrix.
  for (const [effect, failpoint, expected] of [
    ["other", "before tool.intent", { executions: 1, asked: false }],
    ["other", "during tool.intent", { executions: 1 }],
    ["other", "after effect", { executions: 1, asked: true }],
    ["other", "during tool.outcome", { executions: 1 }],
    ["other", "after tool.outcome", { executions: 1, asked: false }],
    ["idempotent", "after effect", { executions: 2, asked: false }],
    ["lookup", "after effect", { executions: 1, asked: false }],
    ["approved", "before signal.taken", { executions: 1, asked: false }],
    ["approved", "after effect", { executions: 1, asked: true }],
    ["reader", "after create", { executions: 1, asked: false }],
  ] as const) {
    add(
      `sealed and signed, a run that is killed (${failpoint}, ${effect}) ends as a plain one does; nothing of it can be read, and wrong keys are refused [secrets.sealing] [journal.signed]`,
      async () => {
        expect(await crashCell(ground, effect, failpoint, "sealed")).toMatchObject({
          reached: true,
          faults: [],
          ...expected,
        });
      },
    );
  }

  add(
    "of ten processes that resume a killed run at once, one continues and the effect happens once [run.resume] [store.acquire]",
    async () => {
      await using place = await ground.makePlace();
      const effects = join(place.path, "effects.log");
      const order = { place: place.place, effects, effect: "lookup", ttlMs: shortTtlMs } as const;
      expect(await actingProcess(ground, { ...order, failpoint: "after tool.intent", role: "start" }).ended).toBe(
        "SIGKILL",
      );
      const said = await Promise.all(
        Array.from({ length: 10 }, () => actingProcess(ground, { ...order, ttlMs: 60_000, role: "end" }).ended),
      );
      expect(new Set(said)).toEqual(new Set(["ended"]));
      await using store = ground.open(place.place);
      const [run] = await store.listRuns({ limit: 1 });
      expect(run?.state).toBe("completed");
      expect(checkJournal(await store.load(run?.id ?? ""))).toEqual([]);
      expect(checkEffects("lookup", effectsIn(effects))).toEqual([]);
    },
  );

  for (const depth of [0, 1, 2] as const) {
    const where = depth === 0 ? "" : `, in an agent ${depth} deep,`;
    add(
      `a process that was stopped in a tool${where} and wakes after losing its lease writes nothing to any run [store.append.fenced]`,
      async () => {
        await using place = await ground.makePlace();
        const effects = join(place.path, "effects.log");
        const order = { place: place.place, effects, effect: "slow", ttlMs: shortTtlMs, depth } as const;
        const sleeper = actingProcess(ground, { ...order, role: "start" });
        await using store = ground.open(place.place);
        await until(() => effectsIn(effects).length === 1);
        sleeper.child.kill("SIGSTOP");
        const next = failingStore(store, undefined, shortTtlMs);
        const output = await driveToEnd(
          actingAgent(next, "slow", effects, undefined, undefined, "nothing", depth),
          store,
          effects,
        );
        expect(output.status).toBe("completed");
        const before = await everything(store);
        expect(before).toHaveLength(depth + 1);
        sleeper.child.kill("SIGCONT");
        expect(await sleeper.ended).toContain("failed FencedError");
        expect(await everything(store)).toEqual(before);
        for (const { events } of before) expect(checkJournal(events)).toEqual([]);
      },
    );
  }

  add("a run that ends its process each time is not resumed forever", async () => {
    await using place = await ground.makePlace();
    const effects = join(place.path, "effects.log");
    const order = { place: place.place, effects, effect: "reader", failpoint: "before effect", ttlMs: 60 } as const;
    expect(await actingProcess(ground, { ...order, role: "start" }).ended).toBe("SIGKILL");
    let kills = 1;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 80));
      if ((await actingProcess(ground, { ...order, role: "recover" }).ended) !== "SIGKILL") break;
      kills += 1;
    }
    expect(kills).toBeLessThanOrEqual(7);
    await using store = ground.open(place.place);
    const [run] = await store.listRuns({ limit: 1 });
    expect(run?.attempts).toBeGreaterThanOrEqual(5);
    expect(effectsIn(effects)).toEqual([]);
  });

  add(
    "killed at random moments, again and again, a run ends once and its effect happens once [effects.at-least-once]",
    async () => {
      await using place = await ground.makePlace();
      const effects = join(place.path, "effects.log");
      const order = { place: place.place, effects, effect: "lookup", ttlMs: 40 } as const;
      for (let kill = 0; kill < 6; kill += 1) {
        const { child, ended } = actingProcess(ground, { ...order, role: "end" });
        // A process that fails to start prints nothing, so its exit ends the wait too.
        await Promise.race([ended, new Promise((resolve) => child.stdout?.once("data", resolve))]);
        await new Promise((resolve) => setTimeout(resolve, kill * 3));
        child.kill("SIGKILL");
        await ended;
      }
      await using store = ground.open(place.place);
      const output = await driveToEnd(
        actingAgent(failingStore(store, undefined, shortTtlMs), "lookup", effects),
        store,
        effects,
      );
      expect(output.status).toBe("completed");
      expect(checkJournal(await store.load(output.runId))).toEqual([]);
      expect(checkEffects("lookup", effectsIn(effects))).toEqual([]);
    },
  );
  return cases;
}

/** Each run of a store with its records. */
async function everything(store: RunStore): Promise<readonly { run: StoredRun; events: readonly JournalEvent[] }[]> {
  const runs = await store.listRuns({ limit: 10 });
  return Promise.all(runs.map(async (run) => ({ run, events: await store.load(run.id) })));
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 10 }).toBe(true);
}

import { defaultHasher } from "@bailiwick/core/extension";
import {
  exportJournal,
  memoryStore,
  readJournal,
  restoreState,
  sealedSessions,
  verifyJournal,
  type RunOutput,
} from "@bailiwick/core";
import { sealer } from "@bailiwick/security";
import { faultyStore, type StoreFaultPlan } from "@bailiwick/testing";
import { expect, test } from "vitest";
import {
  agentOf,
  effectsOf,
  handClock,
  plans,
  shapeOf,
  toEnd,
  type Effects,
  type Plan,
} from "./durable-world.test.helper.ts";
import { drawn } from "../../../testing/src/drawn-cells.fixture.ts";

const protections = [
  ["nothing", undefined],
  ["seal and sign", { seal: "a key", sign: "another key" }],
] as const;

/** Calls without an effect: their execution makes no difference. */
const reads: ReadonlySet<string> = new Set(["getRun", "load", "takeSignals", "sessions.load", "ledger.get", "getBlob"]);

/** Options that the caller of a run gives; another process that resumes the run does not have them. */
const given = {
  metadata: { ticket: "T-1" },
  messages: [{ role: "user", content: "An earlier question." }],
  extraVars: { region: "eu" },
} as const;

/** A process that starts a run, answers its questions, and dies at the planned fault. */
function processOn(plan: Plan, keys: (typeof protections)[number][1], faults: StoreFaultPlan) {
  const clock = handClock();
  const whole = memoryStore({ clock });
  const store = faultyStore(whole, faults);
  const effects: Effects = [];
  const agent = agentOf(plan, { store, effects, clock, keys });
  const ended = (async (): Promise<RunOutput> =>
    toEnd(agent, await agent.run("Go.", { sessionId: "s", ...given }), effects, clock))();
  ended.catch(() => undefined);
  return { clock, whole, store, effects, ended };
}

for (const [protection, keys] of protections) {
  test.each(Object.keys(plans).filter((plan) => keys === undefined || plan === "an agent that is a tool") as Plan[])(
    `%s, kept with ${protection}: a process that dies at any call of its store leaves a run that can be completed without a difference [run.resume] [effects.at-least-once]`,
    { timeout: 180_000 },
    async (plan) => {
      const uncut = processOn(plan, keys, () => undefined);
      const expected = await uncut.ended;
      expect(expected.status).toBe("completed");
      // Read as runs read it: the store itself keeps a marker for each time that the run waited.
      const sessionOf = async ({ sessions }: ReturnType<typeof memoryStore>) =>
        sealedSessions(sessions, keys && sealer(keys.seal)).load("s");
      const session = await sessionOf(uncut.whole);
      const faults = uncut.store.calls.flatMap(({ index, operation }) =>
        (reads.has(operation) ? [false] : [false, true]).map((written) => ({ index, operation, written })),
      );
      for (const { index, operation, written } of drawn(
        faults,
        (fault) => JSON.stringify([plan, protection, fault]),
        4,
      )) {
        const where = `${operation} (${index}) ${written ? "written" : "lost"}`;
        const first = processOn(plan, keys, (call) => (call.index === index ? { crash: true, written } : undefined));
        await first.store.crashed;
        const { clock, whole, effects } = first;
        clock.pass(60_000);
        const run = (await whole.listRuns({})).find(({ parent }) => parent === undefined);
        if (run === undefined) {
          expect([where, effects]).toEqual([where, []]);
          continue;
        }
        const second = agentOf(plan, { store: whole, effects, clock, keys });
        const output = await toEnd(second, await second.resume(run.id), effects, clock);
        expect([where, shapeOf(output)]).toEqual([where, shapeOf(expected)]);
        expect([where, effectsOf(effects)]).toEqual([where, effectsOf(uncut.effects)]);
        expect([where, shapeOf(await second.replay(run.id))]).toEqual([where, shapeOf(expected)]);
        const start = (await second.inspect(run.id)).events.find((event) => event.type === "run.start");
        const { metadata, extraVars, history = [] } = start ?? {};
        expect([where, metadata, extraVars]).toEqual([where, given.metadata, given.extraVars]);
        expect([where, history.map(({ content }) => content)]).toEqual([where, ["An earlier question."]]);
        // Its session has its messages once, and no part of it is left to drive.
        const { messages, state } = await sessionOf(whole);
        expect([where, messages.map(({ role }) => role)]).toEqual([where, session.messages.map(({ role }) => role)]);
        expect([where, Object.keys(state)]).toEqual([where, Object.keys(session.state)]);
        const runs = await whole.listRuns({});
        expect([where, runs.map(({ state: kept }) => kept)]).toEqual([where, runs.map(() => "completed")]);
        const { verdict } = await second.verifyAudit(run.id);
        expect([where, verdict]).toEqual([where, keys === undefined ? "unsigned" : "valid"]);
      }
    },
  );

  test.each(Object.keys(plans) as Plan[])(
    `%s, stored with ${protection}: exports of the run and its inner runs are read back in full [journal.fold]`,
    async (plan) => {
      const { whole, ended } = processOn(plan, keys, () => undefined);
      await ended;
      const hasher = defaultHasher();
      const signKey = keys?.sign;
      for (const { id } of await whole.listRuns({})) {
        const events = await readJournal(whole, id, { hasher, signKey, sealer: keys && sealer(keys.seal) });
        const read = verifyJournal(exportJournal(id, events, { hasher, signKey }), { hasher, signKey });
        expect(restoreState(id, read.events)).toEqual(restoreState(id, events));
        expect(read.trust).toBe(keys === undefined ? "unsigned" : "signed");
      }
    },
  );
}

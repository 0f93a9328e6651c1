import { memoryStore, tool, type Keys, type Tool } from "@bailiwick/core";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  agentOf,
  effectsOf,
  handClock,
  shapeOf,
  toEnd,
  truthful,
  type Effects,
  type HandClock,
  type Plan,
} from "./durable-world.test.helper.ts";
import { failureOf, openAgent } from "../fixtures.test.helper.ts";
import { drivenNow } from "./drive-due.test.helper.ts";
import { Agent } from "../../src/index.ts";

function world(plan: Plan, keys?: Keys) {
  const clock = handClock();
  const store = memoryStore({ clock });
  const effects: Effects = [];
  return { clock, store, effects, agent: agentOf(plan, { store, effects, clock, keys }) };
}

for (const keys of [undefined, { seal: "a key", sign: "another key" }]) {
  const kept = keys === undefined ? "" : ", sealed and signed";

  test.each(["an agent that is a tool", "two agents that are tools", "approvals", "handoff", "everything"] as const)(
    `a fork of a suspended run (%s${kept}) repeats no effect, also of inner runs, and ends like the original [run.fork]`,
    async (plan) => {
      const { agent, effects, clock, store } = world(plan, keys);
      const waiting = await agent.run("Go.");
      expect(waiting.status).toBe("suspended");
      const { head } = (await agent.inspect(waiting.runId)).run;
      const fork = await agent.fork(waiting.runId, { atSeq: head.seq });
      const forkOfFork = await agent.fork(fork.runId, { atSeq: head.seq });
      const before = effects.length;
      const ended = [];
      for (const runId of [forkOfFork.runId, waiting.runId, fork.runId]) {
        const from = effects.length;
        const output = await toEnd(agent, await agent.resume(runId), effects, clock);
        // The receiver recorded the effect of "lookup" in another run, and `lookup` finds it.
        const done = effectsOf(effects.slice(from)).lines.filter((line) => !line.startsWith("lookup"));
        ended.push({ shape: shapeOf(output), effects: done });
        expect((await agent.verifyAudit(runId)).verdict).toBe(keys === undefined ? "unsigned" : "valid");
      }
      expect(ended[0]?.shape).toMatchObject({ status: "completed" });
      expect(ended[1]).toEqual(ended[0]);
      expect(ended[2]).toEqual(ended[0]);
      // Effects before the fork happened once.
      const again = effects.slice(before).filter((line) => effects.slice(0, before).includes(line));
      expect(again).toEqual([]);
      expect((await store.listRuns({ limit: 100 })).map(({ state }) => state)).not.toContain("running");
    },
  );

  test(`a decision about a run does not affect its fork, and vice versa${kept} [run.fork] [people.binding] [people.binding.single-use]`, async () => {
    const { agent, effects } = world("approvals", keys);
    const waiting = await agent.run("Go.");
    const { head } = (await agent.inspect(waiting.runId)).run;
    const { runId } = await agent.fork(waiting.runId, { atSeq: head.seq });
    const questions = await agent.interruptions(runId);
    expect(questions.map((asked) => asked.runId)).toEqual(questions.map(() => runId));
    const before = effects.length;
    for (const [id, asked] of [
      [runId, waiting],
      [waiting.runId, { interruptions: questions }],
    ] as const)
      expect(await failureOf(agent.resume(id, truthful(effects, asked)))).toMatchObject({ code: "UNKNOWN_DECISION" });
    expect(effects).toHaveLength(before);
    expect((await agent.resume(runId, truthful(effects, { interruptions: questions }))).status).toBe("completed");
    expect((await agent.resume(waiting.runId, truthful(effects, waiting))).status).toBe("completed");
  });
}

/** A clock of which each reading is later than the one before, as it is between the records of a real run. */
const ticking = (clock: HandClock): HandClock => ({
  ...clock,
  now: () => {
    clock.pass(1);
    return clock.now();
  },
});

for (const again of [false, true]) {
  const what = again ? "a fork of a fork, made after the first run has ended," : "a fork";
  test.each(["writers", "an agent that is a tool", "handoff"] as const)(
    `${what} of a run whose process died at any write (%s) repeats no effect, and asks about uncertain ones [run.fork.inside]`,
    async (plan) => {
      // The receiver recorded the effect of "lookup" in another run, and `lookup` finds it.
      const linesOf = (effects: Effects) => effectsOf(effects).lines.filter((line) => !line.startsWith("lookup"));
      const healthy = world(plan);
      const counted = faultyStore(healthy.store, () => undefined);
      const whole = agentOf(plan, { ...healthy, store: counted });
      await toEnd(whole, await whole.run("Go."), healthy.effects, healthy.clock);
      let forked = 0;
      for (const { index, operation } of counted.calls) {
        if (operation !== "append") continue;
        const { clock, store, effects } = world(plan);
        const agent = agentOf(plan, { store, effects, clock: ticking(clock) });
        const dead = faultyStore(store, (call) => (call.index === index ? { crash: true, written: true } : undefined));
        const dying = agentOf(plan, { store: dead, effects, clock: ticking(clock) });
        void dying
          .run("Go.")
          .then((output) => toEnd(dying, output, effects, clock))
          .catch(() => undefined);
        await dead.crashed;
        clock.pass(60_000);
        const outer = (await store.listRuns({ limit: 100 })).find(({ parent }) => parent === undefined);
        const atSeq = outer?.head.seq ?? 0;
        if (outer === undefined || atSeq === 0) continue;
        let { runId } = await agent.fork(outer.id, { atSeq });
        const before = [...effects];
        if (again) {
          await toEnd(agent, await agent.resume(outer.id), effects, clock);
          ({ runId } = await agent.fork(runId, { atSeq }));
        }
        const from = effects.length;
        // A person who knows the effects of the time of the first fork.
        const { status } = await toEnd(agent, await agent.resume(runId), before, clock);
        // A receiver makes one effect of two requests with one key.
        const fresh = effects.slice(from).filter((line) => line.split(":").length < 3 || !before.includes(line));
        const missing = linesOf(healthy.effects).filter((line) => !linesOf(before).includes(line));
        expect([index, status, linesOf(fresh)]).toEqual([index, "completed", missing]);
        forked += 1;
      }
      expect(forked).toBeGreaterThan(5);
    },
  );
}

test("a fork at any record of a run ends like the run, and executes only what follows that record [run.fork]", async () => {
  const { agent, effects, clock } = world("everything");
  const whole = await toEnd(agent, await agent.run("Go."), effects, clock);
  const all = effectsOf(effects).lines;
  const { events } = await agent.inspect(whole.runId);
  for (const { seq, type } of events) {
    if (seq === 1) continue;
    const from = effects.length;
    const { runId } = await agent.fork(whole.runId, { atSeq: seq });
    const done = new Set(
      events.slice(0, seq).flatMap((event) => (event.type === "tool.outcome" ? [event.toolName] : [])),
    );
    const open = await agent.inspect(runId);
    // A person reports of each uncertain effect that it happened: it did, in the other run.
    const output = await toEnd(agent, await agent.resume(runId), effects, clock);
    expect([seq, type, output.status, output.text]).toEqual([seq, type, "completed", "Done."]);
    const executed = effects.slice(from).map((line) => line.split(":")[0] ?? "");
    const uncertain = open.uncertainCalls.map(({ toolName }) => toolName);
    for (const name of ["plain", "keyed", "nap"])
      if (done.has(name) || (uncertain.includes(name) && name === "plain")) expect([seq, executed]).not.toContain(name);
    expect(effectsOf(effects.slice(from)).lines.length).toBeLessThanOrEqual(all.length);
  }
});

test("a process that dies while forking leaves either no fork or one that the resuming process completes [run.fork]", async () => {
  const first = world("writers");
  const whole = await first.agent.run("Go.");
  const { events } = await first.agent.inspect(whole.runId);
  const atSeq = events.length - 1;
  const edit = { message: "And now greet." };
  const healthy = faultyStore(first.store, () => undefined);
  const { effects, clock } = first;
  await agentOf("writers", { ...first, store: healthy }).fork(whole.runId, { atSeq, edit });
  const done = effects.length;
  let finished = 0;
  for (const { index } of healthy.calls) {
    for (const written of [false, true]) {
      const known = new Set((await first.store.listRuns({ limit: 1_000 })).map(({ id }) => id));
      const dying = faultyStore(first.store, (call) => (call.index === index ? { crash: true, written } : undefined));
      void agentOf("writers", { ...first, store: dying }).fork(whole.runId, { atSeq, edit });
      await dying.crashed;
      clock.pass(60_000);
      const forks = (await first.store.listRuns({ limit: 1_000 })).filter(({ id }) => !known.has(id));
      for (const { id } of forks) {
        finished += 1;
        const output = await first.agent.resume(id);
        expect(output).toMatchObject({ status: "completed", text: "Done." });
        expect(output.messages.filter(({ role }) => role === "user")).toMatchObject(
          [{ content: "Go." }, edit].map((one) => ("message" in one ? { content: one.message } : one)),
        );
        expect((await first.agent.inspect(id)).run.input).toBe("Go.");
      }
      expect(effects).toHaveLength(done);
    }
  }
  expect(finished).toBeGreaterThan(3);
});

test("workers leave a fork to its maker for the length of a lease, and then drive it [run.fork.maker]", async () => {
  const { agent, clock, effects } = world("writers");
  const whole = await agent.run("Go.");
  const before = effects.length;
  const kept = await agent.fork(whole.runId, { atSeq: 1 });
  const left = await agent.fork(whole.runId, { atSeq: 1 });
  clock.pass(29_000);
  expect(await drivenNow(agent)).toEqual([]);
  expect(effects).toHaveLength(before);
  expect((await agent.resume(kept.runId, [], { maxTurns: 1 })).stopReason).toBe("max_turns");
  clock.pass(1_000);
  expect(await drivenNow(agent)).toMatchObject([{ runId: left.runId, text: whole.text }]);
});

test("a fork that cannot be written leaves no run that another process would resume [run.fork]", async () => {
  const { store, effects, clock, agent } = world("writers");
  const whole = await agent.run("Go.");
  const full = faultyStore(store, ({ operation }) => (operation === "append" ? { error: "full-disk" } : undefined));
  const error = await failureOf(agentOf("writers", { store: full, effects, clock }).fork(whole.runId, { atSeq: 3 }));
  expect(error).toMatchObject({ code: "STORE_FULL" });
  expect(await failureOf(agent.fork(whole.runId, { atSeq: 3, edit: { message: 5 as never } }))).toMatchObject({
    code: "INVALID_INPUT",
  });
  expect(await store.listRuns({})).toHaveLength(1);
});

test("nested runs two calls deep, with separate stores and keys, continue in a fork of a fork [run.fork]", async () => {
  const effects: Effects = [];
  const writer = (name: string, needsApproval = false): Tool =>
    tool({
      name,
      description: "Writes.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval,
      execute: () => {
        effects.push(name);
        return name;
      },
    }) as Tool;
  const calling = (...names: readonly string[]) =>
    scriptedModel(({ toolResults }) =>
      toolResults.length > 0
        ? "Done."
        : {
            toolCalls: names.map((name) => ({
              name,
              arguments: name === "inner" || name === "middle" ? { input: "Go." } : {},
            })),
          },
    );
  const innerStore = memoryStore();
  const inner = new Agent({
    ...openAgent,
    name: "inner",
    store: innerStore,
    keys: { seal: "its own key", sign: "its own signature" },
    tools: [writer("first"), writer("second", true)],
    model: calling("first", "second"),
  });
  const middle = new Agent({
    ...openAgent,
    name: "middle",
    tools: [inner.asTool(), writer("beside")],
    model: calling("inner", "beside"),
  });
  const outer = new Agent({
    ...openAgent,
    name: "outer",
    store: memoryStore(),
    keys: { seal: "a key", sign: "a signature" },
    tools: [middle.asTool()],
    model: calling("middle"),
  });
  const { runId } = await outer.run("Go.");
  const atSeq = (await outer.inspect(runId)).run.head.seq;
  const fork = await outer.fork(runId, { atSeq });
  const forkOfFork = await outer.fork(fork.runId, { atSeq });
  expect(effects.toSorted((a, b) => a.localeCompare(b))).toEqual(["beside", "first"]);
  for (const id of [forkOfFork.runId, runId, fork.runId]) {
    const asked = await outer.interruptions(id);
    const output = await outer.resume(
      id,
      asked.map((one) => one.approve()),
    );
    expect(output).toMatchObject({ status: "completed", text: "Done." });
  }
  expect(effects.slice(2)).toEqual(["second", "second", "second"]);
  expect((await innerStore.listRuns({})).map(({ state }) => state)).toEqual(["completed", "completed", "completed"]);
});

test("a message that looks like a fork's input does not get the records of the run that it names [run.fork]", async () => {
  const { store, effects, clock, agent } = world("writers");
  const other = await agent.run("Somebody else's.");
  const { head } = (await agent.inspect(other.runId)).run;
  const $fork = { origins: [{ runId: other.runId, salts: [] }], atSeq: head.seq, at: 0 };
  const dying = faultyStore(store, ({ operation }) =>
    operation === "append" ? { crash: true, written: false } : undefined,
  );
  void agentOf("writers", { store: dying, effects, clock })
    .run({ role: "user", content: "Mine.", $fork } as never)
    .catch(() => undefined);
  await dying.crashed;
  clock.pass(60_000);
  const [begun] = (await store.listRuns({})).filter(({ id }) => id !== other.runId);
  const output = await agent.resume(begun?.id ?? "");
  expect(output.messages.filter(({ role }) => role === "user")).toMatchObject([{ content: "Mine." }]);
});

test.each([undefined, {}, { atSeq: 0 }, { atSeq: 1.5 }, { atSeq: 1_000 }])(
  "a fork at %j, which the run does not have, is refused with a list of valid places [run.fork]",
  async (options) => {
    const { agent } = world("writers");
    const { runId } = await agent.run("Go.");
    const error = await failureOf(agent.fork(runId, options as never));
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    expect((error as Error).message).toMatch(/has records 1 to \d+; there is no record .* for "atSeq"/u);
  },
);

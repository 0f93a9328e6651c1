import { memoryStore, tool, toolReturn, type RunStore, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { drivenNow } from "../durability/drive-due.test.helper.ts";
import { add, addCall, counter, failureOf, quiet, waiting, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;

test("a steering message is inserted after the current results [run.steer]", async () => {
  const model = scriptedModel([addCall(), "Done."]);
  const handle = new Agent({ ...base, model, tools: [add] }).stream("go");
  for await (const event of handle) if (event.type === "tool.call") handle.steer("Be brief.");
  const { messages } = await handle.result;
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: "Be brief." });
});

test("a follow-up continues the run after the answer [run.follow-up]", async () => {
  const model = scriptedModel(["First.", "Second."]);
  const handle = new Agent({ ...base, model }).stream("go");
  handle.followUp("And then?");
  const result = await handle.result;
  expect(result.text).toBe("Second.");
  expect(result.messages.map(({ content }) => content)).toMatchObject([
    "go",
    [{ text: "First." }],
    "And then?",
    [{ text: "Second." }],
  ]);
});

test("a message to a completed run is refused, not lost; a stopped run accepts it [run.steer] [run.follow-up]", async () => {
  const store = memoryStore();
  const agent = new Agent({ ...base, model: scriptedModel(["One.", addCall(), "Two."]), tools: [add], store });
  const handle = agent.stream("go");
  const { runId } = await handle.result;
  expect(() => handle.steer("More.")).toThrow(/has ended/);
  expect(() => handle.followUp("More.")).toThrow(/has ended/);
  expect(await failureOf(agent.steer(runId, "More."))).toMatchObject({ code: "RUN_OVER", runId });
  expect(await failureOf(agent.followUp(runId, "More."))).toMatchObject({ code: "RUN_OVER", runId });
  const stopped = await agent.run("go", { maxTurns: 1 });
  await agent.steer(stopped.runId, "Be brief.");
  const { messages } = await agent.resume(stopped.runId);
  expect(messages.map(({ content }) => content)).toContain("Be brief.");
});

type Work = () => Promise<string>;
const toolFor = (work: Work, endRun = false): Tool =>
  tool({
    name: "work",
    description: "Works.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async () => (endRun ? toolReturn({ output: await work(), endRun }) : work()),
  });
const workCall = { toolCalls: [{ name: "work", arguments: {} }] };

/** Ways in which the calls of a turn end a run. */
const endedByTools: Readonly<Record<string, (work: Work) => Partial<ConstructorParameters<typeof Agent>[0]>>> = {
  "a result with endRun": (work) => ({ tools: [toolFor(work, true)] }),
  stop_on_first_tool: (work) => ({ tools: [toolFor(work)], toolUseBehavior: "stop_on_first_tool" }),
  stopAtToolNames: (work) => ({ tools: [toolFor(work)], toolUseBehavior: { stopAtToolNames: ["work"] } }),
  "a function of toolUseBehavior": (work) => ({
    tools: [toolFor(work)],
    toolUseBehavior: () => ({ isFinalOutput: true, finalOutput: "worked" }),
  }),
  "a handoff": (work) => ({
    handoffs: [
      new Agent({ ...base, name: "other", tools: [toolFor(work)], model: scriptedModel([workCall, "worked"]) }),
    ],
  }),
};

for (const [way, optionsFor] of Object.entries(endedByTools)) {
  test.each(
    (["steer", "followUp"] as const).flatMap((name) => [true, false].map((subscribes) => [name, subscribes] as const)),
  )(
    `a message in a turn that ${way} ends is answered: %s, with a store that calls back: %s [run.message-at-turn-end]`,
    async (name, subscribes) => {
      const whole = memoryStore();
      // Without the callback, nothing of the run looks for the message before the run is released.
      const silent = new Proxy(whole, {
        get: (target, member: keyof RunStore) => (member === "subscribe" ? undefined : target[member]),
      });
      const work = async (): Promise<string> => {
        await sender[name](handle.runId, "And now?");
        return "worked";
      };
      const first = way === "a handoff" ? { toolCalls: [{ name: "transfer_to_other", arguments: {} }] } : workCall;
      const model = scriptedModel([first, "Now this."]);
      const agent = new Agent({ ...base, model, store: subscribes ? whole : silent, ...optionsFor(work) });
      const sender = new Agent({ ...base, model: scriptedModel([]), store: whole });
      const handle = agent.stream("go");
      const live = await handle.result;
      const last = subscribes ? live : await agent.resume(handle.runId);
      expect(live).toMatchObject({ status: "completed", text: subscribes ? "Now this." : "worked" });
      expect(last).toMatchObject({ status: "completed", text: "Now this.", agentName: "agent" });
      expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: "And now?" });
      expect((await whole.getRun(handle.runId))?.state).toBe("completed");
    },
  );
}

test("follow-ups are bounded by the turn limit", async () => {
  const handle = new Agent({ ...base, model: scriptedModel(() => "Again."), maxTurns: 2 }).stream("go");
  for (let index = 0; index < 5; index += 1) handle.followUp("More.");
  expect((await handle.result).stopReason).toBe("max_turns");
});

test("another agent object on the same store steers and cancels [seams.surface.any-process] [seams.surface.cancel]", async () => {
  const store = memoryStore();
  const { wait, open } = waiting("through");
  const model = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "Done.", { faults: { hangAfterEvents: 0 } }]);
  const here = new Agent({ ...base, model, tools: [wait], store });
  const there = new Agent({ ...base, model: scriptedModel([]), tools: [wait], store });
  const handle = here.stream("go");
  for await (const event of handle) {
    if (event.type !== "tool.call") continue;
    await there.steer(handle.runId, "From elsewhere.");
    open();
  }
  expect((await handle.result).messages.some(({ content }) => content === "From elsewhere.")).toBe(true);
  const second = here.stream("hang");
  for await (const event of second) if (event.type === "model.intent") await there.cancel(second.runId, "enough");
  expect(await second.result).toMatchObject({ status: "cancelled" });
  expect(
    (await there.inspect(second.runId)).events.some(
      (event) => event.type === "signal.taken" && event.signal.name === "cancel",
    ),
  ).toBe(true);
});

test("cancelling a suspended run ends it", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({ ...base, model: scriptedModel([writeCall()]), tools: [write], store: memoryStore() });
  const { runId } = await agent.run("go");
  await agent.cancel(runId);
  const { output } = await agent.inspect(runId);
  expect(output).toMatchObject({ status: "cancelled", stopReason: "cancelled" });
  expect(output?.toolCalls).toHaveLength(1);
  expect(ran).toEqual([]);
});

test("an unknown run is an error that names the store [run.not-found]", async () => {
  const agent = new Agent({ ...base, model: scriptedModel([]), store: memoryStore({ name: "my-store" }) });
  for (const call of [
    agent.resume("r"),
    agent.steer("r", "x"),
    agent.cancel("r"),
    agent.interruptions("r"),
    agent.inspect("r"),
    agent.replay("r"),
    agent.fork("r", { atSeq: 1 }),
  ]) {
    expect(await failureOf(call)).toMatchObject({
      code: "RUN_NOT_FOUND",
      message: expect.stringContaining("my-store") as string,
    });
  }
});

test("a message that arrives during an output guardrail is answered; a later one is refused, and none is lost [run.steer] [run.follow-up]", async () => {
  const model = scriptedModel(["First.", "Second."]);
  const refused: unknown[] = [];
  let said = 0;
  const say = (text: string): void => {
    try {
      handle.followUp(text);
    } catch (error) {
      refused.push(error);
    }
  };
  const agent = new Agent({
    ...base,
    model,
    guardrails: {
      output: [
        {
          name: "slow",
          validate: () => {
            said += 1;
            if (said === 1) say("And then?");
            return { pass: true };
          },
        },
      ],
    },
    hooks: { afterRun: () => say("Too late.") },
  });
  const handle = agent.stream("go");
  const { text, messages } = await handle.result;
  expect(text).toBe("Second.");
  expect(messages.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual(["go", "And then?"]);
  expect(refused).toMatchObject([{ code: "RUN_OVER" }]);
});

test.each(["in its last hook", "at its release"])(
  "a message from another process that arrives while a run ends (%s) is answered by the resuming process; after the end it is refused [run.message-at-end] [store.release]",
  async (moment) => {
    const inner = memoryStore();
    let hasCome = false;
    let runId = "";
    const come = async (): Promise<void> => {
      if (hasCome) return;
      hasCome = true;
      await other.steer(runId, "One more thing.");
    };
    const store: typeof inner = {
      ...inner,
      async release(lease, next, session) {
        if (moment === "at its release") await come();
        await inner.release(lease, next, session);
      },
    };
    let answers = 0;
    const model = scriptedModel(() => `Answer ${(answers += 1)}.`);
    const other = new Agent({ ...base, store, model });
    const agent = new Agent({
      ...base,
      store,
      model,
      hooks: {
        afterRun: async (context) => {
          ({ runId } = context);
          if (moment === "in its last hook") await come();
        },
      },
    });
    expect(await agent.run("go")).toMatchObject({ status: "completed", text: "Answer 1." });
    expect((await inner.getRun(runId))?.state).toBe("queued");
    const [taken] = await drivenNow(other);
    expect(taken?.messages.map(({ role, content }) => (role === "user" ? content : role))).toEqual([
      "go",
      "assistant",
      "One more thing.",
      "assistant",
    ]);
    expect(taken?.text).toBe("Answer 2.");
    expect((await inner.getRun(runId))?.state).toBe("completed");
    await expect(other.steer(runId, "Too late.")).rejects.toMatchObject({ code: "RUN_OVER" });
  },
);

test("a message that arrives after the end of its run is refused, even if the sender saw the run active [run.message-at-end]", async () => {
  const inner = memoryStore();
  let runId = "";
  let sent: Promise<unknown> | undefined;
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  const slow: typeof inner = {
    ...inner,
    async signal(id, signal) {
      await over;
      await inner.signal(id, signal);
    },
  };
  const other = new Agent({ ...base, store: slow, model: scriptedModel([]) });
  const agent = new Agent({
    ...base,
    store: inner,
    model: scriptedModel(["Done."]),
    hooks: {
      afterRun: (context) => {
        ({ runId } = context);
        sent = other.steer(runId, "Too late.");
        sent.catch(() => undefined);
      },
    },
  });
  expect((await agent.run("go")).text).toBe("Done.");
  end();
  await expect(sent).rejects.toMatchObject({ code: "RUN_OVER" });
});

test("for any messages in a run's inbox, the journal is consistent and has the outcome of each [run.steer] [journal.fold]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.constantFrom("steer", "follow", "approve", "reject", "again", "unknown", "resume", "look"),
          fc.nat(400),
        ),
        { maxLength: 12 },
      ),
      async (timed) => {
        const acts = timed.map(([act]) => act);
        const store = memoryStore();
        const { write, ran } = counter({ needsApproval: true });
        const make = (): Agent =>
          new Agent({
            ...base,
            store,
            tools: [write],
            model: scriptedModel(({ messages }) =>
              messages.some(({ role }) => role === "tool") ? "Done." : writeCall(),
            ),
          });
        const { runId, interruptions } = await make().run("go");
        const [asked] = interruptions;
        if (asked === undefined) throw new Error("Nothing was asked.");
        const outcomes = await Promise.allSettled(
          timed.map(async ([act, later], index) => {
            for (let step = 0; step < later; step += 1) await Promise.resolve();
            const decision = (one: unknown, id: string) => store.signal(runId, { name: "decision", id, payload: one });
            if (act === "steer") return make().steer(runId, `steer ${index}`);
            if (act === "follow") return make().followUp(runId, `follow ${index}`);
            if (act === "approve") return decision(asked.approve(), `a${index}`);
            if (act === "reject") return decision(asked.reject("no"), `r${index}`);
            if (act === "again") return decision(asked.approve(), "the same");
            if (act === "unknown") return decision({ id: "other", type: "approve" }, `u${index}`);
            if (act === "resume") return make().resume(runId);
            return make().inspect(runId);
          }),
        );
        const decided = acts.some((act) => act === "approve" || act === "reject" || act === "again");
        const agent = make();
        for (const output of await drivenNow(agent)) expect(output.runId).toBe(runId);
        const { run, output, events } = await agent.inspect(runId);
        expect(run.state).toBe(decided ? "completed" : "suspended");
        expect(output?.status).toBe(decided ? "completed" : "suspended");
        expect(ran.length).toBeLessThanOrEqual(1);
        expect(events.filter(({ type }) => type === "tool.result")).toHaveLength(decided ? 1 : 0);
        // Each delivered message is in the conversation once, unless the run still waits.
        const users = (output?.messages ?? []).flatMap(({ role, content }) => (role === "user" ? [content] : []));
        expect(new Set(users).size).toBe(users.length);
        if (decided) {
          const taken = outcomes.flatMap(({ status }, index) => {
            const act = acts[index];
            return status === "fulfilled" && (act === "steer" || act === "follow") ? [`${act} ${index}`] : [];
          });
          expect(new Set(users)).toEqual(new Set(["go", ...taken]));
        }
        expect((await agent.replay(runId))?.messages).toEqual(output?.messages);
      },
    ),
    { numRuns: 40 },
  );
});

import { memoryStore, type MemoryRunStore, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { drivenNow } from "./drive-due.test.helper.ts";
import { add, addCall, counter, failureOf, openAgent, waiting, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

type Call = "acquire" | "load" | "release" | "signal" | "create" | "claim";

/** A store that runs another action once, before a call of one kind is executed. */
function meanwhile(store: MemoryRunStore, call: Call, act: () => Promise<unknown>): MemoryRunStore {
  let acted = false;
  const carryOut = store[call] as (...args: readonly unknown[]) => Promise<unknown>;
  return {
    ...store,
    [call]: async (...args: readonly unknown[]) => {
      if (!acted) {
        acted = true;
        await act();
      }
      return carryOut(...args);
    },
  };
}

/** The condition to wait for. */
function happening(): { readonly happens: Promise<void>; readonly now: () => void } {
  let now: () => void = () => undefined;
  const happens = new Promise<void>((resolve) => (now = resolve));
  return { happens, now };
}

/** An agent whose writer needs an approval, and which has a run that waits for it. */
async function asking() {
  const whole = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const model = () =>
    scriptedModel((request) => (request.messages.some(({ role }) => role === "tool") ? "Done." : writeCall()));
  const agentOn = (store: RunStore) => new Agent({ ...openAgent, store, model: model(), tools: [write] });
  const agent = agentOn(whole);
  const first = await agent.run("Go.", { idempotencyKey: "once" });
  const { runId } = first;
  const approve = () =>
    agent.resume(
      runId,
      first.interruptions.map((one) => one.approve()),
    );
  const ends = async () =>
    (await whole.load(runId)).flatMap((event) => (event.type === "run.end" ? [event.status] : []));
  return { whole, ran, agent, agentOn, runId, first, approve, ends };
}

test("inspecting a run that another process resumes shows one consistent moment [run.inspect] [run.replay] [people.suspended-run]", async () => {
  for (const look of ["inspect", "replay", "interruptions"] as const) {
    const { whole, agentOn, runId, approve } = await asking();
    const looker = agentOn(meanwhile(whole, "load", approve));
    if (look === "inspect") {
      const { run, events, output, interruptions } = await looker.inspect(runId);
      expect(run).toMatchObject({ state: "suspended", head: { seq: events.length } });
      expect(output?.status).toBe("suspended");
      expect(interruptions).toHaveLength(1);
    } else if (look === "replay") expect((await looker.replay(runId))?.status).toBe("suspended");
    else expect(await looker.interruptions(runId)).toHaveLength(1);
    expect((await looker.inspect(runId)).output?.status).toBe("completed");
  }
});

test("an audit of a run that another process is driving does not report it as broken [journal.signed]", async () => {
  const { whole, agentOn, runId, approve, agent } = await asking();
  const before = (await whole.load(runId)).length;
  const verdict = await agentOn(meanwhile(whole, "load", approve)).verifyAudit(runId);
  expect(verdict).toEqual({ verdict: "unsigned", records: (await whole.load(runId)).length });
  expect(verdict).not.toMatchObject({ records: before });
  // An output whose records are incomplete.
  const short = { ...whole, load: async (id: string) => (await whole.load(id)).slice(0, -1) };
  expect(await agentOn(short).verifyAudit(runId)).toMatchObject({ verdict: "broken" });
  expect((await agent.inspect(runId)).output?.status).toBe("completed");
});

test("a run that another process completes between the read and the lease is not resumed [run.resume] [store.acquire]", async () => {
  const { whole, agentOn, runId, approve, ends, ran } = await asking();
  const output = await agentOn(meanwhile(whole, "acquire", approve)).resume(runId);
  expect(output).toMatchObject({ status: "completed", text: "Done." });
  expect(await ends()).toEqual(["suspended", "completed"]);
  expect(ran).toHaveLength(1);
  expect(await whole.getRun(runId)).toMatchObject({ state: "completed" });
});

test("a run that another process completes while it is being cancelled stays completed [seams.surface.cancel]", async () => {
  for (const call of ["load", "signal"] as const) {
    const { whole, agentOn, runId, approve, ends } = await asking();
    await agentOn(meanwhile(whole, call, approve)).cancel(runId);
    expect([call, await ends()]).toEqual([call, ["suspended", "completed"]]);
    expect(await whole.getRun(runId)).toMatchObject({ state: "completed" });
  }
  // A process drives the run when the cancel arrives, and reads no signals before it is done.
  const { whole, agentOn, runId, first, ends } = await asking();
  const { wait, open } = waiting("through");
  const { subscribe: _unheard, ...deaf } = whole;
  const driver = new Agent({
    ...openAgent,
    store: deaf,
    model: scriptedModel([{ toolCalls: [{ name: "wait" }] }, "Done."]),
    tools: [counter({ needsApproval: true }).write, wait],
  });
  let driven: Promise<unknown> = Promise.resolve();
  const begin = async (): Promise<void> => {
    const handle = driver.resumeStream(
      runId,
      first.interruptions.map((one) => one.approve()),
    );
    driven = handle.result;
    const { happens: promise, now: resolve } = happening();
    void (async () => {
      for await (const event of handle) if (event.type === "tool.call" && event.toolName === "wait") resolve();
    })();
    await promise;
  };
  const complete = async (): Promise<void> => {
    open();
    await driven;
  };
  const canceller = agentOn(meanwhile(meanwhile(whole, "signal", begin), "acquire", complete));
  await canceller.cancel(runId);
  await complete();
  expect(await ends()).toEqual(["suspended", "completed"]);
});

test("a run that ended before the claim is not resumed [seams.surface.recover]", async () => {
  const whole = memoryStore();
  const options = { ...openAgent, tools: [add], maxTurns: 1, model: scriptedModel(() => addCall()) };
  await whole.create({ id: "found", agentId: "agent", definitionHash: "d", sessionId: "s", input: "Go." });
  const there = new Agent({ ...options, store: whole });
  const here = new Agent({ ...options, store: meanwhile(whole, "claim", () => there.resume("found")) });
  expect(await drivenNow(here)).toEqual([]);
  expect(await whole.getRun("found")).toMatchObject({ state: "stopped" });
  expect((await whole.load("found")).filter(({ type }) => type === "run.end")).toHaveLength(1);
});

test("a run of an idempotency key that another process resumes meanwhile is busy, not failed [store.create]", async () => {
  const { whole, runId, first } = await asking();
  const { wait, open } = waiting("through");
  const driver = new Agent({
    ...openAgent,
    store: whole,
    model: scriptedModel((request) =>
      request.messages.at(-1)?.role === "tool" ? { toolCalls: [{ name: "wait" }] } : "Done.",
    ),
    tools: [counter({ needsApproval: true }).write, wait],
  });
  let driven: Promise<unknown> = Promise.resolve();
  const { happens: isInside, now: inside } = happening();
  const goOn = async (): Promise<void> => {
    const handle = driver.resumeStream(
      runId,
      first.interruptions.map((one) => one.approve()),
    );
    driven = handle.result;
    void (async () => {
      for await (const event of handle) if (event.type === "tool.call" && event.toolName === "wait") inside();
    })();
    await isInside;
  };
  const again = new Agent({ ...openAgent, store: meanwhile(whole, "load", goOn), model: scriptedModel([]) });
  const said = await again.run("Go.", { idempotencyKey: "once" }).then(
    ({ status }) => status,
    (error: { readonly code?: string }) => error.code,
  );
  // Its state when it was found, or now: a run that continues has not failed.
  expect(["suspended", "RUN_BUSY"]).toContain(said);
  open();
  await driven;
});

test("decisions that arrive after every process stopped driving the run are executed by the delivering process [people.decisions]", async () => {
  const { whole, agentOn, runId, first, ends, ran } = await asking();
  const holder = await whole.acquire(runId, "somebody", 60_000);
  if (holder === null) throw new Error("The run is held.");
  const store = meanwhile(whole, "signal", () =>
    whole.release(holder, { state: "suspended", waitingOn: first.interruptions.map(({ id }) => id) }),
  );
  const output = await agentOn(store).resume(
    runId,
    first.interruptions.map((one) => one.approve()),
  );
  expect(output).toMatchObject({ status: "completed" });
  expect(await ends()).toEqual(["suspended", "completed"]);
  expect(ran).toHaveLength(1);
});

test("a message that arrives while a process releases the run is read by the process that resumes it [run.message-at-end] [run.steer]", async () => {
  for (const stopped of [false, true]) {
    const whole = memoryStore();
    const { write } = counter({ needsApproval: !stopped });
    const model = scriptedModel((request) =>
      request.messages.some(({ role, text }) => role === "user" && text === "One more thing.")
        ? "Read it."
        : writeCall(),
    );
    const agent: Agent = new Agent({
      ...openAgent,
      store: meanwhile(whole, "release", async () => {
        const [run] = await whole.listRuns({});
        await agent.steer(run?.id ?? "", "One more thing.");
      }),
      model,
      tools: [write],
      ...(stopped && { maxTurns: 1 }),
    });
    const first = await agent.run("Go.");
    expect(first.status).toBe(stopped ? "stopped" : "suspended");
    const { runId } = first;
    expect(await whole.getRun(runId)).toMatchObject({ state: stopped ? "stopped" : "queued" });
    const output = await agent.resume(
      runId,
      first.interruptions.map((one) => one.reject("No.")),
      { maxTurns: 5 },
    );
    const messages = output.messages.map(({ content }) => content);
    expect([stopped, messages]).toEqual([stopped, expect.arrayContaining(["One more thing."])]);
  }
});

test("a cancel that arrives while a process releases the run ends it, from this or another process [seams.surface.cancel]", async () => {
  for (const from of ["here", "there"] as const) {
    const whole = memoryStore();
    const options = {
      ...openAgent,
      model: scriptedModel([writeCall()]),
      tools: [counter({ needsApproval: true }).write],
    };
    const there = new Agent({ ...options, store: whole });
    const here: Agent = new Agent({
      ...options,
      store: meanwhile(whole, "release", async () => {
        const [run] = await whole.listRuns({});
        await (from === "here" ? here : there).cancel(run?.id ?? "");
      }),
    });
    const { runId } = await here.run("Go.");
    expect([from, await whole.getRun(runId)]).toMatchObject([from, { state: "cancelled" }]);
    expect((await here.inspect(runId)).output).toMatchObject({ status: "cancelled", stopReason: "cancelled" });
  }
});

test("a refused new run is not deleted if another process is already driving it [run.left-as-found]", async () => {
  const whole = memoryStore();
  const agent = new Agent({ ...openAgent, model: scriptedModel(["x"]), store: whole });
  const store: RunStore = {
    ...whole,
    create: async (record, holder) => {
      const made = await whole.create(record, holder && { ...holder, ttlMs: 0 });
      await agent.resume(record.id);
      return made;
    },
  };
  const here = new Agent({ ...openAgent, model: scriptedModel(["x"]), store });
  expect(await failureOf(here.run("Go.", { output: 5 as never }))).toMatchObject({ code: "INVALID_JSON_SCHEMA" });
  expect(await whole.listRuns({})).toMatchObject([{ state: "completed" }]);
});

test("a completed run is not resumed if another process holds its lease only to read it [run.resume] [store.acquire]", async () => {
  const { whole, agentOn, runId, approve, ends } = await asking();
  await approve();
  const holder = await whole.acquire(runId, "somebody", 60_000);
  if (holder === null) throw new Error("The run is held.");
  const output = await agentOn(meanwhile(whole, "acquire", () => whole.release(holder, { state: "completed" }))).resume(
    runId,
  );
  expect(output).toMatchObject({ status: "completed", text: "Done." });
  expect(await ends()).toEqual(["suspended", "completed"]);
  expect(await whole.getRun(runId)).toMatchObject({ state: "completed" });
});

test("a refused decision leaves a completed run resumable if a message waits for it [run.message-at-end] [run.left-as-found]", async () => {
  const { whole, agent, runId, first } = await asking();
  // The signal arrived after the last read of the inbox, and before the end.
  const release: RunStore["release"] = async (lease, next, session) => {
    await whole.signal(runId, { name: "follow_up", id: "m", payload: { id: "m", role: "user", content: "And then?" } });
    return whole.release(lease, next, session);
  };
  const { subscribe: _unheard, ...deaf } = whole;
  const driver = new Agent({
    ...openAgent,
    store: { ...deaf, release },
    model: scriptedModel(["Done."]),
    tools: [counter({ needsApproval: true }).write],
  });
  const decisions = first.interruptions.map((one) => one.approve());
  await driver.resume(runId, decisions);
  expect(await whole.getRun(runId)).toMatchObject({ state: "queued" });
  const others = first.interruptions.map((one) => one.reject("No."));
  expect(await failureOf(agent.resume(runId, others))).toMatchObject({ code: "DECISION_USED" });
  expect(await whole.getRun(runId)).toMatchObject({ state: "queued" });
  const { messages } = await agent.resume(runId);
  expect(messages.map(({ content }) => content)).toContain("And then?");
});

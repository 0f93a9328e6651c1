import assert from "node:assert/strict";
import { createAgentRuntime, tool, type ModelRequest, type RunOutput } from "@bailiwick/core";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import type { TurnPlace } from "./turn-cases.fixture.ts";
import { lineOf, refuseInvalid } from "./valid-request.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const sessionId = "s";

function worldOf({ store, session }: TurnPlace) {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    needsApproval: true,
    execute: async (_input, ctx) => {
      await ctx.updateState<number>("paid", (n = 0) => n + 1);
      return "paid";
    },
  });
  const model = scriptedModel(({ lastUserText, messages }) =>
    lastUserText === "pay" && messages.at(-1)?.role === "user"
      ? { toolCalls: [{ name: "pay" }] }
      : `answer ${messages.filter(({ role }) => role === "user").length}`,
  );
  const strict: ScriptedModel = Object.assign(Object.create(model) as ScriptedModel, {
    generate: async (request: ModelRequest) => (refuseInvalid(request.messages), model.generate(request)),
    stream: (request: ModelRequest) => (refuseInvalid(request.messages), model.stream(request)),
  });
  const agent = createAgentRuntime({ name: "agent", model: strict, tools: [pay], store, session, logger: quiet });
  const read = async (id: string): Promise<readonly string[]> => (await session.load(id)).messages.map(lineOf);
  const approved = async (runId: string): Promise<RunOutput> =>
    agent.resume(
      runId,
      (await agent.interruptions(runId)).map((asked) => asked.approve()),
    );
  const paid = async (id: string): Promise<unknown> => (await session.loadState(id))["paid"];
  return { agent, store, session, read, approved, paid };
}

const before = ["user: hello", "assistant: answer 1"];
const waits = ["user: pay", "assistant: [This turn has no answer yet (awaiting_approval).]"];
const done = ["user: pay", "assistant: tool_call", "tool: paid", "assistant: answer 2"];

/** Forks of runs in a session, on each place. */
export function forkCases(
  places: Readonly<Record<string, () => Promise<TurnPlace>>>,
): readonly { readonly name: string; run(): Promise<void> }[] {
  return Object.entries(places).flatMap(([place, open]) => [
    ...(["the run", "the fork", "the fork of the fork"] as const).map((first) => ({
      name: `a suspended run, its fork and a fork of that have a session each, ${first} ends first, ${place}`,
      async run() {
        await using made = await open();
        const { agent, read, approved, paid } = worldOf(made);
        await agent.run("hello", { sessionId });
        const { runId } = await agent.run("pay", { sessionId });
        const { head } = (await agent.inspect(runId)).run;
        const fork = await agent.fork(runId, { atSeq: head.seq });
        const second = await agent.fork(fork.runId, { atSeq: head.seq });
        const runs = { "the run": runId, "the fork": fork.runId, "the fork of the fork": second.runId };
        const order = [runs[first], ...Object.values(runs).filter((id) => id !== runs[first])];
        for (const [index, id] of order.entries()) {
          const output = await approved(id);
          const own = id === runId ? sessionId : id;
          assert.equal(output.sessionId, own);
          assert.deepEqual(await read(own), [...before, ...done]);
          assert.equal(await paid(own), 1);
          if (!order.slice(0, index + 1).includes(runId))
            assert.deepEqual(await read(sessionId), [...before, ...waits]);
        }
        for (const id of [sessionId, fork.runId, second.runId]) {
          await agent.run("and now?", { sessionId: id });
          assert.deepEqual(await read(id), [...before, ...done, "user: and now?", "assistant: answer 3"]);
        }
      },
    })),
    {
      name: `a fork at any record of a run has each message once, and its forks too, ${place}`,
      async run() {
        await using made = await open();
        const { agent, session, read, approved } = worldOf(made);
        await agent.run("hello", { sessionId });
        const { runId } = await agent.run("pay", { sessionId });
        await approved(runId);
        const whole = await read(sessionId);
        assert.deepEqual(whole, [...before, ...done]);
        const { events } = await agent.inspect(runId);
        for (const { seq } of events) {
          const fork = await agent.fork(runId, { atSeq: seq });
          const output = await agent.resume(fork.runId);
          const ended = output.status === "suspended" ? await approved(fork.runId) : output;
          assert.deepEqual([seq, ended.status], [seq, "completed"]);
          assert.deepEqual(await read(fork.runId), whole, `a fork at record ${seq}`);
          const again = await agent.fork(fork.runId, { atSeq: (await agent.inspect(fork.runId)).run.head.seq });
          await agent.resume(again.runId);
          assert.deepEqual(await read(again.runId), whole, `a fork of the fork at record ${seq}`);
          const ids = (await session.load(fork.runId)).messages.map(({ id }) => id);
          assert.equal(new Set(ids).size, ids.length);
        }
        assert.deepEqual(await read(sessionId), whole);
      },
    },
    {
      name: `a fork has the changed text and the new message, and the session of its run has not, ${place}`,
      async run() {
        await using made = await open();
        const { agent, session, read, paid } = worldOf(made);
        await agent.run("hello", { sessionId });
        await agent.run("what?", { sessionId });
        const [, , asked] = (await session.load(sessionId)).messages;
        const runId = (await made.store.listRuns({})).toSorted((a, b) => b.createdAt - a.createdAt)[0]?.id ?? "";
        const { head } = (await agent.inspect(runId)).run;
        const edit = { messages: { [asked?.id ?? ""]: "who?" }, message: "say more" };
        const fork = await agent.fork(runId, { atSeq: head.seq, edit });
        // It may be driven while a run of the session is.
        await agent.resume(fork.runId);
        assert.deepEqual(await read(fork.runId), [
          ...before,
          "user: who?",
          "assistant: answer 2",
          "user: say more",
          "assistant: answer 3",
        ]);
        assert.deepEqual(await read(sessionId), [...before, "user: what?", "assistant: answer 2"]);
        assert.equal(await paid(fork.runId), undefined);
      },
    },
  ]);
}

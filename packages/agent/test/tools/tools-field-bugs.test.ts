import { memoryStore, tool, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, calls, collect, counter, openAgent, plain, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

test("an agent used as a tool keeps its own turn limit, and the error names it [field-bug:PB-limits-01]", async () => {
  const busy = (turns: number) =>
    scriptedModel((request) =>
      request.turn < turns ? { toolCalls: [{ name: "add", arguments: { a: request.turn, b: 1 } }] } : "counted",
    );
  const outer = (maxTurns: number) => {
    const inner = new Agent({ name: "counter", logger: quiet, flow: "off", model: busy(12), tools: [add], maxTurns });
    return new Agent({
      ...openAgent,
      model: calls({ name: "counter", arguments: { input: "x" } }),
      tools: [inner.asTool()],
      maxTurns: 30,
    }).run("go");
  };
  expect((await outer(15)).toolCalls).toMatchObject([{ output: "counted" }]);
  expect((await outer(5)).toolCalls).toMatchObject([
    { isError: true, error: { message: expect.stringMatching(/"counter".*max_turns/) as string } },
  ]);
});

test("a forced tool choice ends after two model calls, also when streamed [field-bug:PB-limits-03]", async () => {
  const model = scriptedModel((request) =>
    request.toolChoice === "auto" ? "Done." : { toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] },
  );
  const { error } = await collect(
    new Agent({ ...openAgent, model, tools: [add], toolChoice: { toolName: "add" } }).stream("go"),
  );
  expect(error).toBeUndefined();
  expect(model.requests).toHaveLength(2);
});

test("a run that reached its turn limit can resume with a higher limit, and repeats no tool [field-bug:PB-limits-04]", async () => {
  const { write, ran } = counter();
  const store = memoryStore();
  const model = scriptedModel([writeCall("a"), writeCall("b"), writeCall("c"), "Done."]);
  const agent = new Agent({ ...openAgent, model, tools: [write], store, maxTurns: 2 });
  const first = await agent.run("go");
  expect(first).toMatchObject({ status: "stopped", stopReason: "max_turns" });
  const done = await agent.resume(first.runId, [], { maxTurns: 10 });
  expect(done).toMatchObject({ status: "completed", text: "Done." });
  expect(ran).toEqual(["a", "b", "c"]);
});

test("equal calls with equal results end the run; with different results they do not [field-bug:PB-limits-05]", async () => {
  let count = 0;
  const poll = (changing: boolean) =>
    tool({ ...plain, sideEffectClass: "read-only", execute: () => (changing ? (count += 1) : "same") });
  const run = (changing: boolean) =>
    new Agent({
      ...openAgent,
      model: scriptedModel((request) => (request.turn < 9 ? { toolCalls: [{ name: "t" }] } : "Done.")),
      tools: [poll(changing)],
    }).run("go");
  const stuck = await run(false);
  expect([stuck.stopReason, stuck.toolCalls.length]).toEqual(["loop_detected", 3]);
  expect(await run(true)).toMatchObject({ stopReason: "completed" });
});

test("a handoff is emitted once, also in a stream [field-bug:PB-handoff-02]", async () => {
  const other = new Agent({ name: "other", logger: quiet, flow: "off", model: scriptedModel(["Mine."]) });
  const agent = new Agent({
    ...openAgent,
    model: scriptedModel([{ toolCalls: [{ name: "transfer_to_other", arguments: {} }] }]),
    handoffs: [other],
  });
  const { events } = await collect(agent.stream("go"));
  for (const type of ["tool_call_start", "tool_call_end", "tool.call", "tool.result", "handoff.transfer"])
    expect([type, events.filter((event) => event.type === type).length]).toEqual([type, 1]);
});

test("dependencies are the same object at every nesting level [field-bug:PB-multi-agent-01]", async () => {
  const seen: unknown[] = [];
  const dependencies = { id: 1 };
  const look = tool({ ...plain, name: "look", execute: (_input, ctx) => (seen.push(ctx.dependencies), "seen") });
  let agent = new Agent({
    name: "depth-3",
    logger: quiet,
    flow: "off",
    model: calls({ name: "look" }),
    tools: [look],
  });
  for (const name of ["depth-2", "depth-1"])
    agent = new Agent({
      name,
      logger: quiet,
      flow: "off",
      model: calls({ name: "look" }, { name: agent.name, arguments: { input: "x" } }),
      tools: [look, agent.asTool()],
    });
  await agent.run("go", { dependencies });
  expect(seen).toHaveLength(3);
  for (const one of seen) expect(one).toEqual({ id: 1 });
});

test("a deciding hook that throws prevents the call of an agent [field-bug:PB-multi-agent-05]", async () => {
  const inner = scriptedModel(["never"]);
  const expert = new Agent({ name: "expert", logger: quiet, flow: "off", model: inner });
  const agent = new Agent({
    ...openAgent,
    model: calls({ name: "expert", arguments: { input: "x" } }),
    tools: [expert.asTool()],
    loopHooks: {
      beforeToolExec: () => {
        throw new Error("no delegation");
      },
    },
  });
  expect((await agent.run("go")).toolCalls).toMatchObject([{ isError: true, error: { kind: "policy_denied" } }]);
  expect(inner.requests).toHaveLength(0);
});

test("a tool that cannot be executed is refused at once; a tool removed during a run is an error that the model reads [field-bug:PB-tool-errors-05]", async () => {
  expect(() => new Agent({ ...openAgent, model: calls(), tools: [{ ...plain, execute: undefined } as never] })).toThrow(
    "execute",
  );
  const result = await new Agent({
    ...openAgent,
    model: calls({ name: "t" }),
    tools: [tool({ ...plain, isEnabled: () => false, execute: () => 1 })],
  }).run("go");
  expect(result).toMatchObject({
    status: "completed",
    toolCalls: [{ isError: true, error: { kind: "unknown_tool" } }],
  });
});

test("calls after the aborted one do not run, and the iterator ends at once [field-bug:PB-abort-06]", async () => {
  const controller = new AbortController();
  const ran: string[] = [];
  const line = (name: string): Tool =>
    tool({
      name,
      description: "Waits in line.",
      inputSchema: z.object({}),
      sideEffectClass: "side-effecting",
      idempotencyKey: "call",
      executionMode: "sequential",
      execute: async (_input, { signal }) => {
        ran.push(name);
        controller.abort();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
  const names = ["first", "second", "third"];
  const model = scriptedModel([{ toolCalls: names.map((name) => ({ name, arguments: {} })) }, "Never."]);
  const tools = names.map(line);
  const agent = new Agent({ name: "agent", logger: quiet, flow: "off", model, tools, timeouts: { toolGraceMs: 5 } });
  const handle = agent.stream("go", { signal: controller.signal });
  for await (const _event of handle);
  const output = await handle.result;
  const calls = output.messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  const results = output.messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
  expect(results).toEqual(calls.map(({ id }) => id));
  expect([output.status, ran]).toEqual(["cancelled", ["first"]]);
  // The first one saw the signal and returned.
  expect(output.toolCalls.map(({ error }) => error?.kind)).toEqual([undefined, "aborted", "aborted"]);
});

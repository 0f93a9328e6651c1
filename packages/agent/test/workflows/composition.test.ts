import { attempt, loop, map, parallel, pipeline, route } from "../../src/compose.ts";
import { handoff, interruption, memoryStore, tool, type Decision, type RunEvent, type Tool } from "@bailiwick/core";
import { scriptedModel, type Script } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, quiet, writeCall, addCall, add } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const says = (name: string, script: Script, extra: object = {}) =>
  new Agent({ name, logger: quiet, model: scriptedModel(script), ...extra });
const echo = (name: string) => says(name, (request) => `${name}(${lastUserText(request.messages)})`);
const lastUserText = (messages: readonly { role: string; text: string }[]): string =>
  messages.findLast(({ role }) => role === "user")?.text ?? "";
const ask = (tool: string, input: string) => ({ toolCalls: [{ name: tool, arguments: { input } }] });

test("an agent used as a tool returns its answer as output, and its usage and cost roll up [composition.as-tool]", async () => {
  const prices = { "scripted/scripted-1": { input: 1, output: 1 } };
  const inner = says("expert", ["It is blue."], { prices, description: "Knows colours." });
  const outer = says("desk", [ask("expert", "What colour?"), "Blue, says the expert."], {
    tools: [inner.asTool()],
    prices,
  });
  const result = await outer.run("Which colour?");
  expect(result.text).toBe("Blue, says the expert.");
  expect(result.toolCalls).toMatchObject([{ toolName: "expert", output: "It is blue.", isError: false }]);
  const own = result.metrics.perRequest.reduce((sum, usage) => sum + usage.totalTokens, 0);
  expect(result.usage.totalTokens).toBeGreaterThan(own);
  expect(result.costUsd).toBeCloseTo(result.usage.totalTokens / 1e6, 9);
});

test("a node that nothing can run is refused with its place [composition.nodes]", () => {
  const one = echo("one");
  const none = undefined as never;
  const wrong = { name: "two" } as never;
  const foreign = { name: "foreign", run: async () => ({ text: "x" }), stream: () => one.stream("x") } as never;
  for (const [make, words] of [
    [() => attempt({}, none), "attempt()"],
    [() => attempt({}, { catch: one } as never), 'attempt(): "try" is missing'],
    [() => attempt({}, { try: one, catch: wrong }), 'attempt(): the node "catch" ("two") is not a node'],
    [() => pipeline({}, one, none), "pipeline(): node 2 is not a node"],
    [
      () => pipeline({}, one, foreign),
      'pipeline(): node 2 ("foreign") is not a node. Pass an agent, a composition, a tool',
    ],
    [() => pipeline({}, [one] as never), "pipeline() takes its nodes one by one"],
    [() => parallel({}, { a: one, b: wrong }), 'parallel(): the node "b" ("two") is not a node'],
    [() => map({ items: ["x"] }, none), "map(): the body is not a node"],
    [() => loop({ until: () => true }, wrong), 'loop(): the body ("two") is not a node'],
    [() => route({ choose: () => "a" }, { a: wrong }), 'route(): the node "a" ("two") is not a node'],
    [() => route({ choose: none }, { a: one }), 'route(): "choose" is not a node'],
    [() => parallel({}, none), "parallel() takes nodes by name"],
    [() => parallel({}, [one] as never), "parallel() takes nodes by name"],
    [() => route({ choose: () => "a" }, none), "route() takes nodes by name"],
    [() => route(none, { a: one }), "The options of route() must be an object"],
    [() => loop(none, one), "The options of loop() must be an object"],
    [() => map(none, one), "The options of map() must be an object"],
    [() => pipeline(3 as never, one), "The options of pipeline() must be an object"],
    [() => pipeline(one as never, one), "The options of pipeline() must be an object, and come before the nodes"],
    [() => pipeline({ input: z.string() } as never, one), 'pipeline(): "origin" says who wrote the input'],
    [() => pipeline({ origin: "own" } as never, one), 'pipeline(): "origin" is about the value of "input"'],
    [() => map({ onError: "ignore" as never }, one), 'map(): "onError" must be'],
    [() => loop({ until: () => true, maxRounds: 0 }, one), 'loop(): "maxRounds" must be'],
  ] as const)
    expect(make).toThrow(expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining(words) }));
});

test("a composition is a tool as an agent is: name, description, mapped input and structured answer [composition.as-tool]", async () => {
  const inner = says("expert", [{ text: '{"colour":"blue"}' }], { output: z.object({ colour: z.string() }) });
  const line = pipeline({ name: "line", description: "Finds a colour." }, inner);
  expect(line.asTool()).toMatchObject({ name: "line", description: "Finds a colour." });
  const tool = line.asTool({
    name: "ask",
    inputSchema: z.object({ thing: z.string() }),
    toInput: ({ thing }) => `Which colour has ${thing}?`,
  });
  const outer = says("desk", [{ toolCalls: [{ name: "ask", arguments: { thing: "the sky" } }] }, "Blue."], {
    tools: [tool],
  });
  const { toolCalls, text } = await outer.run("Which colour?");
  expect(toolCalls).toMatchObject([{ toolName: "ask", output: { colour: "blue" }, isError: false }]);
  expect(text).toBe("Blue.");
});

test("arguments and output can be mapped, and a structured answer is the output [composition.as-tool]", async () => {
  const inner = says("expert", [{ text: '{"colour":"blue"}' }], { output: z.object({ colour: z.string() }) });
  const tool = inner.asTool({
    name: "ask",
    inputSchema: z.object({ thing: z.string() }),
    toInput: ({ thing }) => `Colour of ${thing}?`,
  });
  const outer = says("desk", [{ toolCalls: [{ name: "ask", arguments: { thing: "sky" } }] }, "ok"], { tools: [tool] });
  const result = await outer.run("go");
  expect(result.toolCalls[0]).toMatchObject({ toolName: "ask", output: { colour: "blue" } });
});

test("an approval two levels down surfaces on the outer run with its path, and resumes inside, in another process [people.nested] [composition.rolls-up] [field-bug:PB-nested-approvals-03] [field-bug:PB-nested-approvals-10]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const store = memoryStore();
  const build = () => {
    const clerk = says(
      "clerk",
      (request) => (request.messages.at(-1)?.role === "tool" ? "written" : writeCall("order 7")),
      { tools: [write] },
    );
    const lead = says(
      "lead",
      (request) => (request.messages.at(-1)?.role === "tool" ? "lead done" : ask("clerk", "write it")),
      { tools: [clerk.asTool()] },
    );
    return says("desk", (request) => (request.messages.at(-1)?.role === "tool" ? "all done" : ask("lead", "do it")), {
      tools: [lead.asTool()],
      store,
    });
  };
  const first = await build().run("go");
  expect(first.status).toBe("suspended");
  expect(first.interruptions).toMatchObject([
    { runId: first.runId, toolName: "write", agentPath: ["desk", "lead", "clerk"], args: { line: "order 7" } },
  ]);
  expect(ran).toEqual([]);
  const other = build();
  expect((await other.interruptions(first.runId)).map(({ id }) => id)).toEqual(first.interruptions.map(({ id }) => id));
  const done = await other.resume(
    first.runId,
    first.interruptions.map((asked) => asked.approve()),
  );
  expect(done).toMatchObject({ status: "completed", text: "all done" });
  expect(ran).toEqual(["order 7"]);
});

test("a rejection reaches the inner model, and a used or unknown decision changes nothing [people.nested]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const store = memoryStore();
  const clerk = says(
    "clerk",
    (request) => (request.messages.at(-1)?.role === "tool" ? `told: ${request.messages.at(-1)?.text}` : writeCall()),
    { tools: [write] },
  );
  const desk = says(
    "desk",
    (request) => (request.messages.at(-1)?.role === "tool" ? (request.messages.at(-1)?.text ?? "") : ask("clerk", "x")),
    { tools: [clerk.asTool()], store },
  );
  const first = await desk.run("go");
  await expect(desk.resume(first.runId, [{ type: "approve", id: "unknown" }])).rejects.toMatchObject({
    code: "UNKNOWN_DECISION",
  });
  const decision = first.interruptions[0]?.reject("not today") as Decision;
  const done = await desk.resume(first.runId, [decision]);
  expect(done.text).toContain("not today");
  expect(ran).toEqual([]);
  const other = first.interruptions[0]?.approve() as Decision;
  await expect(desk.resume(first.runId, [other])).rejects.toMatchObject({ code: "DECISION_USED" });
  expect(ran).toEqual([]);
});

test("partial decisions over two inner agents are kept [people.batch.partial]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const store = memoryStore();
  const clerk = (name: string) =>
    says(name, (request) => (request.messages.at(-1)?.role === "tool" ? "ok" : writeCall(name)), { tools: [write] });
  const desk = says(
    "desk",
    (request) =>
      request.messages.at(-1)?.role === "tool"
        ? "done"
        : {
            toolCalls: [
              { name: "a", arguments: { input: "1" } },
              { name: "b", arguments: { input: "2" } },
            ],
          },
    { tools: [clerk("a").asTool(), clerk("b").asTool()], store },
  );
  const first = await desk.run("go");
  expect(first.interruptions.map(({ agentPath }) => agentPath.at(-1))).toEqual(["a", "b"]);
  const second = await desk.resume(first.runId, [first.interruptions[1]?.approve() as Decision]);
  expect(second.interruptions.map(({ agentPath }) => agentPath.at(-1))).toEqual(["a"]);
  expect(ran).toEqual(["b"]);
  const third = await desk.resume(first.runId, [second.interruptions[0]?.approve() as Decision]);
  expect(third.status).toBe("completed");
  expect(ran).toEqual(["b", "a"]);
});

test.each([
  [3, { maxDepth: 3 }],
  [8, {}],
])(
  "agents that call each other in a circle are stopped %i deep, with an error that names the limit (%o) [composition.max-depth]",
  async (depth, limit) => {
    let asked = 0;
    const model = scriptedModel((request) => {
      asked += 1;
      return request.messages.at(-1)?.role === "tool" ? (request.messages.at(-1)?.text ?? "") : ask("self", "again");
    });
    const self: Agent = new Agent({
      name: "self",
      logger: quiet,
      model,
      ...limit,
      tools: (): readonly Tool[] => [self.asTool()],
    });
    const result = await self.run("go");
    expect(result.text).toContain(`maxDepth is ${depth}`);
    expect(asked).toBe(2 * (depth + 1));
  },
);

test("aborting the outer run aborts the inner one [composition.rolls-up]", async () => {
  const inner = says("inner", [{ text: "never", faults: { hangAfterEvents: 0 } }]);
  const outer = says("outer", [ask("inner", "x"), "unreached"], { tools: [inner.asTool()] });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  expect(await outer.run("go", { signal: controller.signal })).toMatchObject({ status: "cancelled" });
});

test("the outer budget limits the inner agent [composition.rolls-up]", async () => {
  const inner = says("inner", () => addCall(), { tools: [add], maxTurns: 100, loopDetection: false });
  const outer = says("outer", [ask("inner", "x"), "done"], { tools: [inner.asTool()], budget: { tokens: 2_000 } });
  const result = await outer.run("go");
  expect(result.usage.totalTokens).toBeLessThan(4_000);
  expect(result.toolCalls.some(({ isError }) => isError) || result.stopReason === "budget_exhausted").toBe(true);
});

test("inner events are emitted live with their path [events.nested]", async () => {
  const inner = says("inner", [{ deltas: ["Hel", "lo"] }]);
  const outer = says("outer", [ask("inner", "x"), "done"], { tools: [inner.asTool()] });
  const nested: RunEvent[] = [];
  for await (const event of outer.stream("go")) if (event.type === "agent.event") nested.push(event);
  expect(nested.every((event) => event.type === "agent.event" && event.agentPath.join("/") === "outer/inner")).toBe(
    true,
  );
  expect(
    nested
      .flatMap((event) => (event.type === "agent.event" && event.event.type === "text" ? [event.event.text] : []))
      .join(""),
  ).toBe("Hello");
});

test("after a handoff the other agent answers with the previous conversation, and the outer run completes with its answer [composition.handoff]", async () => {
  const refunds = says(
    "refunds",
    (request) =>
      `saw ${request.messages
        .filter(({ role }) => role !== "system")
        .map(({ text }) => text)
        .join("|")}`,
  );
  const { write, ran } = counter();
  const desk = says(
    "desk",
    [
      {
        toolCalls: [
          { name: "transfer_to_refunds", arguments: { reason: "money" } },
          { name: "write", arguments: { line: "note" } },
          { name: "transfer_to_refunds" },
        ],
      },
    ],
    { handoffs: [refunds], tools: [write] },
  );
  const result = await desk.run("I want money", {
    messages: [
      { role: "user", content: "hello" },
      { role: "assistant", content: [{ type: "text", text: "hi", untrusted: false }] },
    ],
  });
  expect(result).toMatchObject({ status: "completed", stopReason: "completed", agentName: "refunds" });
  expect(result.text).toBe(
    'saw hello|hi|I want money||The conversation was handed over to "refunds", who answers from here on.|wrote note|Not run: the conversation was handed over in the same turn.',
  );
  expect(ran).toEqual(["note"]);
});

test("only the first of two handoffs in a turn is executed, and a filter decides what the other agent reads [composition.handoff.parallel-batch] [composition.handoff.input-filter]", async () => {
  const seen: string[] = [];
  const other = (name: string) =>
    says(name, (request) => {
      seen.push(
        `${name}:${request.messages
          .filter(({ role }) => role === "user")
          .map(({ text }) => text)
          .join("|")}`,
      );
      return `${name} here`;
    });
  const desk = says("desk", [{ toolCalls: [{ name: "transfer_to_a" }, { name: "transfer_to_b" }] }], {
    handoffs: [handoff(other("a"), { history: "last-message" }), handoff(other("b"))],
  });
  const result = await desk.run("question", { messages: [{ role: "user", content: "earlier" }] });
  expect(seen).toEqual(["a:question"]);
  expect(result).toMatchObject({ text: "a here", agentName: "a" });
  expect(result.toolCalls.map(({ isError }) => isError)).toEqual([false, true]);
});

test.each([["billing"], [null], [{}], [{ agent: "billing" }]])("an entry %j of handoffs is refused", (entry) => {
  expect(() => says("desk", ["Hi."], { handoffs: [entry] })).toThrow(
    expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining('"handoffs" of agent "desk"') }),
  );
});

test("each node of a sequence receives the answer of the previous node [composition.pipeline]", async () => {
  const result = await pipeline({}, echo("a"), echo("b"), echo("a")).run("x");
  expect(result.text).toBe("a(b(a(x)))");
  expect(result.costUsd).toBeUndefined();
});

test("a failing or stopped node ends the sequence [composition.pipeline]", async () => {
  const stuck = says("stuck", () => addCall(), { tools: [add], maxTurns: 1 });
  await expect(pipeline({}, stuck, echo("b")).run("x")).rejects.toMatchObject({ code: "NODE_FAILED" });
});

test("parallel branches get the same input, and their answers are merged [composition.parallel]", async () => {
  const merged = await parallel({ merge: ({ a, b }) => `${a}+${b}` }, { a: echo("a"), b: echo("b") }).run("x");
  expect(merged.text).toBe("a(x)+b(x)");
  expect((await parallel({}, { a: echo("a"), b: echo("b") }).run("x")).structured).toEqual({ a: "a(x)", b: "b(x)" });
  // A branch with a structured answer keeps it.
  const nested = parallel({}, { a: echo("a"), b: parallel({}, { c: echo("c"), d: echo("d") }) });
  expect((await nested.run("x")).structured).toEqual({ a: "a(x)", b: { c: "c(x)", d: "d(x)" } });
});

test("a failing branch ends the whole, and attempt() around it does not [composition.parallel]", async () => {
  const failing = () => says("bad", [{ faults: { error: { status: 400 } } }]);
  const failed = parallel({}, { a: echo("a"), b: failing() }).run("x");
  await expect(failed).rejects.toMatchObject({ code: "NODE_FAILED" });
  const careful = parallel({}, { a: echo("a"), b: attempt({}, { try: failing(), catch: echo("c") }) });
  const { structured } = await careful.run("x");
  expect(structured).toMatchObject({ a: "a(x)", b: expect.stringContaining('c({"input":"x","error":') });
});

test("each item of a map runs with its own variables [composition.map]", async () => {
  const worker = new Agent({
    name: "worker",
    logger: quiet,
    model: scriptedModel((request) => request.system ?? ""),
    instructions: (ctx) => JSON.stringify(ctx.extraVars),
  });
  const result = await map({ items: (input) => input.split(","), as: "word" }, worker).run("a,b");
  expect(result.structured).toEqual(['{"word":"a","index":0}', '{"word":"b","index":1}']);
});

test("a function or an agent chooses the branch, and an unknown name is an error without a default [composition.route]", async () => {
  const routes = { refunds: echo("refunds"), questions: echo("questions") };
  expect((await route({ choose: () => "refunds" }, routes).run("x")).text).toBe("refunds(x)");
  expect((await route({ choose: says("chooser", ["Questions"]) }, routes).run("x")).text).toBe("questions(x)");
  await expect(route({ choose: says("chooser", ["neither"]) }, routes).run("x")).rejects.toMatchObject({
    code: "COMPOSITION_FAILED",
  });
  expect((await route({ choose: says("chooser", ["neither"]), otherwise: "refunds" }, routes).run("x")).text).toBe(
    "refunds(x)",
  );
});

test("a loop runs its node until the condition is true, at most maxRounds times [composition.loop]", async () => {
  expect((await loop({ until: (text) => text.length > 8 }, echo("a")).run("x")).text).toBe("a(a(a(x)))");
  expect((await loop({ until: () => false, maxRounds: 2 }, echo("a")).run("x")).text).toBe("a(a(x))");
});

test("catch handles a failure, and finally runs in either case [composition.attempt]", async () => {
  const order: string[] = [];
  const noting = (name: string) =>
    says(name, () => {
      order.push(name);
      return `${name} done`;
    });
  const broken = says("broken", [{ faults: { error: { status: 400, message: "no" } } }], { retry: { maxRetries: 0 } });
  expect((await attempt({}, { try: broken, catch: noting("rescue"), finally: noting("cleanup") }).run("x")).text).toBe(
    "rescue done",
  );
  expect(
    (await attempt({}, { try: noting("fine"), catch: noting("rescue"), finally: noting("cleanup") }).run("x")).text,
  ).toBe("fine done");
  expect(order).toEqual(["rescue", "cleanup", "fine", "cleanup"]);
  expect((await attempt({}, { try: broken }).run("x")).text).toContain("failed");
});

test("an approval inside a pipeline suspends it, and resume() does not repeat completed nodes [people.nested]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const store = memoryStore();
  let first = 0;
  const build = () => {
    const a = says("a", () => `a${(first += 1)}`);
    const b = says(
      "b",
      (request) => (request.messages.at(-1)?.role === "tool" ? `b after ${request.messages[0]?.text}` : writeCall()),
      { tools: [write] },
    );
    return pipeline({ store }, a, b, echo("c"));
  };
  const stopped = await build().run("x");
  expect(stopped.interruptions).toMatchObject([
    { agentPath: ["pipeline", "b"], toolName: "write", runId: stopped.runId },
  ]);
  const done = await build().resume(
    stopped.runId,
    stopped.interruptions.map((asked) => asked.approve()),
  );
  expect(done.text).toBe("c(b after a1)");
  expect([first, ran]).toEqual([1, ["a"]]);
});

test("a tool that starts an agent with ctx.runOptions: depth, context and approvals flow through [tool.context.run-options] [tool.context.run-options.parent]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const seen: unknown[] = [];
  let started = 0;
  const clerk = says("clerk", (request) => (request.messages.at(-1)?.role === "tool" ? "clerk done" : writeCall()), {
    tools: [write],
    instructions: (ctx: { dependencies: unknown }) => (seen.push(ctx.dependencies), "x"),
  });
  const delegate = tool({
    name: "delegate",
    description: "Delegates.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => {
      started += 1;
      return (await clerk.run("work", { ...ctx.runOptions })).text;
    },
  });
  const desk = says(
    "desk",
    (request) => (request.messages.at(-1)?.role === "tool" ? "done" : { toolCalls: [{ name: "delegate" }] }),
    { tools: [delegate], store: memoryStore() },
  );
  const dependencies = new Map([["id", 1]]);
  const first = await desk.run("go", { dependencies });
  expect(first.interruptions).toMatchObject([{ agentPath: ["desk", "clerk"], toolName: "write", runId: first.runId }]);
  const done = await desk.resume(
    first.runId,
    first.interruptions.map((asked) => asked.approve()),
    { dependencies },
  );
  expect(done).toMatchObject({ status: "completed", toolCalls: [{ output: "clerk done" }] });
  expect([ran, started]).toEqual([["a"], 2]);
  expect(seen.length).toBeGreaterThan(0);
  for (const one of seen) expect(one).toEqual(dependencies);
});

test("an agent started without ctx.runOptions is a separate run [tool.context.run-options.new-root]", async () => {
  const inner = says("inner", ["hi"], { store: memoryStore() });
  let innerRun = "";
  const delegate = tool({
    name: "delegate",
    description: "Delegates.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async () => {
      const output = await inner.run("work");
      innerRun = output.runId;
      return output.text;
    },
  });
  const outer = says("outer", [{ toolCalls: [{ name: "delegate" }] }, "done"], { tools: [delegate] });
  const result = await outer.run("go");
  const own = result.metrics.perRequest.reduce((sum, usage) => sum + usage.totalTokens, 0);
  expect(result.usage.totalTokens).toBe(own);
  expect((await inner.inspect(innerRun)).events[0]).not.toHaveProperty("parent.runId");
});

test("inner calls that ran before the pause do not run again [field-bug:PB-nested-approvals-12] [field-bug:PB-nested-approvals-02]", async () => {
  const before = counter({ name: "first" });
  const gated = counter({ needsApproval: true });
  const store = memoryStore();
  const script: Script = (request) => {
    const results = request.messages.filter(({ role }) => role === "tool").length;
    return results === 0
      ? { toolCalls: [{ name: "first", arguments: { line: "1" } }] }
      : results === 1
        ? writeCall("2")
        : "inner text";
  };
  const inner = says("inner", script, { tools: [before.write, gated.write] });
  const outer = says("outer", (request) => (request.messages.at(-1)?.role === "tool" ? "final" : ask("inner", "x")), {
    tools: [inner.asTool()],
    store,
  });
  const first = await outer.run("go");
  const revived = JSON.parse(JSON.stringify(first.interruptions)) as typeof first.interruptions;
  const done = await outer.resume(
    first.runId,
    revived.map((data) => interruption(data).approve()),
  );
  expect(done).toMatchObject({ text: "final", toolCalls: [{ toolName: "inner", output: "inner text" }] });
  expect([before.ran, gated.ran]).toEqual([["1"], ["2"]]);
});

test("resuming an inner run directly is refused [field-bug:PB-nested-approvals-13]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const store = memoryStore();
  const inner = says("inner", (request) => (request.messages.at(-1)?.role === "tool" ? "ok" : writeCall()), {
    tools: [write],
    store,
  });
  const outer = says("outer", (request) => (request.messages.at(-1)?.role === "tool" ? "final" : ask("inner", "x")), {
    tools: [inner.asTool()],
    store,
  });
  const first = await outer.run("go");
  const innerRun = (await store.listRuns({ agentId: "inner" }))[0]?.id ?? "";
  await expect(
    inner.resume(
      innerRun,
      first.interruptions.map((asked) => asked.approve()),
    ),
  ).rejects.toMatchObject({ code: "RUN_HAS_PARENT", message: expect.stringContaining(first.runId) as string });
  expect(ran).toEqual([]);
  expect(
    await outer.resume(
      first.runId,
      first.interruptions.map((asked) => asked.approve()),
    ),
  ).toMatchObject({ text: "final" });
});

test.each(["cancelled", "expired", "in another store"])(
  "an inner run is not continued alone if the outer run is %s: the outer run's approvals would not bind it [run.resume.inner] [run.fork.inner]",
  async (how) => {
    let now = 1;
    const paid: string[] = [];
    const askClerk = tool({
      name: "ask_clerk",
      description: "Asks a clerk.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: (_input, ctx) => ctx.ask({ question: "Is the parcel back?", schema: z.string() }),
    });
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      execute: () => {
        paid.push("paid");
        return "Paid.";
      },
    });
    const store = memoryStore();
    const common = { flow: "off", logger: quiet, clock: { now: () => now, setTimer: () => () => undefined } } as const;
    const innerStore = how === "in another store" ? memoryStore() : store;
    const inner = new Agent({
      ...common,
      name: "inner",
      store: innerStore,
      tools: [askClerk, pay],
      model: scriptedModel(({ toolResults }) =>
        toolResults.length === 0
          ? { toolCalls: [{ name: "ask_clerk", arguments: {} }] }
          : toolResults.at(-1)?.toolName === "ask_clerk"
            ? { toolCalls: [{ name: "pay", arguments: {} }] }
            : "Done.",
      ),
    });
    const outer = new Agent({
      ...common,
      name: "outer",
      store,
      approval: { policy: "all" },
      tools: [inner.asTool({ name: "inner", description: "Pays what is due." })],
      model: scriptedModel(({ toolResults }) =>
        toolResults.length === 0 ? { toolCalls: [{ name: "inner", arguments: { input: "go" } }] } : "Done.",
      ),
    });
    const { runId, interruptions } = await outer.run("go", { deadlineAt: 1_000 });
    expect(interruptions).toMatchObject([{ kind: "question" }]);
    const innerId = (await innerStore.listRuns({ agentId: "inner" }))[0]?.id ?? "";
    if (how === "cancelled") await outer.cancel(runId);
    if (how === "expired") {
      now = 2_000;
      expect(await failureOf(outer.resume(runId))).toMatchObject({ code: "RUN_EXPIRED" });
    }
    const answers = (await inner.interruptions(innerId)).map((asked) => ({
      id: asked.id,
      type: "answer" as const,
      value: "yes",
    }));
    expect(await failureOf(inner.resume(innerId, answers))).toMatchObject({ code: "RUN_HAS_PARENT" });
    // A fork alone would be a way around the settings of the outer run.
    expect(await failureOf(inner.fork(innerId, { atSeq: 1 }))).toMatchObject({
      code: "RUN_HAS_PARENT",
      message: expect.stringContaining(runId),
    });
    expect(paid).toEqual([]);
  },
);

test("an id such as __proto__ is unknown and has no effect; the right decision is still accepted [field-bug:PB-nested-approvals-11]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const inner = says("inner", (request) => (request.messages.at(-1)?.role === "tool" ? "ok" : writeCall()), {
    tools: [write],
  });
  const outer = says("outer", (request) => (request.messages.at(-1)?.role === "tool" ? "final" : ask("inner", "x")), {
    tools: [inner.asTool()],
    store: memoryStore(),
  });
  const first = await outer.run("go");
  const hostile = JSON.parse('{"id":"__proto__","type":"approve","args":{"__proto__":{"polluted":true}}}') as Decision;
  await expect(outer.resume(first.runId, [hostile])).rejects.toMatchObject({ code: "UNKNOWN_DECISION" });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(
    await outer.resume(
      first.runId,
      first.interruptions.map((asked) => asked.approve()),
    ),
  ).toMatchObject({ status: "completed" });
  expect(ran).toEqual(["a"]);
});

test("two inner agents with the same name are distinguished by their calls [field-bug:PB-nested-approvals-09]", async () => {
  const { write } = counter({ needsApproval: true });
  const skill = (version: string) =>
    says("skill", (request) => (request.messages.at(-1)?.role === "tool" ? version : writeCall(version)), {
      tools: [write],
    });
  const via = (name: string, version: string) =>
    says(
      name,
      (request) =>
        request.messages.at(-1)?.role === "tool" ? (request.messages.at(-1)?.text ?? "") : ask("skill", "x"),
      { tools: [skill(version).asTool()] },
    );
  const root = says(
    "root",
    (request) => (request.messages.at(-1)?.role === "tool" ? (request.messages.at(-1)?.text ?? "") : ask("b", "x")),
    { tools: [via("a", "v1").asTool(), via("b", "v2").asTool()], store: memoryStore() },
  );
  const first = await root.run("go");
  expect(
    await root.resume(
      first.runId,
      first.interruptions.map((asked) => asked.approve()),
    ),
  ).toMatchObject({ text: "v2" });
});

test("after a handoff the new agent cannot call the first agent's tools [field-bug:PB-handoff-04]", async () => {
  const { write, ran } = counter();
  const other = says("other", [writeCall(), "gave up"]);
  const first = says("first", [writeCall("mine"), { toolCalls: [{ name: "transfer_to_other" }] }], {
    tools: [write],
    handoffs: [other],
  });
  expect(await first.run("go")).toMatchObject({ text: "gave up", status: "completed" });
  expect(ran).toEqual(["mine"]);
});

test("parallel agents see only their own branch [field-bug:PB-multi-agent-04]", async () => {
  const own: string[][] = [];
  const branch = (name: string) =>
    says(
      name,
      (request) => {
        own.push(request.messages.map(({ text }) => text));
        return request.messages.at(-1)?.role === "tool" ? `${name} done` : addCall();
      },
      { tools: [add] },
    );
  const desk = says(
    "desk",
    [
      {
        toolCalls: [
          { name: "a", arguments: { input: "for a" } },
          { name: "b", arguments: { input: "for b" } },
        ],
      },
      "done",
    ],
    { tools: [branch("a").asTool(), branch("b").asTool()] },
  );
  await desk.run("go");
  // Neither the outer conversation nor the other branch.
  const asked = own.map((texts) => texts.filter((text) => text.startsWith("for ") || text === "go").join());
  expect(asked.toSorted()).toEqual(["for a", "for a", "for b", "for b"]);
});

import { memoryStore, tool, toolReturn, type RunInput, type RunOutput } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { attempt, loop, map, parallel, pipeline, route, type Composition } from "../../src/compose.ts";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const own = { logger: quiet, name: "flow" };
const says = (name: string, text: string) => new Agent({ name, logger: quiet, model: scriptedModel(() => text) });
const find = tool({
  name: "find",
  description: "Finds an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ id }) => ({ id, price: 10 }),
});
const structuredOf = async <In>(flow: Composition<In, unknown>, input: In): Promise<unknown> =>
  (await flow.run(input)).structured;

test("a tool gets the value as its arguments and gives what it returns, and a function gets a copy [composition.node.tool] [composition.node.function]", async () => {
  const seen: unknown[] = [];
  const flow = pipeline(
    own,
    (text) => ({ id: text }),
    find,
    (order) => {
      seen.push(order);
      order.price += 1;
      return order;
    },
    ({ price }) => price,
  );
  const output = await flow.run("7");
  expect([output.structured, output.text]).toEqual([11, "11"]);
  expect(seen).toEqual([{ id: "7", price: 11 }]);
  expect(output.toolCalls.map(({ toolName, input }) => [toolName, input])).toMatchObject([
    ["step_1", { value: "7" }],
    ["find", { id: "7" }],
    ["step_3", { value: { id: "7", price: 10 } }],
    ["step_4", { value: { id: "7", price: 11 } }],
  ]);
});

test("an agent gets text as it is and other values as JSON, and gives its structured answer or its text [composition.pipeline]", async () => {
  const reads = new Agent({
    name: "reads",
    logger: quiet,
    model: scriptedModel((request) => request.lastUserText),
  });
  expect(
    await structuredOf(
      pipeline(own, (text) => ({ text }), reads),
      "x",
    ),
  ).toBe('{"text":"x"}');
  expect(
    await structuredOf(
      pipeline(own, (text) => `${text}!`, reads),
      "x",
    ),
  ).toBe("x!");
  const typed = new Agent({
    name: "typed",
    logger: quiet,
    model: scriptedModel(() => ({ text: '{"n":2}' })),
    output: z.object({ n: z.number() }),
  });
  const output = await pipeline(own, typed, ({ n }) => n + 1).run("x");
  expect([output.structured, output.text]).toEqual([3, "3"]);
});

test("an agent as the first node gets the parts of the input, and a function gets their text [composition.pipeline]", async () => {
  const image = { type: "image", data: new Uint8Array([137, 80, 78, 71]), mimeType: "image/png" } as const;
  const input: RunInput = [{ type: "text", text: "Look." }, image];
  const model = scriptedModel(({ messages }) => `${messages.at(-1)?.images} image`);
  const looks = new Agent({ name: "looks", logger: quiet, model });
  expect(await structuredOf(pipeline(own, looks), input)).toBe("1 image");
  expect(
    await structuredOf(
      pipeline(own, (text) => text),
      input,
    ),
  ).toBe("Look.");
});

test("each function of workflows takes functions and tools, and gives a value [composition.node.function]", async () => {
  expect(await structuredOf(parallel(own, { a: (text) => text, b: (text) => text.length }), "xy")).toEqual({
    a: "xy",
    b: 2,
  });
  expect(await structuredOf(map({ ...own, item: z.object({ id: z.string() }) }, find), [{ id: "a" }])).toEqual([
    { id: "a", price: 10 },
  ]);
  const odd = (value: number): number => {
    if (value % 2 === 0) throw new Error("even");
    return value;
  };
  expect(await structuredOf(map({ ...own, item: z.number(), onError: "collect" }, odd), [1, 2])).toEqual([
    { ok: true, value: 1 },
    { ok: false, error: expect.stringContaining("even") },
  ]);
  expect(
    await structuredOf(
      map({ ...own, items: (text) => text.split(",") }, (sign) => sign),
      "a,b",
    ),
  ).toEqual(["a", "b"]);
  expect(
    await structuredOf(
      route({ ...own, choose: (text) => (text === "b" ? "b" : "a") }, { a: () => 1, b: () => [2] }),
      "b",
    ),
  ).toEqual([2]);
  const grow = loop({ ...own, input: z.number(), origin: "own", until: (n: number) => n > 3 }, (n) => n + 1);
  expect(await structuredOf(grow, 1)).toBe(4);
  const fails = (): string => {
    throw new Error("no");
  };
  const ended: unknown[] = [];
  const caught = attempt(own, {
    try: fails,
    catch: ({ input, error }) => [input, error],
    finally: (text) => void ended.push(text),
  });
  expect(await structuredOf(caught, "x")).toEqual(["x", expect.stringContaining("no")]);
  expect(ended).toEqual(["x"]);
  expect(await structuredOf(attempt(own, { try: fails }), "x")).toEqual({
    ok: false,
    error: expect.stringContaining("no"),
  });
});

test("two nodes of one name are numbered, and a branch that is a tool keeps the name of the tool [composition.node.tool]", async () => {
  const twice = await pipeline(
    own,
    () => ({ id: "a" }),
    find,
    ({ id }) => ({ id }),
    find,
  ).run("x");
  expect(twice.toolCalls.map(({ toolName }) => toolName)).toEqual(["step_1", "find", "step_3", "find_2"]);
  const branch = await route(
    { ...own, input: z.object({ id: z.string() }), origin: "own", choose: () => "look" },
    {
      look: find,
    },
  ).run({ id: "a" });
  expect(branch.toolCalls.map(({ toolName }) => toolName)).toEqual(["find"]);
});

/** A value without a form in JSON, and its place. */
const refused: Readonly<Record<string, readonly [value: unknown, place: string]>> = {
  "a date in a list": [{ lines: [{}, { due: new Date(0) }] }, "flow.step_1.lines[1].due is a Date"],
  "a function": [{ call: () => 1 }, "flow.step_1.call is a function"],
  "not a number": [[Number.NaN], "flow.step_1[0] is NaN"],
  bytes: [new Uint8Array(1), "flow.step_1 is bytes"],
  "a map": [new Map(), "flow.step_1 is a Map"],
  "undefined in a list": [[undefined], "flow.step_1[0] is undefined"],
};

test.each(Object.entries(refused))(
  "a function that returns %s ends the run with the place of the value, and attempt() does not continue [composition.values]",
  async (_what, [value, place]) => {
    const store = memoryStore();
    const flow = pipeline(
      { ...own, store },
      () => value,
      (same) => same,
    );
    const error = await failureOf(flow.run("x"));
    expect(error).toMatchObject({ code: "NODE_VALUE_INVALID", message: expect.stringContaining(place) });
    const [run] = await store.listRuns({});
    expect((await flow.verifyAudit(run?.id ?? "")).verdict).not.toBe("broken");
    const tried = attempt(own, { try: () => value, catch: () => "caught" });
    expect(await failureOf(tried.run("x"))).toMatchObject({ code: "NODE_VALUE_INVALID" });
  },
);

test("a circle, media of a tool, and a value of merge are refused with their place [composition.values]", async () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(await failureOf(pipeline(own, () => circle).run("x"))).toMatchObject({ code: "NODE_VALUE_INVALID" });
  const draw = tool({
    name: "draw",
    description: "Draws.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => toolReturn({ output: 1, contentParts: [{ type: "image", url: "https://shop.example/a.png" }] }),
  });
  expect(await failureOf(pipeline(own, () => ({}), draw).run("x"))).toMatchObject({
    code: "NODE_VALUE_INVALID",
    message: expect.stringContaining("flow.draw"),
  });
  const merged = parallel({ ...own, merge: () => ({ at: new Date(0) }) }, { a: (text) => text });
  expect(await failureOf(merged.run("x"))).toMatchObject({
    code: "NODE_VALUE_INVALID",
    message: expect.stringContaining("flow.merge.at"),
  });
});

test("any JSON value passes any number of functions unchanged, and undefined becomes null [composition.values]", async () => {
  const same = (value: unknown): unknown => value;
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 1, max: 3 }), async (value, count) => {
      const nodes = [() => value, ...Array.from({ length: count }, () => same)] as [() => unknown];
      expect(await structuredOf(pipeline(own, ...nodes), "x")).toEqual(value);
    }),
    { numRuns: 40 },
  );
  expect(
    await structuredOf(
      pipeline(own, () => undefined, same),
      "x",
    ),
  ).toBe(null);
  expect(
    await structuredOf(
      pipeline(own, () => ({ a: undefined, b: 1 }), same),
      "x",
    ),
  ).toEqual({ b: 1 });
});

test("a node that fails ends the run with its kind, and a route without a branch names the known ones [composition.values]", async () => {
  const wrong = await failureOf(pipeline(own, () => JSON.parse('{"id":7}'), find).run("x"));
  expect(wrong).toMatchObject({
    code: "NODE_FAILED",
    message: expect.stringContaining("id: "),
    cause: { kind: "invalid_input" },
  });
  const thrown = await failureOf(pipeline(own, (text) => JSON.parse(text) as unknown).run("x"));
  expect(thrown).toMatchObject({ code: "NODE_FAILED", cause: { kind: "execution_failed" } });
  const lost = route({ ...own, choose: () => "c" as "a" }, { a: says("a", "1"), b: says("b", "2") });
  expect(await failureOf(lost.run("x"))).toMatchObject({
    code: "COMPOSITION_FAILED",
    message: expect.stringContaining("a, b"),
  });
});

test("an input that does not fit is refused before anything is stored, and such a run takes no messages [composition.input]", async () => {
  const store = memoryStore();
  const flow = pipeline({ ...own, store, input: z.object({ id: z.string() }), origin: "own" }, find);
  for (const wrong of [{}, { id: 7 }, "x", { id: new Date(0) }, null])
    for (const start of [() => flow.run(wrong as never), () => flow.enqueue(wrong as never)])
      expect(await failureOf(start() as Promise<RunOutput>)).toMatchObject({ code: "INVALID_INPUT" });
  expect(await failureOf(flow.stream({ id: 7 } as never).result)).toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("id: "),
  });
  expect(await store.listRuns({})).toEqual([]);
  const { runId, structured } = await flow.run({ id: "a" });
  expect(structured).toEqual({ id: "a", price: 10 });
  await expect(flow.steer(runId, "x")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(flow.followUp(runId, "x")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  const list = map({ ...own, item: z.number() }, (value) => value);
  expect(await failureOf(list.run([1, "2"] as never))).toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("[1]"),
  });
  expect(await failureOf(list.run("1" as never))).toMatchObject({ code: "INVALID_INPUT" });
});

test("a workflow with an input offers its schema as the arguments of its tool, and parses a value once [composition.input]", async () => {
  const flow = pipeline(
    { ...own, input: z.object({ id: z.string().transform((id) => `${id}!`) }), origin: "own" },
    ({ id }) => id,
  );
  const desk = new Agent({
    name: "desk",
    logger: quiet,
    model: scriptedModel([{ toolCalls: [{ name: "flow", arguments: { id: "a" } }] }, "Done."]),
    tools: [flow.asTool()],
  });
  expect((await desk.run("go")).toolCalls).toMatchObject([{ toolName: "flow", output: "a!", isError: false }]);
  const around = pipeline(
    own,
    (text) => ({ id: text }),
    flow,
    (text) => text.length,
  );
  expect(await structuredOf(around, "ab")).toBe(3);
});

test("a function asks and sleeps as a tool does; an answer that does not fit is refused, and a given one is not asked for again [composition.node.function]", async () => {
  const store = memoryStore();
  let starts = 0;
  const make = () =>
    pipeline({ ...own, store }, async (text, ctx) => {
      starts += 1;
      const count = await ctx.ask({ question: "How many?", schema: z.number() });
      return `${text}${count}${Object.keys(ctx).toSorted().join()}`;
    });
  const asked = await make().run("x");
  expect(asked.status).toBe("suspended");
  const [question] = asked.interruptions;
  await expect(make().decide(asked.runId, [question?.answer("no") as never])).rejects.toMatchObject({
    code: "ANSWER_INVALID",
  });
  expect(await make().interruptions(asked.runId)).toHaveLength(1);
  const done = await make().resume(asked.runId, [question?.answer(5) as never]);
  expect(done.structured).toBe("x5ask,logger,runId,signal,sleep");
  expect(done.warnings).toMatchObject([{ code: "async_function", subject: "step_1" }]);
  expect(starts).toBe(2);
});

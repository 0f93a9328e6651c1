import { pipeline, route } from "../../src/compose.ts";
import { tool, type Runnable, type RunOutput, type Tool, type ToolExecutionContext } from "@bailiwick/core";
import type { ModelProvider, OtherToolCallResult, ToolCallResult } from "@bailiwick/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { Agent, template } from "../../src/index.ts";

declare const model: ModelProvider;

const find = tool({
  name: "find",
  description: "Finds.",
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => ({ id, total: 1 }),
});
const count = tool({
  name: "count",
  description: "Counts.",
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => n,
});

test("calls are a union on toolName, then on isError [seams.types.tool-calls-union]", async () => {
  const agent = new Agent({ name: "a", model, tools: [find, count] });
  const { toolCalls } = await agent.run("go");
  for (const call of toolCalls) {
    if (call.toolName === "find") {
      if (call.isError) expectTypeOf(call.input).toEqualTypeOf<unknown>();
      else {
        expectTypeOf(call.input).toEqualTypeOf<{ id: string }>();
        expectTypeOf(call.output).toEqualTypeOf<{ id: string; total: number }>();
      }
    } else if (call.toolName === "count") {
      if (!call.isError) expectTypeOf(call.output).toEqualTypeOf<number>();
    } else expectTypeOf(call).toEqualTypeOf<OtherToolCallResult>();
    if (call.isError) expectTypeOf(call.error.kind).toExtend<string>();
  }
});

test("a tool whose name is only known at run time does not change the types of other tools [seams.types.tool-calls-union]", async () => {
  const expert = new Agent({ name: "expert", model });
  const agent = new Agent({ name: "a", model, tools: [find, expert.asTool()] });
  for (const call of (await agent.run("go")).toolCalls) {
    if (call.toolName === "find" && !call.isError) {
      expectTypeOf(call.output).toEqualTypeOf<{ id: string; total: number }>();
    }
  }
  const named = new Agent({ name: "a", model, tools: [find, expert.asTool({ name: "ask" })] });
  for (const call of (await named.run("go")).toolCalls)
    if (call.toolName === "ask" && !call.isError) expectTypeOf(call.input).toEqualTypeOf<{ readonly input: string }>();
  const any = new Agent({ name: "a", model, tools: [expert.asTool()] });
  for (const call of (await any.run("go")).toolCalls) expectTypeOf(call).toEqualTypeOf<ToolCallResult>();
});

test("a chooser names one of the routes, also as a constant [composition.route]", () => {
  const [a, b] = [new Agent({ name: "a", model }), new Agent({ name: "b", model })];
  route({ choose: () => "b" }, { a, b });
  route({ choose: async (input) => (input === "" ? "a" : "b"), otherwise: "a" }, { a, b });
  // @ts-expect-error: no such route.
  route({ choose: () => "c" }, { a, b });
  // @ts-expect-error: no such route.
  route({ choose: () => "b", otherwise: "c" }, { a, b });
});

test("the structured answer has the schema's type, of the agent or of the run [options.output]", async () => {
  const agent = new Agent({ name: "a", model, output: z.object({ total: z.number() }) });
  expectTypeOf((await agent.run("go")).structured).toEqualTypeOf<{ total: number } | undefined>();
  expectTypeOf((await agent.run("go", { output: z.array(z.string()) })).structured).toEqualTypeOf<
    string[] | undefined
  >();
  expectTypeOf((await agent.stream("go").result).structured).toEqualTypeOf<{ total: number } | undefined>();
});

test("a generic function may pass a schema on [field-bug:PB-types-03]", () => {
  const agent = new Agent({ name: "a", model });
  function ask<T>(schema: z.ZodType<T>): Promise<RunOutput<readonly Tool[], T>> {
    return agent.run("go", { output: schema });
  }
  expectTypeOf(ask(z.object({ a: z.number() }))).resolves.toHaveProperty("structured");
});

test("an agent with any tools fits a parameter of type Agent", async () => {
  const finding = new Agent({ name: "finding", model, tools: [find], output: z.object({ total: z.number() }) });
  const agents: Agent[] = [new Agent({ name: "plain", model }), finding];
  const byName: ReadonlyMap<string, Agent> = new Map(agents.map((agent) => [agent.name, agent]));
  const output = await byName.get("finding")?.resume("a run");
  expectTypeOf(output).toEqualTypeOf<RunOutput | undefined>();
  // @ts-expect-error the calls of a list of agents are not those of one of them
  const back: typeof finding | undefined = agents[1];
  void back;
});

test("the compiler requires a template's dependencies when the agent is created [feature:X122]", () => {
  const instructions = template("You work for {{shop.name}}.");
  void new Agent({ name: "a", model, instructions, dependencies: { shop: { name: "north" }, other: 1 } });
  // @ts-expect-error the shop has no name
  void new Agent({ name: "a", model, instructions, dependencies: { shop: { title: "north" } } });
});

test("dependencies and tools are checked when the agent is created", () => {
  void new Agent({ name: "a", model, dependencies: { shop: "north" }, instructions: (ctx) => ctx.dependencies.shop });
  void new Agent({ name: "a", model, tools: async () => [find] });
  // @ts-expect-error an agent needs a model
  void new Agent({ name: "a" });
  // @ts-expect-error agent hooks are not loop hooks
  void new Agent({ name: "a", model, hooks: { beforeLLMCall: () => undefined } });
});

test("the compiler checks dependencies against the tools' declared types when the agent is created [tool.context.fields]", () => {
  interface Desk {
    readonly db: { find(id: string): string };
    readonly shop: string;
  }
  const withDb = tool({
    name: "with_db",
    description: "Finds.",
    inputSchema: z.object({ id: z.string() }),
    sideEffectClass: "read-only",
    execute: ({ id }, ctx: ToolExecutionContext<Pick<Desk, "db">>) => ctx.dependencies.db.find(id),
  });
  const db = { find: (id: string) => id };
  void new Agent({ name: "a", model, tools: [find, withDb], dependencies: { db, other: 1 } });
  // A run may set options that the agent leaves out.
  void new Agent({ name: "a", model, tools: [find, withDb] }).run("go", { dependencies: { db } });
  // @ts-expect-error the type of `db` differs from the one that the tool declares
  void new Agent({ name: "a", model, tools: [withDb], dependencies: { db: 3 } });
  void new Agent({ name: "a", model, tools: [find], dependencies: { db: 3 } });
});

test("a run takes node hooks only [seams.types.node-hooks-only]", () => {
  const agent = new Agent({ name: "a", model });
  void agent.run("go", { hooks: { onNodeStart: ({ nodeId }) => void nodeId } });
  // @ts-expect-error agent hooks are not per run
  void agent.run("go", { hooks: { beforeRun: () => undefined } });
  // @ts-expect-error tools are not per run
  void agent.run("go", { tools: [find] });
});

test("outputs of agents with different tools fit the general one", () => {
  expectTypeOf<RunOutput<readonly [typeof find]>>().toExtend<RunOutput>();
  expectTypeOf<typeof find>().toExtend<Tool>();
  expectTypeOf(new Agent({ name: "a", model, tools: [find] })).toExtend<Runnable>();
});

test("a function for any agent accepts a `Runnable` with any tools, answer and dependencies", () => {
  const start = (agent: Runnable): Promise<RunOutput> => agent.run("go");
  void start(new Agent({ name: "a", model, tools: [find, count] }));
  void start(new Agent({ name: "a", model, output: z.object({ a: z.number() }) }));
  const withDependencies = new Agent({ name: "a", model, dependencies: { shop: "north" } });
  void start(withDependencies);
  void pipeline({}, withDependencies, new Agent({ name: "b", model, tools: [withDependencies.asTool()] }));
  void new Agent({ name: "c", model, handoffs: [withDependencies] });
});

import { pipeline } from "../../src/compose.ts";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, tool } from "../../src/index.ts";
import type { RunOptions } from "../../src/index.ts";

const team = (start: (given: RunOptions) => Promise<string>): Agent => {
  const delegate = tool({
    name: "delegate",
    description: "Delegates.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => start(ctx.runOptions),
  });
  const model = scriptedModel([{ toolCalls: [{ name: "delegate" }] }, "done"]);
  return new Agent({ name: "desk", model, tools: [delegate] });
};
const clerk = (): Agent => new Agent({ name: "clerk", model: scriptedModel(["filed", "filed"]) });

interface Calls {
  readonly seen: string[];
  readonly callbacks: RunOptions;
}

function callbacks(): Calls {
  const seen: string[] = [];
  return {
    seen,
    callbacks: {
      onToken: (name, event) => {
        if (event.type === "tool_execution_stream") seen.push(`${name} shows ${event.nestedEvent?.type}`);
        else seen.push(`${name} ${event.type}`);
      },
      onStart: (name) => seen.push(`start ${name}`),
      onComplete: (name) => seen.push(`complete ${name}`),
      onError: (name) => seen.push(`error ${name}`),
    },
  };
}

test("an inner run inherits the callbacks of the outer run, and each is called once [tool.context.run-options.once]", async () => {
  const given = callbacks();
  let handed: RunOptions = {};
  const desk = team(async (options) => {
    handed = options;
    return (await clerk().run("file it", { ...options })).text;
  });
  await desk.run("go", { ...given.callbacks, hooksAreFatal: true });
  expect(handed).toMatchObject({ ...given.callbacks, hooksAreFatal: true });
  const ofRuns = given.seen.filter((one) => one.startsWith("start") || one.startsWith("complete"));
  expect(ofRuns).toEqual(["start desk", "complete desk"]);
  expect(given.seen.filter((one) => one.startsWith("clerk"))).toEqual([]);
  expect(given.seen.filter((one) => one === "desk shows text_delta")).toHaveLength(1);
});

test("callbacks that a tool passes to its inner run are called for that run [tool.context.run-options.once]", async () => {
  const outer = callbacks();
  const inner = callbacks();
  const desk = team(async (options) => (await clerk().run("file it", { ...options, ...inner.callbacks })).text);
  await desk.run("go", outer.callbacks);
  expect(inner.seen).toEqual(expect.arrayContaining(["start clerk", "clerk text_delta", "complete clerk"]));
  expect(outer.seen).toEqual(expect.arrayContaining(["start desk", "desk shows text_delta", "complete desk"]));
});

test("a callback that is inherited by two levels of inner runs is called once, by the outermost run [tool.context.run-options.once]", async () => {
  const outer = callbacks();
  const between = callbacks();
  const inmost = team(async (options) => (await clerk().run("file it", { ...options, ...outer.callbacks })).text);
  const desk = team(async (options) => (await inmost.run("go", { ...options, ...between.callbacks })).text);
  await desk.run("go", outer.callbacks);
  expect(outer.seen.filter((one) => /^(start|complete) /.test(one))).toEqual(["start desk", "complete desk"]);
  expect(outer.seen.filter((one) => one.startsWith("clerk"))).toEqual([]);
});

test("node hooks name a node by its position, each with its own id [hooks.node-id]", async () => {
  const started: (readonly [id: string, label: string])[] = [];
  const flow = pipeline({ name: "flow" }, clerk(), new Agent({ name: "scribe", model: scriptedModel(["written"]) }));
  await flow.run("go", {
    hooks: { onNodeStart: ({ nodeId, nodeLabel }) => void started.push([nodeId, nodeLabel]) },
  });
  expect(started).toEqual([
    ["flow", "flow"],
    ["flow/t1/c0/clerk", "clerk"],
    ["flow/t2/c0/scribe", "scribe"],
  ]);
});

test("two runs of one tool call have two node ids, the same in each process [hooks.node-id]", async () => {
  const twice = async (): Promise<readonly string[]> => {
    const ids: string[] = [];
    const desk = team(async (options) => {
      const one = clerk();
      await one.run("first", { ...options });
      return (await one.run("second", { ...options })).text;
    });
    await desk.run("go", { hooks: { onNodeStart: ({ nodeId }) => void ids.push(nodeId) } });
    return ids;
  };
  expect(await twice()).toEqual(["desk", "desk/t1/c0/clerk", "desk/t1/c0/2/clerk"]);
  expect(await twice()).toEqual(await twice());
});

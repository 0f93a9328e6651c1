import { compositionGraph, mermaid } from "@bailiwick/compose/graph";
import { memoryStore, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { attempt, map, pipeline, route } from "../../src/compose.ts";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const own = { logger: quiet };
const save = tool({
  name: "save",
  description: "Saves a text.",
  inputSchema: z.object({ text: z.string() }),
  sideEffectClass: "external-stateful",
  needsApproval: true,
  execute: () => "saved",
});
const clerk = new Agent({ name: "clerk", logger: quiet, model: scriptedModel(() => "short") });

test("the graph of a workflow has its nodes with their kinds, the steps between them, and the workflows inside it [composition.graph]", () => {
  const flow = pipeline(
    { ...own, name: "flow" },
    clerk,
    function trim(text) {
      return { text };
    },
    route(
      { ...own, name: "way", input: z.object({ text: z.string() }), origin: "own", choose: () => "keep" },
      {
        keep: save,
        drop: () => "",
      },
    ),
  );
  const graph = compositionGraph(flow);
  expect(graph.nodes).toEqual([
    { id: "flow", kind: "composition", title: "flow" },
    { id: "flow/clerk", kind: "agent", title: "clerk" },
    { id: "flow/trim", kind: "function", title: "trim" },
    { id: "flow/way", kind: "composition", title: "way" },
    { id: "flow/way/save", kind: "tool", title: "save" },
    { id: "flow/way/drop", kind: "function", title: "drop" },
  ]);
  expect(graph.edges.map(({ from, to, kind }) => `${from} -${kind}-> ${to}`)).toEqual([
    "flow -then-> flow/clerk",
    "flow/clerk -then-> flow/trim",
    "flow/trim -then-> flow/way",
    "flow/way -if keep-> flow/way/save",
    "flow/way -if drop-> flow/way/drop",
  ]);
  const text = mermaid(graph);
  expect(text).toContain('n1["clerk"]');
  expect(text).toContain('n2[/"trim"/]');
  expect(text).toContain('n3(("way"))');
  expect(text).toContain('n4[["save"]]');
  expect(text).toContain("n3 -->|if keep| n4");
  expect(() => compositionGraph(clerk)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
});

test("with a run, each node has its state, also those of a workflow inside, and a node that was not called has none [composition.graph]", async () => {
  const store = memoryStore();
  const flow = pipeline(
    { ...own, name: "flow", store },
    (text) => text.split(""),
    map({ ...own, name: "each", item: z.string() }, (sign) => sign),
    attempt({ ...own, name: "try_it" }, { try: () => JSON.parse("{") as string, catch: ({ error }) => error }),
    (text) => ({ text }),
    save,
  );
  const asked = await flow.run("ab");
  const statesOf = async () =>
    (await compositionGraph(flow, asked.runId)).nodes.map(({ title, state, calls }) =>
      [title, state, calls].filter((part) => part !== undefined).join(" "),
    );
  const inside = ["each done", "each done 2", "try_it done", "try failed", "catch done"];
  const found = await statesOf();
  expect(found.slice(0, 6)).toEqual([
    "flow open",
    "step_1 done",
    "each done",
    "try_it done",
    "step_4 done",
    "save open",
  ]);
  expect(found.slice(6)).toEqual(inside.filter((_, index) => index === 1 || index > 2));
  await flow.resume(
    asked.runId,
    asked.interruptions.map((question) => question.approve()),
  );
  expect((await statesOf()).slice(0, 6)).toEqual([
    "flow done",
    "step_1 done",
    "each done",
    "try_it done",
    "step_4 done",
    "save done",
  ]);
});

/** Numbers of records that a run stores. */
async function recordsOf(
  flow: { run(text: string): Promise<{ readonly runId: string }> },
  store: ReturnType<typeof memoryStore>,
) {
  const { runId } = await flow.run("x");
  return (await store.load(runId)).length;
}

test("a function node has no more records than a call of a tool in the same place [composition.node.function]", async () => {
  const store = memoryStore();
  const same = (text: string): string => text;
  const read = tool({
    name: "read",
    description: "Reads a text.",
    inputSchema: z.unknown(),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: (text) => text,
  });
  const one = await recordsOf(pipeline({ ...own, store }, same), store);
  const withFunction = await recordsOf(pipeline({ ...own, store }, same, same), store);
  const withTool = await recordsOf(pipeline({ ...own, store }, same, read), store);
  expect(withFunction - one).toBeLessThanOrEqual(withTool - one);
});

test("the records of a map grow with its items, two for each [composition.map]", async () => {
  const store = memoryStore();
  const counts: number[] = [];
  for (const items of [50, 100, 200]) {
    const list = Array.from({ length: items }, (_, index) => index);
    counts.push(
      await recordsOf(
        map({ ...own, store, items: list }, (item) => item),
        store,
      ),
    );
  }
  const [first = 0, second = 0, third = 0] = counts;
  expect(third - second).toBe(2 * (second - first));
});

import { readFileSync } from "node:fs";
import { eventBus, eventTable, tool, type AssistantPart, type ModelProvider, type StreamChunk } from "@bailiwick/core";
import { openai } from "@bailiwick/providers-openai";
import { modelServer } from "@bailiwick/testing/model-server";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, collect, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const manifest = (name: string): { dependencies: Record<string, string> } =>
  JSON.parse(readFileSync(new URL(`../../../${name}/package.json`, import.meta.url), "utf8")) as never;

/** A model that answers with these parts; when streamed, it shows another text than its answer. */
function modelOf(content: readonly AssistantPart[]): ModelProvider {
  const model = scriptedModel([]);
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const provenance = { provider: model.provider, api: model.api, model: model.modelId };
  const message = {
    id: "m1",
    role: "assistant",
    content,
    toolCalls: [],
    finishReason: "stop",
    provenance,
    usage,
  } as const;
  const response = { message, usage, finishReason: "stop", raw: undefined, warnings: [] } as const;
  return {
    ...model,
    generate: async () => response,
    async *stream(): AsyncGenerator<StreamChunk> {
      yield { type: "text", text: "shown while it came" };
      yield { type: "finish", finishReason: "stop", usage, response };
    },
  };
}

test("an answer keeps its parts in their order, each with its opaque state [seams.messages.content-order]", async () => {
  const content: readonly AssistantPart[] = [
    { type: "reasoning", text: "hm", providerState: { signature: "s1" } },
    { type: "text", text: "One. ", providerState: { id: "t1" } },
    { type: "hosted_tool", toolCallId: "h1", toolName: "web_search", output: { hits: 1 } },
    { type: "source", url: "https://shop.example/a" },
    { type: "text", text: "Two." },
  ];
  const result = await new Agent({ name: "agent", logger: quiet, model: modelOf(content), flow: "off" }).run("go");
  expect(result.messages.at(-1)).toMatchObject({ role: "assistant", content });
});

test.each(["responses", "chat"] as const)(
  "an answer is stamped with provider, %s and model [providers.rule.provenance]",
  async (api) => {
    await using server = await modelServer(["Hello."]);
    const model = openai("gpt-5.5", { api, baseURL: server.baseURL("openai"), apiKey: "test" });
    const result = await new Agent({ name: "agent", logger: quiet, model }).run("go");
    expect(result.messages.at(-1)).toMatchObject({ provenance: { provider: "openai", api, model: "gpt-5.5" } });
  },
);

test("a stream ends with the answer; its chunks are only for display [seams.messages.adapter-assembles]", async () => {
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    model: modelOf([{ type: "text", text: "the answer" }]),
    flow: "off",
  });
  const handle = agent.stream("go");
  const { events } = await collect(handle);
  expect(events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("")).toBe("shown while it came");
  expect((await handle.result).text).toBe("the answer");
});

test("live events are the chunks of an answer and eight others; every other event is journaled [seams.events.union]", () => {
  const live = Object.entries(eventTable).flatMap(([type, { kind }]) => (kind === "live" ? [type] : []));
  const chunks = "text thinking tool_call_start tool_call_delta tool_call_end source file raw finish";
  const others =
    "warning tool.progress tool.partial structured.delta agent.event observer.lagging guardrail.retracted turn.restarted";
  expect(live).toEqual(`${chunks} ${others}`.split(" "));
});

test("journal events have a position in the journal, live events have none [seams.events.union]", async () => {
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    model: scriptedModel([addCall(), "It is 3."]),
    tools: [add],
  });
  const { events } = await collect(agent.stream("go"));
  for (const event of events) expect("seq" in event).toBe(eventTable[event.type].kind === "journal");
  expect(new Set(events.map(({ type }) => eventTable[type].kind))).toEqual(new Set(["journal", "live"]));
});

test("an observer is called before the next statement, and its exception is caught [seams.events.observers-synchronous]", async () => {
  const bus = eventBus({ logger: quiet });
  let seen = 0;
  bus.on("state.changed", () => {
    seen += 1;
    throw new Error("observer");
  });
  const atOnce: number[] = [];
  const note = tool({
    name: "note",
    description: "Notes.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, ctx) => {
      ctx.setState("a", 1);
      atOnce.push(seen);
      return "noted";
    },
  });
  const model = scriptedModel([{ toolCalls: [{ name: "note" }] }, "ok"]);
  const result = await new Agent({ name: "agent", logger: quiet, model, tools: [note], eventBus: bus }).run("go");
  expect([result.status, atOnce]).toEqual(["completed", [1]]);
});

test("the facade depends only on core, compositions, security and the lean fetch; core depends on three small packages [seams.packages.dependencies] [seams.packages.fetch-node]", () => {
  expect(Object.keys(manifest("agent").dependencies).toSorted()).toEqual([
    "@bailiwick/compose",
    "@bailiwick/core",
    "@bailiwick/fetch-node",
    "@bailiwick/security",
  ]);
  expect(Object.keys(manifest("compose").dependencies)).toEqual(["@bailiwick/core"]);
  // The interpreter of the wasm sandbox loads when a tool first uses it.
  expect(Object.keys(manifest("security").dependencies).toSorted()).toEqual([
    "@bailiwick/core",
    "@jitl/quickjs-ng-wasmfile-release-sync",
    "quickjs-emscripten-core",
  ]);
  expect(Object.keys(manifest("core").dependencies).toSorted()).toEqual([
    "@cfworker/json-schema",
    "@noble/hashes",
    "@standard-schema/spec",
  ]);
  expect(Object.keys(manifest("fetch-node").dependencies)).toEqual(["undici"]);
});

test("an agent installs no database by default [field-bug:PB-runtime-09]", () => {
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const other of Object.keys(manifest(name).dependencies ?? {})) {
      if (other.startsWith("@bailiwick/")) visit(other.slice("@bailiwick/".length));
      else visited.add(other);
    }
  };
  visit("agent");
  expect([...visited].filter((name) => /sql|pg|postgres|mongo|redis|level|duckdb/i.test(name))).toEqual([]);
});

import { memoryStore, type RunEvent } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, collect, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;
const order = z.object({ id: z.string(), lines: z.array(z.object({ sku: z.string(), note: z.string().optional() })) });
const value = { id: "1", lines: [{ sku: "a" }] };
const json = JSON.stringify(value);

test("a native structured answer is validated, parsed, and typed [options.output]", async () => {
  const model = scriptedModel([json]);
  const result = await new Agent({ ...base, model, output: order }).run("go");
  expect(result.structured).toEqual(value);
  expect(result.structured?.lines[0]?.sku).toBe("a");
  expect(model.requests[0]?.output?.schema).toMatchObject({ type: "object" });
});

test("a model without structured output answers through a tool that is never executed", async () => {
  const model = scriptedModel([addCall(), { toolCalls: [{ name: "final_answer", arguments: value }] }], {
    capabilities: { structuredOutput: "none" },
  });
  const agent = new Agent({ ...base, model, output: order, tools: [add] });
  const handle = agent.stream("go");
  const { events } = await collect(handle);
  const result = await handle.result;
  expect(result).toMatchObject({ structured: value, stopReason: "completed", status: "completed" });
  expect(result.toolCalls.map((call) => call.toolName)).toEqual(["add"]);
  expect(model.requests[0]?.toolChoice).toBe("required");
  // The vendor's raw answer, which `finish` carries, is unchanged.
  expect(JSON.stringify(events.filter(({ type }) => type !== "finish"))).not.toContain("final_answer");
});

test("the final-answer tool appears in neither tools nor events, and the run completes [field-bug:PB-structured-output-04] [field-bug:PB-structured-output-05]", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "final_answer", arguments: value }] }], {
    capabilities: { structuredOutput: "without-tools" },
  });
  const called: string[] = [];
  const agent = new Agent({
    ...base,
    model,
    output: order,
    tools: [add],
    hooks: { onToolCall: (_ctx, name) => void called.push(name) },
  });
  const result = await agent.run("go");
  expect(result).toMatchObject({ stopReason: "completed", structured: value });
  expect(result.messages.at(-1)).toMatchObject({ finishReason: "stop", toolCalls: [] });
  expect(called).toEqual([]);
});

test("a final answer next to other calls waits for their results", async () => {
  const model = scriptedModel(
    [
      {
        toolCalls: [
          { name: "add", arguments: { a: 1, b: 2 } },
          { name: "final_answer", arguments: value },
        ],
      },
      { toolCalls: [{ name: "final_answer", arguments: value }] },
    ],
    { capabilities: { structuredOutput: "none" } },
  );
  const result = await new Agent({ ...base, model, output: order, tools: [add] }).run("go");
  expect(result.structured).toEqual(value);
  expect(result.toolCalls.map((call) => call.toolName)).toEqual(["add"]);
  expect(model.requests).toHaveLength(2);
});

test("an invalid answer is requested once more, with the issues [providers.rule.structured-output.repair]", async () => {
  const model = scriptedModel(['{"id": 1, "lines": []}', json]);
  const result = await new Agent({ ...base, model, output: order }).run("go");
  expect(result.structured).toEqual(value);
  expect(model.requests[1]?.messages.at(-1)?.content).toContain("id: ");
});

test("an answer that is invalid twice rejects with the raw text", async () => {
  const model = scriptedModel(["no json", "still none"]);
  const error = await failureOf(new Agent({ ...base, model, output: order }).run("go"));
  expect(error).toMatchObject({
    code: "OUTPUT_INVALID",
    rawText: "still none",
    output: { status: "failed", stopReason: "failed", structured: undefined },
  });
  expect(model.requests).toHaveLength(2);
});

test("an invalid answer throws from the iterator, and no rejection is unhandled [field-bug:PB-stream-errors-07]", async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  const agent = new Agent({ ...base, model: scriptedModel(() => "no json"), output: order });
  expect((await collect(agent.stream("go"))).error).toMatchObject({ code: "OUTPUT_INVALID" });
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
});

test("roots that are not objects are wrapped for the model and unwrapped for the caller", async () => {
  const model = scriptedModel(['{"value": [1, 2]}']);
  const result = await new Agent({ ...base, model, output: z.array(z.number()) }).run("go");
  expect(result.structured).toEqual([1, 2]);
  expect(model.requests[0]?.output?.schema).toMatchObject({ type: "object", required: ["value"] });
});

test("nulls that strict mode adds for optional members are removed", async () => {
  const model = scriptedModel(['{"id": "1", "lines": [{"sku": "a", "note": null}]}']);
  expect((await new Agent({ ...base, model, output: order }).run("go")).structured).toEqual(value);
});

test("a code fence around the answer is removed, and the schema's transformations are applied", async () => {
  const model = scriptedModel(['```json\n{"n": "4"}\n```']);
  const result = await new Agent({ ...base, model, output: z.object({ n: z.string().transform(Number) }) }).run("go");
  expect(result.structured).toEqual({ n: 4 });
});

test("valid JSON is parsed although the provider gave no finish reason [field-bug:PB-structured-output-03]", async () => {
  const model = scriptedModel([json, json]);
  const bare = {
    ...model,
    async generate(request: Parameters<typeof model.generate>[0]) {
      const { finishReason: _none, ...response } = await model.generate(request);
      const { finishReason: _too, ...message } = response.message;
      return { ...response, message } as Awaited<ReturnType<typeof model.generate>>;
    },
  };
  expect((await new Agent({ ...base, model: bare, output: order }).run("go")).structured).toEqual(value);
  // A reason that only the message has counts.
  const cut = {
    ...model,
    generate: async (request: Parameters<typeof model.generate>[0]) => {
      const { message } = await bare.generate(request);
      return { message: { ...message, finishReason: "length" } } as Awaited<ReturnType<typeof model.generate>>;
    },
  };

  expect((await new Agent({ ...base, model: cut }).run("go")).stopReason).toBe("truncated");
});

test("a structured answer is streamed as partial values", async () => {
  const model = scriptedModel([{ deltas: ['{"id": "4', '2", "lin', 'es": [{"sku": "a', '"}]}'] }]);
  const { events } = await collect(new Agent({ ...base, model, output: order }).stream("go"));
  const partials = events.flatMap((event: RunEvent) => (event.type === "structured.delta" ? [event.partial] : []));
  expect(partials).toEqual([
    { id: "4" },
    { id: "42" },
    { id: "42", lines: [{ sku: "a" }] },
    { id: "42", lines: [{ sku: "a" }] },
  ]);
});

test("a run may have its own schema; a resumed run keeps the structured answer", async () => {
  const store = memoryStore();
  const agent = new Agent({ ...base, model: scriptedModel(['{"n": 4}']), store });
  const result = await agent.run("go", { output: z.object({ n: z.number() }) });
  expect(result.structured?.n).toBe(4);
  expect((await agent.replay(result.runId))?.structured).toEqual({ n: 4 });
});

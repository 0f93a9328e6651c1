import type { Message, RunEvent } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { add, addCall, collect, counter, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** A conversation with calls, whose messages are long. */
function conversation(length: number): Message[] {
  return Array.from({ length }, (_, index): Message[] => [
    { id: `u${index}`, role: "user", content: `question ${index} ${"x".repeat(200)}` },
    {
      id: `a${index}`,
      role: "assistant",
      content: [{ type: "tool_call", toolCallId: `c${index}` }],
      toolCalls: [{ id: `c${index}`, name: "add", arguments: "{}" }],
      finishReason: "tool_calls",
      provenance: { provider: "scripted", api: "in-process", model: "scripted-1" },
    },
    {
      id: `t${index}`,
      role: "tool",
      toolCallId: `c${index}`,
      toolName: "add",
      content: `result ${index} ${"y".repeat(200)}`,
    },
  ]).flat();
}

function expectPaired(messages: readonly Message[]): void {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [],
  );
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
  expect(results).toEqual(calls);
}

test("a cut keeps call pairs, the system message and the task, and does not change the history [context.cut.pairs] [context.cut.keeps] [context.cut.view]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 2_000 }),
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom("trim" as const, "hybrid" as const),
      async (maxContextTokens, turns, strategy) => {
        let turn = 0;
        const model = scriptedModel(() => ((turn += 1) < 5 ? addCall(turn, 1) : "Done."));
        const summarizeModel = scriptedModel(() => "They added numbers.");
        const agent = new Agent({
          ...base,
          model,
          tools: [add],
          instructions: "Be kind.",
          contextCompactor: { maxContextTokens, strategy, summarizeModel },
        });
        const history = conversation(turns);
        const result = await agent.run("The task.", { messages: history });
        const asked = model.requests.at(-1)?.messages ?? [];
        expectPaired(asked);
        expect(asked[0]).toMatchObject({ role: "system", content: "Be kind." });
        expect(asked.some(({ content }) => content === "The task.")).toBe(true);
        // A result whose call was cut off would be left out of the request, with this warning.
        expect(result.warnings.map(({ code }) => code)).not.toContain("result_without_call");
        expect(result.messages).toHaveLength(history.length + 10);
      },
    ),
    { numRuns: 200 },
  );
});

test("the context stays below its bound, over many turns, with few cuts [messages.context-compactor-config]", async () => {
  const model = scriptedModel((request) =>
    request.turn < 12 ? { ...addCall(request.turn, 1), text: "z".repeat(400) } : "Done.",
  );
  const agent = new Agent({
    ...base,
    model,
    tools: [add],
    contextCompactor: { maxContextTokens: 1_200, reserveTokens: 200, strategy: "trim" },
  });
  const { events } = await collect(agent.stream("The task."));
  for (const request of model.requests)
    expect(JSON.stringify(request.messages.map(({ content }) => content)).length / 4).toBeLessThan(1_200);
  const cuts = events.filter(({ type }) => type === "compaction").length;
  expect(cuts).toBeGreaterThan(0);
  expect(cuts).toBeLessThan(7);
});

test("summaries are incremental and bounded, and cannot overflow themselves [context.summaries]", async () => {
  const summarizer = scriptedModel(() => `summary ${"s".repeat(20_000)}`, { modelId: "cheap" });
  const model = scriptedModel((request) =>
    request.turn < 8 ? { ...addCall(request.turn, 1), text: `fact ${request.turn} ${"z".repeat(3_000)}` } : "Done.",
  );
  const agent = new Agent({
    ...base,
    model,
    tools: [add],
    contextCompactor: { maxContextTokens: 4_000, strategy: "summarize", summarizeModel: summarizer },
  });
  const { events } = await collect(agent.stream("The task."));
  const summaries = events.flatMap((event: RunEvent) =>
    event.type === "compaction" && event.summary !== undefined ? [event.summary] : [],
  );
  expect(summaries.length).toBeGreaterThan(1);
  for (const summary of summaries) expect(summary.length).toBeLessThanOrEqual(4_000);
  for (const request of summarizer.requests) expect(JSON.stringify(request.messages).length / 4).toBeLessThan(8_000);
  expect(JSON.stringify(summarizer.requests[1]?.messages)).toContain("Earlier summary:\\nsummary");
  expect(
    model.requests
      .at(-1)
      ?.messages.some(({ content }) => JSON.stringify(content).includes("[Summary of the conversation until here]")),
  ).toBe(true);
});

test("a failed summary leaves the cut conversation, with a warning", async () => {
  const broken = scriptedModel(() => ({ faults: { error: { status: 500 } } }));
  const agent = new Agent({
    ...base,
    model: scriptedModel(() => "Done."),
    tools: [add],
    contextCompactor: { maxContextTokens: 500, strategy: "summarize", summarizeModel: broken },
  });
  const result = await agent.run("go", { messages: conversation(10) });
  expect(result.text).toBe("Done.");
  expect(result.warnings.map(({ code }) => code)).toContain("beside_call_failed");
});

test("more important content is kept before old tool results [messages.context-compactor-config.priority-order]", async () => {
  const asked = async (priorityOrder: readonly ("recentHistory" | "tools")[]): Promise<readonly Message[]> => {
    const model = scriptedModel(() => "Done.");
    const long = conversation(6).map((message): Message =>
      message.role === "tool" ? { ...message, content: "y".repeat(2_000) } : message,
    );
    await new Agent({
      ...base,
      model,
      tools: [add],
      contextCompactor: { maxContextTokens: 2_300, strategy: "trim", priorityOrder },
    }).run("go", { messages: long });
    return model.requests[0]?.messages ?? [];
  };
  const history = await asked(["recentHistory", "tools"]);
  expect(history.filter(({ role }) => role === "user")).toHaveLength(7);
  expect(JSON.stringify(history)).toContain("not shown any more");
  const results = await asked(["tools", "recentHistory"]);
  expect(results.filter(({ role }) => role === "user").length).toBeLessThan(7);
  expect(JSON.stringify(results)).not.toContain("not shown any more");
});

test("arguments, images and tool definitions count as tokens [context.budget-counts]", async () => {
  const dropped = async (message: Message, maxContextTokens: number, tools: boolean): Promise<boolean> => {
    const model = scriptedModel(() => "Done.");
    const padding: Message = { id: "pad", role: "user", content: "pad" };
    await new Agent({
      ...base,
      model,
      tools: tools ? [add] : [],
      contextCompactor: { maxContextTokens, strategy: "trim" },
    }).run("go", { messages: [message, padding] });
    return model.requests[0]?.messages.every(({ id }) => id !== message.id) ?? false;
  };
  const plain: Message = { id: "m", role: "user", content: "hello" };
  const image: Message = { id: "m", role: "user", content: [{ type: "image", url: "https://example.com/a.png" }] };
  expect(await dropped(plain, 300, false)).toBe(false);
  expect(await dropped(image, 300, false)).toBe(true);
  expect(await dropped(plain, 60, false)).toBe(false);
  expect(await dropped(plain, 60, true)).toBe(true);
});

test("a call that waits for a person is never cut [context.cut.keeps]", async () => {
  const { write } = counter({ needsApproval: true });
  const model = scriptedModel([writeCall("z".repeat(3_000)), "Done."]);
  const agent = new Agent({
    ...base,
    model,
    tools: [write],
    contextCompactor: { maxContextTokens: 300, strategy: "trim" },
  });
  const first = await agent.run("go", { messages: conversation(3) });
  expect(first.status).toBe("suspended");
  await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.approve()),
  );
  const asked = model.requests[1]?.messages ?? [];
  expectPaired(asked);
  expect(asked.at(-1)?.role).toBe("tool");
});

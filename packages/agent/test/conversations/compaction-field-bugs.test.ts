import {
  ContextOverflowError,
  memoryStore,
  tool,
  type Message,
  type ModelProvider,
  type ModelRequest,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { addCall, add, collect, counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** Every call of a request has exactly one result, right after the message that made it. */
function expectPaired(messages: readonly Message[]): void {
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") expect(open.splice(open.indexOf(message.toolCallId), 1)).toEqual([message.toolCallId]);
    else expect(open).toEqual([]);
    if (message.role === "assistant") open.push(...message.toolCalls.map(({ id }) => id));
  }
  expect(open).toEqual([]);
}

const tokensOf = (request: ModelRequest): number =>
  Math.ceil(JSON.stringify(request.messages.map(({ content }) => content)).length / 4);

/** A reader that returns a given number of tokens of text. */
function gives(tokens: number): Tool {
  return tool({
    name: "gives",
    description: "Gives.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    inboundSanitization: "pass-through",
    execute: () => "word ".repeat((tokens * 4) / 5),
  });
}

const givesCall = { toolCalls: [{ name: "gives", arguments: {} }] };

test("a cut in a history of single and parallel calls keeps or removes both sides of a pair [field-bug:PB-compaction-01] [field-bug:PB-compaction-11]", async () => {
  const provenance = { provider: "scripted", api: "in-process", model: "scripted-1" };
  const history = [1, 2, 3, 1, 3].flatMap((calls, turn): Message[] => {
    const ids = Array.from({ length: calls }, (_, index) => `c${turn}-${index}`);
    return [
      { id: `u${turn}`, role: "user", content: `question ${"x".repeat(160)}` },
      {
        id: `a${turn}`,
        role: "assistant",
        content: ids.map((toolCallId) => ({ type: "tool_call", toolCallId })),
        toolCalls: ids.map((id) => ({ id, name: "add", arguments: "{}" })),
        finishReason: "tool_calls",
        provenance,
      },
      ...ids.map((toolCallId): Message => ({
        id: `t${toolCallId}`,
        role: "tool",
        toolCallId,
        toolName: "add",
        content: `result ${"y".repeat(80)}`,
      })),
      {
        id: `b${turn}`,
        role: "assistant",
        content: [{ type: "text", text: `answer ${turn}` }],
        toolCalls: [],
        finishReason: "stop",
        provenance,
      },
    ];
  });
  const kept = new Set<number>();
  for (let maxContextTokens = 40; maxContextTokens < 900; maxContextTokens += 10) {
    const model = scriptedModel(() => "Done.");
    const contextCompactor = { maxContextTokens, strategy: "trim" } as const;
    const { warnings } = await new Agent({ ...base, model, contextCompactor }).run("The task.", { messages: history });
    const messages = model.requests[0]?.messages ?? [];
    expectPaired(messages);
    // A result whose call was cut off would be left out of the request, with this warning.
    expect(warnings.map(({ code }) => code)).not.toContain("result_without_call");
    kept.add(messages.length);
  }
  expect(kept.size).toBeGreaterThan(4);
});

test("an answer with more calls than the limit keeps them, and each call gets a result [field-bug:PB-compaction-04]", async () => {
  const { write, ran } = counter();
  const model = scriptedModel([addCall(), { ...writeCall("z".repeat(3_000)), text: "long ".repeat(200) }, "Done."]);
  const result = await new Agent({
    ...base,
    model,
    tools: [add, write],
    contextCompactor: { maxContextTokens: 600, strategy: "trim" },
  }).run("go");
  expect(ran).toHaveLength(1);
  expect(result.toolCalls.map(({ toolName }) => toolName)).toEqual(["add", "write"]);
  for (const { messages } of model.requests) expectPaired(messages);
  expect(
    model.requests.at(-1)?.messages.some((message) => message.role === "tool" && message.toolName === "write"),
  ).toBe(true);
});

test("the limit is checked before every request of a loop, not only between user messages [field-bug:PB-compaction-06]", async () => {
  const model = scriptedModel((request) => (request.turn < 6 ? givesCall : "Done."));
  await new Agent({
    ...base,
    model,
    tools: [gives(3_000)],
    loopDetection: false,
    contextCompactor: { maxContextTokens: 10_000, strategy: "trim" },
  }).run("go");
  expect(model.requests).toHaveLength(7);
  for (const request of model.requests) {
    expect(tokensOf(request)).toBeLessThanOrEqual(10_000);
    expectPaired(request.messages);
  }
});

test("a result larger than the whole window is cut before the next request [field-bug:PB-compaction-07]", async () => {
  const model = scriptedModel([givesCall, "Done."]);
  const result = await new Agent({
    ...base,
    model,
    tools: [gives(20_000)],
    toolResultLimit: { strategy: "middle" },
    contextCompactor: { maxContextTokens: 10_000, strategy: "trim" },
  }).run("go");
  expect(result.text).toBe("Done.");
  for (const request of model.requests) expect(tokensOf(request)).toBeLessThanOrEqual(10_000);
});

/** A model that refuses requests as too long if the function says so. */
function narrow(
  model: ScriptedModel,
  refuses: (request: ModelRequest, attempt: number) => boolean,
): ModelProvider & { readonly attempts: number } {
  let attempts = 0;
  return {
    ...model,
    get attempts() {
      return attempts;
    },
    generate: async (request) => {
      attempts += 1;
      if (refuses(request, attempts)) throw new ContextOverflowError("too long", { provider: "narrow" });
      return model.generate(request);
    },
  };
}

test("a compaction that frees nothing ends the run instead of looping [field-bug:PB-compaction-08]", async () => {
  const summarizer = scriptedModel(() => "");
  const model = narrow(scriptedModel(["never"]), () => true);
  const agent = new Agent({
    ...base,
    model,
    contextCompactor: { maxContextTokens: 100_000, strategy: "summarize", summarizeModel: summarizer },
  });
  const error = await failureOf(agent.run("go"));
  expect(error).toMatchObject({ code: "CONTEXT_OVERFLOW", output: { stopReason: "context_overflow" } });
  expect([model.attempts, summarizer.requests.length]).toEqual([1, 0]);
});

test("each request may be compacted again after progress, and a series without progress ends the run [field-bug:PB-compaction-09]", async () => {
  // Every first attempt of a turn is too long; the shortened one succeeds.
  const model = narrow(
    scriptedModel((request) => (request.turn < 4 ? addCall(request.turn, 1) : "Done.")),
    (_request, attempt) => attempt % 2 === 1,
  );
  const history = Array.from({ length: 60 }, (_, index): Message => ({
    id: `m${index}`,
    role: "user",
    content: `note ${index} ${"x".repeat(300)}`,
  }));
  const result = await new Agent({ ...base, model, tools: [add] }).run("go", { messages: history });
  expect(result).toMatchObject({ text: "Done.", metrics: { turns: 5 } });
  const stuck = narrow(scriptedModel(["never"]), () => true);
  await failureOf(new Agent({ ...base, model: stuck }).run("go", { messages: history }));
  expect(stuck.attempts).toBeLessThanOrEqual(6);
});

test("the size limit is kept after a turn that failed before its usage, and a result without content is empty [field-bug:PB-compaction-12]", async () => {
  let turn = 0;
  const model = scriptedModel(() => {
    turn += 1;
    return turn === 1
      ? { text: "half of it", faults: { cutAfterEvents: 1 } }
      : { ...addCall(turn, 1), text: "z".repeat(800) };
  });
  const store = memoryStore();
  const agent = new Agent({
    ...base,
    store,
    model,
    tools: [add],
    maxTurns: 12,
    retry: { maxRetries: 0 },
    contextCompactor: { maxContextTokens: 1_200, strategy: "trim" },
  });
  const broken = agent.stream("go");
  const { error } = await collect(broken);
  expect(error).toBeDefined();
  await agent.resume(broken.runId);
  expect(model.requests.length).toBeGreaterThan(8);
  for (const request of model.requests) expect(tokensOf(request)).toBeLessThanOrEqual(1_200);

  const empty = scriptedModel(["Done."]);
  const history: Message[] = [
    {
      id: "a",
      role: "assistant",
      content: [{ type: "tool_call", toolCallId: "c" }],
      toolCalls: [{ id: "c", name: "add", arguments: "{}" }],
      finishReason: "tool_calls",
      provenance: { provider: "scripted", api: "in-process", model: "scripted-1" },
    },
    { id: "t", role: "tool", toolCallId: "c", toolName: "add" } as Message,
  ];
  await new Agent({ ...base, model: empty }).run("go", { messages: history });
  expect(empty.requests[0]?.messages.find(({ role }) => role === "tool")?.content).toBe("");
});

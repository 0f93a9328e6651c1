// A conversation is shortened until its request fits, whatever the model says about its length.
import {
  InputTooLongError,
  memoryStore,
  tool,
  type ChatMessage,
  type Message,
  type ModelRequest,
} from "@bailiwick/core";
import { scriptedModel, type ScriptedModel, type ScriptRequest, type ScriptStep } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off", retry: { maxRetries: 0 } } as const;

function textOf({ content }: Message): string {
  return typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");
}

/** Characters that a scripted model reads. */
function charactersOf({ system, messages }: ScriptRequest): number {
  return messages.reduce(
    (sum, { text, toolResult, toolCalls }) =>
      sum + (toolResult?.text ?? text).length + toolCalls.reduce((all, call) => all + call.arguments.length, 0),
    system.length,
  );
}

/** Characters of a request, without its calls. */
function sizeOf({ messages }: Pick<ModelRequest, "messages">): number {
  return messages.reduce((sum, message) => sum + textOf(message).length, 0);
}

function expectPaired(messages: readonly Message[]): void {
  const calls = messages.flatMap((one) => (one.role === "assistant" ? one.toolCalls.map(({ id }) => id) : []));
  expect(messages.flatMap((one) => (one.role === "tool" ? [one.toolCallId] : []))).toEqual(calls);
}

/** How a vendor refuses a request of a number of tokens. */
const sentences = {
  both: (tokens: number, window: number) => `prompt is too long: ${tokens} tokens > ${window} maximum`,
  maximum: (_tokens: number, window: number) => `the request exceeds the available context size (${window} tokens)`,
  none: () => "Your input exceeds the context window of this model.",
};

interface Window {
  readonly window: number;
  /** Tokens that the vendor counts for 4 characters. */
  readonly perToken: number;
  readonly says: keyof typeof sentences;
}

/** A model with a window that counts tokens in its own way. */
function windowed(
  { window, perToken, says }: Window,
  answer: (accepted: number) => ScriptStep | string,
): ScriptedModel {
  let accepted = 0;
  return scriptedModel((request) => {
    const tokens = Math.ceil((charactersOf(request) / 4) * perToken);
    if (tokens <= window) return answer((accepted += 1));
    return {
      faults: { error: { status: 400, code: "context_length_exceeded", message: sentences[says](tokens, window) } },
    };
  });
}

const words = (tokens: number): string => "word ".repeat(Math.ceil((tokens * 4) / 5));

function reader(tokens: number) {
  return tool({
    name: "read",
    description: "Reads.",
    inputSchema: z.object({ part: z.number() }),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    maxResultTokens: 0,
    execute: ({ part }) => `part ${part} ${words(tokens)} end ${part}`,
  });
}

const readCalls = (...parts: readonly number[]): ScriptStep => ({
  toolCalls: parts.map((part) => ({ name: "read", arguments: { part } })),
});

/** Groups of messages: of a person, an answer, or a call with its result; the numbers are tokens. */
const group = fc.record({
  kind: fc.constantFrom("user", "answer", "call", "image" as const),
  tokens: fc.nat({ max: 3_000 }),
  count: fc.integer({ min: 1, max: 4 }),
});

function historyOf(groups: readonly { kind: string; tokens: number; count: number }[]): ChatMessage[] {
  return groups.flatMap(({ kind, tokens, count }, at): ChatMessage[] => {
    const text = `g${at} ${words(tokens)}`;
    if (kind === "user") return [{ role: "user", content: text }];
    if (kind === "answer") return [{ role: "assistant", content: text }];
    if (kind === "image") {
      return [
        {
          role: "user",
          content: [
            { type: "text", text: `g${at}` },
            { type: "image", url: "https://example.com/a.png" },
          ],
        },
      ];
    }
    const ids = Array.from({ length: count }, (_, index) => `c${at}-${index}`);
    return [
      { role: "assistant", content: null, toolCalls: ids.map((id) => ({ id, name: "read", arguments: '{"part":1}' })) },
      ...ids.map((id): ChatMessage => ({ role: "tool", toolCallId: id, name: "read", content: text })),
    ];
  });
}

test("any conversation is answered within six requests, or its newest message is too long [context.fit] [context.fit.input-too-long]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(group, { maxLength: 30 }),
      fc.record({
        window: fc.integer({ min: 1_000, max: 20_000 }),
        perToken: fc.constantFrom(0.5, 1, 3),
        says: fc.constantFrom("both", "maximum" as const),
      }),
      fc.constantFrom(undefined, "trim", "hybrid", "summarize" as const),
      fc.nat({ max: 8_000 }),
      fc.nat({ max: 6 }),
      fc.option(fc.constantFrom(0, 1, 10_000_000), { nil: undefined }),
      async (groups, vendor, strategy, question, calls, reported) => {
        const parts = Array.from({ length: calls }, (_, index) => index);
        const usage = reported === undefined ? {} : { usage: { inputTokens: reported } };
        const model = windowed(vendor, (accepted) =>
          accepted === 1 && calls > 0 ? { ...readCalls(...parts), ...usage } : { text: "Done.", ...usage },
        );
        const summarizeModel = scriptedModel(() => `A summary. ${words(300)}`);
        const contextCompactor = strategy && { maxContextTokens: vendor.window, strategy, summarizeModel };
        const messages = historyOf(groups);
        const agent = new Agent({
          ...base,
          model,
          tools: [reader(1_500)],
          instructions: words(vendor.window / 16),
          contextCompactor,
        });
        const input = `newest ${words(question)}`;
        const failures: unknown[] = [];
        const output = await agent.run(input, { messages }).catch((error: unknown) => {
          failures.push(error);
          return (error as { output: { messages: readonly Message[]; status: string } }).output;
        });
        for (const failure of failures) expect(failure).toBeInstanceOf(InputTooLongError);
        if (failures.length === 0) expect(output.status).toBe("completed");
        expect(model.requests.length).toBeLessThanOrEqual(calls > 0 ? 12 : 6);
        expect(summarizeModel.requests.length).toBeLessThanOrEqual(2);
        for (const request of summarizeModel.requests)
          expect(sizeOf(request) / 4).toBeLessThanOrEqual(vendor.window + 1_000);
        for (const request of model.requests) {
          expectPaired(request.messages);
          expect(request.messages.some((message) => textOf(message) === input)).toBe(true);
        }
        // Results of others are in a frame.
        const kept = output.messages.map((message) => textOf(message)).join("\n");
        for (const { content } of messages) if (typeof content === "string") expect(kept).toContain(content);
      },
    ),
    { numRuns: 150 },
  );
});

test("a request that is too large is cut by the vendor's own numbers, at the second attempt [context.fit.vendor-numbers]", async () => {
  const messages = Array.from({ length: 60 }, (_, at): ChatMessage => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `m${at} ${words(400)}`,
  }));
  const model = windowed({ window: 8_000, perToken: 1.6, says: "both" }, () => "Done.");
  const output = await new Agent({ ...base, model }).run("And now?", { messages });
  expect(output.text).toBe("Done.");
  expect(model.requests).toHaveLength(2);
  expect(output.warnings.map(({ code }) => code)).toContain("context_trimmed");
  const silent = windowed({ window: 8_000, perToken: 1.6, says: "none" }, () => "Done.");
  expect((await new Agent({ ...base, model: silent }).run("And now?", { messages })).text).toBe("Done.");
});

test("eight results of the newest turn are cut to a common length, each with the way to its whole text [context.fit.results]", async () => {
  const model = windowed({ window: 32_000, perToken: 1, says: "none" }, (accepted) =>
    accepted === 1 ? readCalls(1, 2, 3, 4, 5, 6, 7, 8) : "Done.",
  );
  await new Agent({ ...base, model, tools: [reader(5_000)] }).run("Read all.");
  const request = model.requests.at(-1);
  const results = request?.messages.flatMap((one) => (one.role === "tool" ? [textOf(one)] : [])) ?? [];
  expect(results).toHaveLength(8);
  expect(
    Math.max(...results.map(({ length }) => length)) - Math.min(...results.map(({ length }) => length)),
  ).toBeLessThan(100);
  expect(Math.min(...results.map(({ length }) => length))).toBeGreaterThan(5_000);
  for (const [at, text] of results.entries()) {
    expect(text).toContain(`part ${at + 1} `);
    expect(text).toContain(`end ${at + 1}`);
    expect(text).toMatch(/read_result\(\{"handle":"[0-9a-f]{64}","offset":0\}\)/);
  }
  expect(request?.tools?.map((one) => one.name)).toContain("read_result");
});

test("the model reads the whole of a shortened result, and the messages that were left out, by their handles [context.fit.handles]", async () => {
  const read: string[] = [];
  const store = memoryStore();
  const model = scriptedModel((request) => {
    read.push(...request.messages.flatMap(({ toolResult }) => toolResult?.text ?? []));
    if (request.turn === 0) return readCalls(1);
    const handles = [...JSON.stringify(request.messages).matchAll(/read_result\(\{\\*"handle\\*":\\*"([0-9a-f]{64})/g)];
    if (request.turn > 3 || handles.length === 0) return request.turn > 3 ? "Done." : readCalls(request.turn + 1);
    return {
      toolCalls: handles
        .slice(0, 2)
        .map(([, handle]) => ({ name: "read_result", arguments: { handle, offset: 0, limit: 400 } })),
    };
  });
  const messages = Array.from({ length: 12 }, (_, at): ChatMessage => ({
    role: "user",
    content: `note ${at} ${words(500)}`,
  }));
  await new Agent({
    ...base,
    store,
    model,
    tools: [reader(2_000)],
    contextCompactor: { maxContextTokens: 4_500, strategy: "trim" },
  }).run("Read.", { messages });
  expect(read.join("\n")).toContain("user: note 0 word");
});

test("a newest message above the limit is refused before the request, with both sizes [context.fit.input-too-long]", async () => {
  const model = scriptedModel(["never"]);
  const contextCompactor = { maxContextTokens: 1_000, strategy: "trim" } as const;
  const error = await failureOf(new Agent({ ...base, model, contextCompactor }).run(words(3_000)));
  expect(error).toMatchObject({
    code: "INPUT_TOO_LONG",
    maximumTokens: 1_000,
    tokens: expect.closeTo(3_004, -2) as number,
    output: { status: "failed", stopReason: "context_overflow" },
  });
  expect(model.requests).toHaveLength(0);
  const refused = windowed({ window: 2_000, perToken: 1, says: "both" }, () => "never");
  const told = await failureOf(new Agent({ ...base, model: refused }).run(words(3_000)));
  expect(told).toMatchObject({ code: "INPUT_TOO_LONG", maximumTokens: 2_000 });
  expect(refused.requests).toHaveLength(1);
});

test("the count that a vendor reports corrects the estimate of the next requests, also after a resume [context.measured]", async () => {
  const used: number[] = [];
  const store = memoryStore();
  const model = scriptedModel((request) => {
    const real = charactersOf(request);
    used.push(real);
    const step = used.length <= 15 ? readCalls(used.length) : ({ text: "Done." } as const);
    return { ...step, usage: { inputTokens: real, outputTokens: 5 } };
  });
  const agent = new Agent({
    ...base,
    store,
    model,
    tools: [reader(500)],
    maxTurns: 30,
    loopDetection: false,
    contextCompactor: { maxContextTokens: 10_000, strategy: "trim" },
  });
  const { runId } = await agent.run("Read it all.", { maxTurns: 6 });
  await agent.resume(runId, undefined, { maxTurns: 30 }).catch(() => undefined);
  expect(used.length).toBeGreaterThan(5);
  expect(Math.max(...used)).toBeLessThan(13_000);
});

test.each([
  ["summarize", "hybrid"],
  ["hybrid", "maxResultTokens"],
] as const)(
  "strategy %j asks for one summary in four turns, and a warning names %j [context.summaries.bound]",
  async (strategy, named) => {
    let work = 0;
    let summaries = 0;
    const model = scriptedModel((request) => {
      if (request.tools.length === 0) return ((summaries += 1), `A summary. ${words(240)}`);
      work += 1;
      return work <= 20
        ? { ...readCalls(work), text: strategy === "hybrid" ? `answer ${work} ${words(3_000)}` : "" }
        : "Done.";
    });
    const output = await new Agent({
      ...base,
      model,
      tools: [reader(4_000)],
      maxTurns: 30,
      loopDetection: false,
      contextCompactor: { maxContextTokens: 8_000, strategy },
    }).run("Read all parts.");
    expect(summaries).toBeGreaterThan(1);
    expect(summaries).toBeLessThanOrEqual(1 + 20 / 4);
    const warnings = output.warnings.filter(({ code }) => code === "summaries_limited");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toContain(named);
  },
);

const sections = ["system", "memory", "recentHistory", "tools"] as const;
type Section = (typeof sections)[number];

/** The parts of a long conversation that a request has whole, if a section is the least important. */
async function wholeParts(least: Section): Promise<ReadonlySet<string>> {
  const long = (name: string): string => `${words(150)}${name} middle ${words(150)}`;
  const model = scriptedModel(["Done."]);
  const messages = Array.from({ length: 6 }, (_, at): ChatMessage[] => [
    { role: "system", content: long(`system${at}`) },
    { role: "user", content: long(`recentHistory${at}`) },
    { role: "assistant", content: null, toolCalls: [{ id: `c${at}`, name: "read", arguments: "{}" }] },
    { role: "tool", toolCallId: `c${at}`, name: "read", content: long(`tools${at}`) },
  ]).flat();
  const memories = Array.from({ length: 6 }, (_, at) => ({
    id: `memory${at}`,
    text: long(`memory${at}`),
    integrity: "user" as const,
    readers: "public" as const,
    why: "a test",
  }));
  await new Agent({
    ...base,
    model,
    memory: { contextFor: async () => memories, accessFor: () => undefined as never },
    contextCompactor: {
      maxContextTokens: 7_300,
      strategy: "trim",
      priorityOrder: [...sections.filter((one) => one !== least), least],
    },
  }).run("Last.", { messages });
  const sent = JSON.stringify(model.requests[0]?.messages);
  const names = sections.flatMap((one) => Array.from({ length: 6 }, (_, at) => `${one}${at}`));
  return new Set(names.filter((name) => sent.includes(`${name} middle`)));
}

test.each(sections)(
  "%s that priorityOrder names last is shortened first, and alone [messages.context-compactor-config.priority-order]",
  async (least) => {
    const whole = await wholeParts(least);
    const missing = sections.filter((one) => [0, 1, 2, 3, 4, 5].some((at) => !whole.has(`${one}${at}`)));
    // A result stays with its call, so what leaves the history takes its results with it.
    expect(missing).toEqual(least === "recentHistory" ? ["recentHistory", "tools"] : [least]);
  },
);

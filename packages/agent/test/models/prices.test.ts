import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Agent, type ModelProvider, type ModelRequest, type PriceTable, type TokenUsage } from "../../src/index.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const base = { name: "clerk", logger: quiet, flow: "off" } as const;

/** A model that answers "ok" with a given bill, and remembers what it was asked. */
function billed(name: string, ...usages: readonly Partial<TokenUsage>[]): ModelProvider & { requests: ModelRequest[] } {
  const [provider = "", modelId = ""] = name.split("/");
  const requests: ModelRequest[] = [];
  return {
    provider,
    modelId,
    api: "in-process",
    capabilities: {
      input: { image: false, audio: false, file: false },
      toolResultMedia: "following-user-message",
      toolCallId: {},
      toolName: { pattern: /^\w+$/, maxLength: 64 },
      replaysReasoning: false,
      systemAnywhere: true,
      structuredOutput: "none",
    },
    requests,
    generate: async (request) => {
      requests.push(request);
      const counts = { inputTokens: 0, outputTokens: 0, ...(usages[requests.length - 1] ?? usages.at(-1)) };
      const usage = { ...counts, totalTokens: counts.inputTokens + counts.outputTokens };
      const isLast = requests.length >= usages.length;
      const toolCalls = isLast ? [] : [{ id: `c${requests.length}`, name: "nothing", arguments: "{}" }];
      return {
        message: {
          id: "",
          role: "assistant",
          content: isLast ? [{ type: "text", text: "ok" }] : [{ type: "tool_call", toolCallId: `c${requests.length}` }],
          toolCalls,
          finishReason: isLast ? "stop" : "tool_calls",
          provenance: { provider, api: "in-process", model: modelId },
        },
        usage,
        finishReason: isLast ? "stop" : "tool_calls",
        raw: undefined,
        warnings: [],
      };
    },
    stream: () => {
      throw new Error("This model does not stream.");
    },
  };
}

const million = 1_000_000;
const openaiPage = "https://developers.openai.com/api/docs/pricing";
const claudePage = "https://platform.claude.com/docs/en/about-claude/pricing";
const geminiPage = "https://ai.google.dev/gemini-api/docs/pricing";

describe("the cost of an answer follows everything that was billed [messages.run-output.cost-usd] [providers.models.price-factors]", () => {
  test.each<[factor: string, source: string, model: string, usage: Partial<TokenUsage>, usd: number]>([
    ["input", openaiPage, "openai/gpt-5.4-mini", { inputTokens: million }, 0.75],
    ["output", openaiPage, "openai/gpt-5.4", { outputTokens: million }, 15],
    ["cache reads", claudePage, "anthropic/claude-opus-5-5", { inputTokens: million, cachedTokens: million }, 0.2],
    [
      "5 minute cache writes",
      claudePage,
      "anthropic/claude-opus-5",
      { inputTokens: million, cacheWriteTokens: million },
      6.25,
    ],
    [
      "1 hour cache writes",
      claudePage,
      "anthropic/claude-opus-5",
      { inputTokens: million, cacheWriteTokens: million, longCacheWriteTokens: million },
      10,
    ],
    [
      "both lifetimes",
      claudePage,
      "anthropic/claude-opus-5",
      { inputTokens: million, cacheWriteTokens: million, longCacheWriteTokens: 400_000 },
      0.6 * 6.25 + 0.4 * 10,
    ],
    [
      "priority",
      "https://openai.com/api-priority-processing",
      "openai/gpt-5.4",
      { outputTokens: million, serviceTier: "priority" },
      30,
    ],
    [
      "priority of GPT-5.5",
      "https://openai.com/api-priority-processing",
      "openai/gpt-5.5",
      { outputTokens: million, serviceTier: "priority" },
      75,
    ],
    [
      "priority of GPT-5 mini",
      "https://openai.com/api-priority-processing",
      "openai/gpt-5-mini",
      { inputTokens: million, serviceTier: "priority" },
      0.45,
    ],
    ["flex", openaiPage, "openai/gpt-5.4", { outputTokens: million, serviceTier: "flex" }, 7.5],
    ["batch", claudePage, "anthropic/claude-opus-5-5", { outputTokens: million, serviceTier: "batch" }, 10],
    [
      "fast mode",
      "https://platform.claude.com/docs/en/build-with-claude/fast-mode",
      "anthropic/claude-opus-5",
      { outputTokens: million, serviceTier: "fast" },
      50,
    ],
    ["context at the step", openaiPage, "openai/gpt-5.4", { inputTokens: 272_000 }, 0.68],
    ["long context", openaiPage, "openai/gpt-5.4", { inputTokens: 400_000 }, 2],
    [
      "output after long context",
      openaiPage,
      "openai/gpt-5.4",
      { inputTokens: 300_000, outputTokens: 100_000 },
      1.5 + 2.25,
    ],
    ["long context of Haiku 5.5", claudePage, "anthropic/claude-haiku-5-5", { inputTokens: 200_000 }, 0.1],
    ["long context of Gemini", geminiPage, "google/gemini-3.1-pro-preview", { inputTokens: 300_000 }, 1.2],
    ["long context by flex", openaiPage, "openai/gpt-5.4", { inputTokens: 400_000, serviceTier: "flex" }, 1],
    ["web searches of Claude", claudePage, "anthropic/claude-opus-5", { hostedCalls: { web_search: 1000 } }, 10],
    ["web searches of GPT", openaiPage, "openai/gpt-5.5", { hostedCalls: { web_search: 1000 } }, 10],
    ["file searches", openaiPage, "openai/gpt-5.5", { hostedCalls: { file_search: 1000 } }, 2.5],
    ["searches of Gemini 3", geminiPage, "google/gemini-3.5-flash", { hostedCalls: { google_search: 1000 } }, 14],
    [
      "audio input",
      geminiPage,
      "google/gemini-2.5-flash",
      { inputTokens: million, audioInputTokens: 400_000 },
      0.4 + 0.18,
    ],
    [
      "requests inside a call, each by its own size",
      openaiPage,
      "openai/gpt-5.4",
      {
        inputTokens: 400_000,
        requests: [
          { inputTokens: 200_000, outputTokens: 0 },
          { inputTokens: 200_000, outputTokens: 0 },
        ],
      },
      1,
    ],
    [
      "an adviser that is another model",
      claudePage,
      "anthropic/claude-haiku-4-5",
      {
        inputTokens: million,
        outputTokens: million,
        requests: [
          { inputTokens: million, outputTokens: 0 },
          { model: "claude-opus-4-8", inputTokens: 0, outputTokens: million },
        ],
      },
      1 + 25,
    ],
    [
      "the server's own bill",
      "https://openrouter.ai/docs",
      "openai/gpt-5.5",
      { inputTokens: million, reportedUsd: 1.25 },
      1.25,
    ],
  ])("%s (%s)", async (_factor, _source, model, usage, usd) => {
    const output = await new Agent({ ...base, model: billed(model, usage) }).run("Hi.");
    expect(output.costUsd).toBeCloseTo(usd, 6);
    expect(output.warnings).toEqual([]);
  });

  test("own prices have each factor too", async () => {
    const prices: PriceTable = {
      "own/m": {
        input: 1,
        output: 10,
        audioInput: 4,
        cachedAudioInput: 2,
        audioOutput: 40,
        tiers: { slow: 0.5 },
        regions: { us: 1.1 },
        hostedCalls: { look: 0.5 },
        longContext: [{ above: 100, input: 2, output: 20, audioInput: 8, tiers: { slow: 0.1 } }],
      },
    };
    const cost = async (usage: Partial<TokenUsage>): Promise<number | undefined> =>
      (await new Agent({ ...base, model: billed("own/m", usage), prices }).run("Hi.")).costUsd;
    expect(await cost({ outputTokens: 2 * million, audioOutputTokens: million })).toBeCloseTo(50);
    expect(
      await cost({ inputTokens: 100, cachedTokens: 50, audioInputTokens: 100, cachedAudioTokens: 50 }),
    ).toBeCloseTo(300e-6);
    expect(await cost({ inputTokens: 100, serviceTier: "slow", region: "us" })).toBeCloseTo(55e-6);
    expect(await cost({ inputTokens: 101, serviceTier: "slow" })).toBeCloseTo(20.2e-6);
    expect(await cost({ hostedCalls: { look: 3 } })).toBeCloseTo(1.5);
  });
});

describe("a cost with anything that has no price is unknown [providers.models.unpriced]", () => {
  const unpriced: readonly [model: string, usage: Partial<TokenUsage>, named: string][] = [
    ["openai/gpt-5.5", { serviceTier: "scale" }, 'the service tier "scale"'],
    ["openai/gpt-5.4", { inputTokens: 400_000, serviceTier: "priority" }, 'the service tier "priority"'],
    ["anthropic/claude-sonnet-5-5", { serviceTier: "fast" }, 'the service tier "fast"'],
    ["anthropic/claude-opus-5", { region: "us" }, 'the region "us"'],
    ["openai/gpt-5.5", { hostedCalls: { web_search: 1, image_generation: 2 } }, 'calls of "image_generation"'],
    ["openai/gpt-5.5", { inputTokens: 5, audioInputTokens: 5 }, "audio input"],
    ["openai/gpt-5.5", { outputTokens: 5, audioOutputTokens: 5 }, "audio output"],
    [
      "google/gemini-2.5-flash",
      { inputTokens: 5, cachedTokens: 5, audioInputTokens: 5, cachedAudioTokens: 5 },
      "audio from the cache",
    ],
    [
      "anthropic/claude-opus-5",
      { requests: [{ model: "claude-secret", inputTokens: 1, outputTokens: 1 }] },
      "tokens of claude-secret",
    ],
  ];

  test.each(unpriced)("%s with %j warns of %s", async (model, usage, named) => {
    const output = await new Agent({ ...base, model: billed(model, usage) }).run("Hi.");
    expect(output.costUsd).toBeUndefined();
    expect(output.warnings).toMatchObject([{ code: "price_unknown", subject: model }]);
    expect(output.warnings[0]?.message).toContain(named);
  });

  test.each(unpriced)("%s with %j ends a budget in dollars before the next call", async (model, usage) => {
    const asked = billed(model, usage, {});
    const run = new Agent({ ...base, model: asked, budget: { usd: 100 } }).run("Hi.");
    await expect(run).rejects.toMatchObject({ code: "PRICE_UNKNOWN" });
    expect(asked.requests).toHaveLength(1);
  });

  test("cache writes for an hour have no price where only those for minutes have one", async () => {
    const usage = { inputTokens: million, cacheWriteTokens: million, longCacheWriteTokens: million };
    const cost = async (price: PriceTable[`${string}/${string}`]): Promise<number | undefined> =>
      (await new Agent({ ...base, model: billed("own/m", usage), prices: { "own/m": price } }).run("Hi.")).costUsd;
    expect(await cost({ input: 4, output: 8 })).toBeCloseTo(4);
    expect(await cost({ input: 4, output: 8, cacheWrite: 5 })).toBeUndefined();
    expect(await cost({ input: 4, output: 8, cacheWrite: 5, longCacheWrite: 8 })).toBeCloseTo(8);
  });
});

describe("a budget in dollars knows the price before a request [run.budget.reserve-settle]", () => {
  test("a tier without a price is refused before the request, and one with a price reserves that price", async () => {
    const model = billed("openai/gpt-5.4", { outputTokens: 10 });
    const asked = (serviceTier: string, usd: number) =>
      new Agent({ ...base, model, budget: { usd }, providerOptions: { openai: { serviceTier } } }).run("Hi.");
    await expect(asked("scale", 1)).rejects.toMatchObject({
      code: "PRICE_UNKNOWN",
      message: expect.stringContaining('service tier "scale"') as string,
    });
    expect(model.requests).toHaveLength(0);
    await asked("default", 0.15);
    await asked("priority", 0.15);
    const [standard = 0, priority = 0] = model.requests.map(({ maxTokens }) => maxTokens);
    expect(standard).toBeGreaterThan(9_000);
    expect(priority).toBeGreaterThan(standard / 2 - 20);
    expect(priority).toBeLessThan(standard / 2 + 20);
  });

  test("a model without a price is refused, and the error names the nearest one that has one [providers.models.unknown]", async () => {
    const model = billed("anthropic/claude-opus-5-7", {});
    await expect(new Agent({ ...base, model, budget: { usd: 1 } }).run("Hi.")).rejects.toMatchObject({
      code: "PRICE_UNKNOWN",
      message: expect.stringMatching(/nearest model with a price is anthropic\/claude-opus-5/) as string,
    });
  });

  test("a list price that was checked more than 90 days ago is a warning, and an own price is not [providers.models.outdated]", async () => {
    const day = 86_400_000;
    const warnings = async (days: number, prices?: PriceTable) => {
      const clock = { now: () => Date.parse("2026-11-20") + days * day, setTimer: () => () => undefined };
      const model = billed("openai/gpt-5.5", {});
      return (await new Agent({ ...base, model, clock, budget: { usd: 1 }, ...(prices && { prices }) }).run("Hi."))
        .warnings;
    };
    expect(await warnings(90)).toEqual([]);
    expect(await warnings(91)).toMatchObject([{ code: "price_outdated", subject: "openai/gpt-5.5" }]);
    expect((await warnings(91))[0]?.message).toContain("2026-11-20");
    expect(await warnings(91, { "openai/gpt-5.5": { input: 1, output: 2 } })).toEqual([]);
  });
});

describe("prices can be the address of a table [options.prices]", () => {
  const closers: (() => void)[] = [];
  afterEach(() => closers.splice(0).forEach((close) => close()));

  async function serving(answer: RequestListener): Promise<{ url: string; asked: () => number }> {
    let count = 0;
    const server = createServer((...given) => {
      count += 1;
      answer(...given);
    });
    closers.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json`, asked: () => count };
  }

  const table = { "own/m": { input: 3, output: 9 } };
  const usage = { inputTokens: million };

  test("the table is loaded with the first call, used by all runs, and loaded again after a day", async () => {
    const { url, asked } = await serving((_request, response) => response.end(JSON.stringify(table)));
    let now = 0;
    const clock = { now: () => now, setTimer: () => () => undefined };
    const agent = new Agent({
      ...base,
      model: billed("own/m", usage),
      prices: new URL(url),
      clock,
      budget: { usd: 9 },
    });
    expect(asked()).toBe(0);
    const costs = await Promise.all([agent.run("Hi."), agent.run("Hi.")]);
    expect(costs.map(({ costUsd }) => costUsd)).toEqual([3, 3]);
    expect(asked()).toBe(1);
    now += 24 * 60 * 60 * 1000;
    await agent.run("Hi.");
    expect(asked()).toBe(2);
  });

  test.each<[string, RequestListener, RegExp]>([
    ["a failing server", (_request, response) => void response.writeHead(503).end(), /status 503/],
    ["a page that is not JSON", (_request, response) => void response.end("<html>"), /JSON/],
    [
      "a table with a wrong row",
      (_request, response) => void response.end('{"own/m":{"input":1}}'),
      /needs input and output/,
    ],
  ])(
    "after %s each cost is unknown, with a warning, and a budget in dollars is refused",
    async (_what, answer, why) => {
      const { url } = await serving(answer);
      const options = { ...base, model: billed("openai/gpt-5.5", usage), prices: url };
      const output = await new Agent(options).run("Hi.");
      expect(output.costUsd).toBeUndefined();
      expect(output.warnings).toMatchObject([{ code: "prices_unavailable", subject: "prices" }]);
      expect(output.warnings[0]?.message).toMatch(why);
      await expect(new Agent({ ...options, budget: { usd: 1 } }).run("Hi.")).rejects.toMatchObject({
        code: "PRICE_UNKNOWN",
        message: expect.stringMatching(why) as string,
      });
    },
  );

  test("the address is http or https", () => {
    for (const prices of ["file:///prices.json", "prices.json"])
      expect(() => new Agent({ ...base, model: billed("own/m", {}), prices })).toThrow(
        expect.objectContaining({ code: "INVALID_OPTION" }),
      );
  });
});

import { collectChunks, finishedResponse } from "@bailiwick/testing";
import type { TokenUsage } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { framed, replaying } from "./replay.fixture.ts";

const kinds = ["serviceTier", "hostedCalls", "audioInputTokens", "cachedAudioTokens"] as const;
const searched = { groundingMetadata: { webSearchQueries: ["a", "b"] } };
const mapped = { groundingMetadata: { groundingChunks: [{ maps: { uri: "https://maps.example/1", title: "A" } }] } };

test.each<[string, string, object, object, Partial<TokenUsage>]>([
  ["the standard tier", "gemini-3.5-flash", { serviceTier: "standard", trafficType: "ON_DEMAND" }, {}, {}],
  ["flex", "gemini-3.5-flash", { serviceTier: "flex" }, {}, { serviceTier: "flex" }],
  ["priority of Vertex AI", "gemini-3.5-flash", { trafficType: "ON_DEMAND_PRIORITY" }, {}, { serviceTier: "priority" }],
  [
    "provisioned throughput",
    "gemini-3.5-flash",
    { trafficType: "PROVISIONED_THROUGHPUT" },
    {},
    { serviceTier: "provisioned_throughput" },
  ],
  ["searches by query", "gemini-3.5-flash", {}, searched, { hostedCalls: { google_search: 2 } }],
  ["searches by prompt", "gemini-2.5-flash", {}, searched, { hostedCalls: { google_search: 1 } }],
  ["maps", "gemini-3.5-flash", {}, mapped, { hostedCalls: { google_maps: 1 } }],
  [
    "audio, also from the cache",
    "gemini-2.5-flash",
    {
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 5 },
        { modality: "AUDIO", tokenCount: 20 },
      ],
      cachedContentTokenCount: 12,
      cacheTokensDetails: [{ modality: "AUDIO", tokenCount: 10 }],
    },
    {},
    { audioInputTokens: 20, cachedAudioTokens: 10, cachedTokens: 12 },
  ],
])(
  "%s is read from a whole and from a streamed answer [providers.rule.usage.billed]",
  async (_what, model, usage, more, billed) => {
    const body = {
      candidates: [{ index: 0, content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP", ...more }],
      usageMetadata: { promptTokenCount: 25, candidatesTokenCount: 2, totalTokenCount: 27, ...usage },
      modelVersion: model,
      responseId: "r",
    };
    const request = () => ({ messages: [{ id: "1", role: "user" as const, content: "Hi." }] });
    const whole = replaying(model, new TextEncoder().encode(JSON.stringify(body)));
    const answers = [
      await whole.generate(request()),
      finishedResponse((await collectChunks(replaying(model, framed([body])).stream(request()))).chunks),
    ];
    for (const answer of answers) {
      expect(answer.usage).toMatchObject(billed);
      for (const kind of kinds) if (!(kind in billed)) expect(answer.usage[kind]).toBeUndefined();
    }
  },
);

import { createAnthropic } from "@ai-sdk/anthropic";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { ask, user } from "./ask.fixture.ts";
import { aiSdk } from "./index.ts";
import { bodyAt, json, localServer } from "./local-server.fixture.ts";

test("with Anthropic's package, parallel agents cache the shared instructions for an hour [providers.ai-sdk.caching]", async () => {
  await using server = await localServer([
    json({
      id: "m1",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: [{ type: "text", text: "Yes." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 9, output_tokens: 1 },
    }),
  ]);
  const model = aiSdk(createAnthropic({ baseURL: server.url, apiKey: "k" })("claude-opus-4-6"));
  const { warnings } = await model.generate(
    ask(model, [{ id: "s", role: "system", content: "Be brief." }, user("Hi")], { caching: "shared" }),
  );
  expect(warnings).toEqual([]);
  const { system, messages } = bodyAt<{ system: object[]; messages: { content: object[] }[] }>(server, 0);
  expect(system.at(-1)).toMatchObject({ cache_control: { type: "ephemeral", ttl: "1h" } });
  expect(messages[0]?.content.at(-1)).toMatchObject({ cache_control: { type: "ephemeral" } });
});

test("a vendor without cache marks gets none, and a shared prefix logs a warning [providers.ai-sdk.caching]", async () => {
  const mock = new MockLanguageModelV4({
    provider: "cohere.chat",
    doGenerate: {
      content: [{ type: "text", text: "Yes." }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 1, text: 1, reasoning: undefined },
      },
      warnings: [],
    },
  });
  const model = aiSdk(mock);
  const { warnings } = await model.generate(ask(model, [user("Hi")], { caching: "shared" }));
  expect(warnings).toMatchObject([{ code: "unsupported_setting", subject: "caching" }]);
  expect(mock.doGenerateCalls[0]?.prompt[0]?.providerOptions).toBeUndefined();
});

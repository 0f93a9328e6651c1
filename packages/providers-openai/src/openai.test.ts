import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { modelRegistry } from "@bailiwick/core";
import type { Message, StreamChunk } from "@bailiwick/core";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai } from "./index.ts";

const weather = {
  type: "function",
  name: "weather.now",
  description: "The weather.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, unit: { type: "string" } },
    required: ["city"],
  },
  strict: true,
} as const;

for (const api of ["responses", "chat"] as const) {
  test(`${api}: a turn with a tool, streamed or not [providers.contract]`, async () => {
    for (const mode of ["generate", "stream"] as const) {
      await using server = await modelServer(({ turn, tools }) =>
        turn === 0
          ? {
              reasoning: "Let me look.",
              toolCalls: [{ name: tools[0]?.name ?? "", arguments: { city: "Oslo", unit: null } }],
            }
          : "It rains in Oslo.",
      );
      const model = openai("gpt-5.5", { api, apiKey: "test-key-123", baseURL: server.baseURL("openai") });
      const messages: Message[] = [
        { id: "s", role: "system", content: "Be brief." },
        { id: "u", role: "user", content: "Weather in Oslo?" },
      ];
      const ask = async () => {
        const request = { messages: compileHistory(messages, historyTarget(model)).messages, tools: [weather] };
        if (mode === "generate") return model.generate(request);
        let last: StreamChunk | undefined;
        for await (const chunk of model.stream(request)) last = chunk;
        if (last?.type !== "finish") throw new Error("no finish");
        return last.response;
      };
      const first = await ask();
      expect(server.requests.map((r) => r.refusedBy)).toEqual([undefined]);
      expect(first.message.toolCalls[0]).toMatchObject({ name: "weather.now" });
      expect(first.message.toolCalls[0]?.input).toEqual({ city: "Oslo" });
      expect(first.finishReason).toBe("tool_calls");
      messages.push(first.message, {
        id: "t",
        role: "tool",
        toolCallId: first.message.toolCalls[0]?.id ?? "",
        toolName: "weather.now",
        content: "Rain",
      });
      const second = await ask();
      expect(server.requests.map((r) => r.refusedBy)).toEqual([undefined, undefined]);
      expect(second.message.content).toMatchObject([{ type: "text", text: "It rains in Oslo." }]);
    }
  });
}

test("a server that never answers times out after timeoutMs, and may be retried [providers.rule.errors]", async () => {
  await using server = await modelServer([{ faults: { hangAfterEvents: 0 } }, { faults: { hangAfterEvents: 0 } }]);
  const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai"), timeoutMs: 30 });
  const request = { messages: [{ id: "u", role: "user", content: "Hi" }] } as const;
  await expect(model.generate(request)).rejects.toMatchObject({ code: "MODEL_CONNECTION_ERROR", retryable: true });
  const stream = model.stream(request)[Symbol.asyncIterator]();
  await expect(stream.next()).rejects.toMatchObject({ code: "MODEL_CONNECTION_ERROR", retryable: true });
});

test("the provider accepts a custom fetch, which sees every request [providers.core-without-sdk]", async () => {
  await using server = await modelServer(["Hi", "Hi"]);
  const seen: string[] = [];
  const model = openai("gpt-5.5", {
    apiKey: "test",
    baseURL: server.baseURL("openai"),
    headers: { "x-team": "desk" },
    organization: "org-1",
    fetch: (input, init) => {
      seen.push(String(new Headers(init?.headers).get("x-team")));
      return fetch(input, init);
    },
  });
  await model.generate({ messages: [{ id: "u", role: "user", content: "Hi" }] });
  for await (const _chunk of model.stream({ messages: [{ id: "u", role: "user", content: "Hi" }] }));
  expect(seen).toEqual(["desk", "desk"]);
  expect(server.requests[0]?.headers["openai-organization"]).toBe("org-1");
});

test("leaving a stream early cancels its request [providers.rule.abort]", async () => {
  await using server = await modelServer([{ text: "One two three four five", faults: { hangAfterEvents: 6 } }]);
  const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
  for await (const chunk of model.stream({ messages: [{ id: "u", role: "user", content: "Hi" }] })) {
    if (chunk.type === "text") break;
  }
  await expect.poll(() => server.requests[0]?.aborted).toBe(true);
});

test("model strings resolve through a registry of providers [seams.options.models] [providers.openai-chat.compat]", () => {
  const models = modelRegistry({ openai, groq: (id) => openai(id, { compat: "groq" }) });
  const [mine, theirs] = [models.resolve("openai/gpt-5.5"), models.resolve("groq/meta/llama-4")];
  expect([mine.provider, mine.api, mine.modelId]).toEqual(["openai", "responses", "gpt-5.5"]);
  expect([theirs.provider, theirs.api, theirs.modelId]).toEqual(["groq", "chat", "meta/llama-4"]);
});

test("an id that is not in the table is treated as the newest kind", () => {
  const { capabilities } = openai("gpt-9-orbit");
  expect(capabilities).toMatchObject({
    replaysReasoning: true,
    structuredOutput: "with-tools",
    input: { image: true },
  });
  expect(capabilities.contextWindow).toBeUndefined();
});

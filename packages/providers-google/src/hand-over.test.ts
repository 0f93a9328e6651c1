import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message, type ModelProvider } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { openai } from "@bailiwick/providers-openai";
import { ollama } from "@bailiwick/providers-openai/ollama";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { handOverConformance, type HandOverModel } from "@bailiwick/testing/conformance";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { look, result, user } from "./ask.fixture.ts";
import { google } from "./index.ts";

/** A model with thinking on, as a run sets it with `reasoning`. */
function thinking(model: ModelProvider): ModelProvider {
  const reasoning = { enabled: true, effort: "low" } as const;
  return {
    ...model,
    generate: (request) => model.generate({ ...request, reasoning }),
    stream: (request) => model.stream({ ...request, reasoning }),
  };
}

const wires: readonly HandOverModel[] = [
  {
    name: "OpenAI Responses",
    createModel: ({ apiKey, baseURL }) => thinking(openai("gpt-5.5", { apiKey, baseURL: baseURL("openai") })),
  },
  {
    name: "OpenAI Chat Completions",
    createModel: ({ apiKey, baseURL }) => openai("gpt-4.1", { api: "chat", apiKey, baseURL: baseURL("openai") }),
  },
  {
    name: "Anthropic Messages",
    createModel: ({ apiKey, baseURL }) =>
      thinking(anthropic("claude-opus-4-6", { apiKey, baseURL: baseURL("anthropic") })),
  },
  {
    name: "Gemini 3",
    createModel: ({ apiKey, baseURL }) => thinking(google("gemini-3-pro", { apiKey, baseURL: baseURL("google") })),
    traits: { emptyAnswers: false },
  },
  {
    name: "Ollama",
    createModel: ({ apiKey, baseURL }) => ollama("qwen3", { apiKey, baseURL: baseURL("ollama") }),
  },
];

for (const { name, run } of handOverConformance(wires)) test(`${name} (random runs)`, run);

for (const from of wires) {
  for (const to of wires) {
    test(`the conversation of ${from.name} reaches ${to.name}, its signed thoughts only its own model [providers.proof.hand-over] [providers.rule.provenance.other]`, async () => {
      await using server = await modelServer(({ turn, tools }) => ({
        reasoning: `Thought ${turn}.`,
        text: `Said ${turn}.`,
        toolCalls: turn % 2 === 0 ? ["a", "b"].map((id) => ({ name: tools[0]?.name ?? "", arguments: { id } })) : [],
      }));
      const messages: Message[] = [user("Hi")];
      for (const { createModel } of [from, to, to, from, from]) {
        const model = createModel({ url: server.url, apiKey: "k", baseURL: server.baseURL });
        const { messages: compiled } = compileHistory(messages, historyTarget(model));
        const { chunks, error } = await collectChunks(model.stream({ messages: compiled, tools: [look] }));
        expect(error).toBeUndefined();
        const { message } = finishedResponse(chunks);
        messages.push(message, ...message.toolCalls.map(({ id }, index) => result(id, `found ${index}`)));
        if (message.toolCalls.length === 0) messages.push({ ...user("And?"), id: `u${messages.length}` });
      }
      expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(Array.from({ length: 5 }, () => undefined));
      const last = server.requests.at(-1)?.text ?? "";
      for (const text of ["Said 0.", "found 0", "found 1", "Said 1.", "Said 2.", "Said 3."])
        expect(last).toContain(text);
      if (from !== to) expect(last).not.toContain("Thought 2.");
    });
  }
}

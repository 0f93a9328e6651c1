import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelProvider, ModelResponse } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { google } from "@bailiwick/providers-google";
import { openai, type CompatName } from "@bailiwick/providers-openai";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { recordedServer, type RecordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { aiSdk } from "../index.ts";
import { gist } from "../side-by-side.fixture.ts";
import { anthropicAnswers } from "./anthropic.fixture.ts";
import { chatsAnswers } from "./chat.fixture.ts";
import { googlesAnswers } from "./google.fixture.ts";
import { responsesAnswers } from "./responses.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

const answers: Readonly<Record<string, WrittenAnswer>> = {
  ...anthropicAnswers,
  ...responsesAnswers,
  ...chatsAnswers,
  ...googlesAnswers,
};
const apiKey = "sk-test-0123456789";
const request = {
  messages: [{ id: "u", role: "user", content: "Hi" }],
  tools: [
    {
      type: "function",
      name: "look",
      description: "Looks.",
      inputSchema: { type: "object", properties: { place: { type: "string" } } },
    },
  ],
} as const;

function models({ wire, vendor }: WrittenAnswer, server: RecordedServer): readonly [ModelProvider, ModelProvider] {
  switch (wire) {
    case "anthropic-messages": {
      const baseURL = server.baseURL("anthropic");
      return [
        anthropic("claude-opus-5", { apiKey, baseURL }),
        aiSdk(createAnthropic({ apiKey, baseURL: `${baseURL}/v1` })("claude-opus-5")),
      ];
    }
    case "google-generate": {
      const baseURL = server.baseURL("google");
      return [
        google("gemini-3-pro", { apiKey, baseURL }),
        aiSdk(createGoogle({ apiKey, baseURL: `${baseURL}/v1beta` })("gemini-3-pro")),
      ];
    }
    case "openai-responses": {
      const baseURL = server.baseURL("openai");
      return [openai("gpt-5.5", { apiKey, baseURL }), aiSdk(createOpenAI({ apiKey, baseURL }).responses("gpt-5.5"))];
    }
    case "openai-chat": {
      const baseURL = server.baseURL("openai");
      const compat = vendor.replace("openai-chat-", "") as CompatName;
      const theirs =
        compat === "mistral"
          ? createMistral({ apiKey, baseURL })("m")
          : createOpenAICompatible({ name: compat, apiKey, baseURL, includeUsage: true })("m");
      return [openai("m", { apiKey, api: "chat", compat, baseURL }), aiSdk(theirs)];
    }
  }
}

async function ask(model: ModelProvider, streamed: boolean): Promise<ModelResponse> {
  if (!streamed) return model.generate(request);
  const { chunks, error } = await collectChunks(model.stream(request));
  if (error !== undefined) throw error;
  return finishedResponse(chunks);
}

/** Types of the parts, reason to finish, and counts of input and output. */
const expected: Readonly<Record<string, string>> = {
  "web search with citations": "text hosted_tool text source | stop | 10682,510",
  "code execution that makes a file": "hosted_tool file text | stop | 20,90",
  "a call by the vendor's code": "hosted_tool tool_call | tool_calls | 20,60",
  "a tool found by search": "hosted_tool tool_call | tool_calls | 20,42",
  "an MCP call of the vendor": "hosted_tool text | stop | 20,42",
  "a page that was fetched, and one that was not": "hosted_tool hosted_tool text source | stop | 20,42",
  "hidden thinking before thinking that can be read": "reasoning reasoning text | stop | 20,30",
  "thinking that is not shown": "reasoning text | stop | 20,42",
  "a compaction by the vendor": "hosted_tool text | stop | 203000,4500",
  "cleared tool results": "text | stop | 20,1024",
  "arguments that the output limit cut": "tool_call | length | 20,42",
  "a refusal in the middle": "text | content_filter | 20,42",
  "a stop sequence": "text | stop | 20,5",
  "nothing after a tool result": "- | stop | 20,42",
  "a web search with its pages": "hosted_tool hosted_tool hosted_tool text source | stop | 36,87",
  "code with a file": "hosted_tool text source | stop | 36,87",
  "a picture": "image | stop | 36,87",
  "a server's tools and a call of one": "hosted_tool hosted_tool text | stop | 36,87",
  "a refusal": "refusal | content_filter | 36,87",
  "an answer that the filter cut": "text | content_filter | 36,87",
  "a compaction": "hosted_tool text | stop | 36,87",
  "readable reasoning of an open model": "reasoning text | stop | 36,87",
  "a tool that was searched for": "hosted_tool hosted_tool tool_call | tool_calls | 36,87",
  "thinking, then a call (DeepSeek)": "reasoning tool_call | tool_calls | 19,21",
  "thinking in the content (Mistral)": "reasoning text | stop | 19,21",
  "references in the content (Mistral)": "text | stop | 19,21",
  "reasoning and tools of the server (Groq)": "reasoning hosted_tool text | stop | 19,21",
  "usage beside the vendor's own id (Groq)": "text | stop | 19,21",
  "signed reasoning and a picture (OpenRouter)": "reasoning text image | stop | 19,21",
  "pages that were searched (OpenRouter)": "text source | stop | 19,21",
  "sources (xAI)": "reasoning text source | stop | 19,21",
  "a call whose pieces have empty ids (Qwen)": "reasoning tool_call | tool_calls | 19,21",
  "usage in the choice (Kimi)": "reasoning text | stop | 19,21",
  "sources and whole messages beside the pieces (Perplexity)": "text source | stop | 19,21",
  "pages that were searched (Z.ai)": "reasoning text source | stop | 19,21",
  "split reasoning (MiniMax)": "reasoning text | stop | 19,21",
  "an answer that the filter refused (Azure)": "text | content_filter | 19,21",
  speech: "text audio | stop | 19,21",
  "a refusal in pieces": "refusal | content_filter | 19,21",
  "a call in one piece that ends as an answer (Ollama)": "reasoning tool_call | tool_calls | 19,21",
  "timings (llama.cpp)": "reasoning text | stop | 19,21",
  "a stop word and token ids (vLLM)": "reasoning text | stop | 19,21",
  "a search with its pages (Gemini)": "text text hosted_tool source | stop | 10,8",
  "code that ran (Gemini)": "reasoning hosted_tool hosted_tool image text | stop | 10,8",
  "a signed call with an id (Gemini)": "tool_call tool_call | tool_calls | 10,8",
  "pages that were read (Gemini)": "text source | stop | 10,8",
  "tools of the vendor that circulate (Gemini)": "hosted_tool hosted_tool tool_call | tool_calls | 10,8",
  "files that were searched (Gemini)": "text source | stop | 10,8",
  "a picture (Gemini)": "reasoning reasoning image | stop | 10,8",
  "thoughts that used the limit up (Gemini)": "- | length | 10,8",
  "a prompt that was blocked (Gemini)": "- | content_filter | 4,0",
};

/** Answers of which the AI SDK's package makes something else, and why. */
const differ: Readonly<Record<string, string>> = {
  "a compaction by the vendor": "the package makes text of the summary",
  "a server's tools and a call of one": "the package refuses an MCP call without an id of its approval",
  "a refusal": "the package makes text of a refusal",
  "a refusal in pieces": "the package makes text of a refusal",
  "usage beside the vendor's own id (Groq)": "the package for compatible servers reads usage at the top alone",
  "usage in the choice (Kimi)": "the package for compatible servers reads usage at the top alone",
  speech: "the package leaves speech out",
  "a failure of the model (Z.ai)": "the package takes a failure for the end of an answer",
};

test.each(Object.entries(answers))(
  "%s comes whole through the adapter, and to the same through the AI SDK [providers.proof.written-answers]",
  async (name, answer) => {
    const streamed = answer.events !== undefined;
    const recording = streamed
      ? { chunks: answer.events.map((event) => JSON.stringify(event)).join("\n") }
      : { json: JSON.stringify(answer.body) };
    await using server = await recordedServer({ wire: answer.wire, ...recording });
    const [ours, theirs] = models(answer, server);
    const other = await ask(theirs, streamed).then(gist, String);
    if (expected[name] === undefined) {
      await expect(ask(ours, streamed)).rejects.toMatchObject({ code: "MODEL_RESPONSE_INVALID", retryable: true });
      expect(differ).toHaveProperty([name]);
      return;
    }
    const response = await ask(ours, streamed);
    const { finishReason, usage, message } = response;
    const parts = message.content.map(({ type }) => type).join(" ");
    expect(`${parts || "-"} | ${finishReason} | ${usage.promptTokens},${usage.completionTokens}`).toBe(expected[name]);
    if (differ[name] === undefined) expect(other).toEqual(gist(response));
    else expect(other, differ[name]).not.toEqual(gist(response));
  },
);

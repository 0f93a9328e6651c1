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
import { answers } from "./all-answers.fixture.ts";
import { lostTexts } from "./lost-texts.fixture.ts";
import { differ, readings } from "./readings.fixture.ts";
import { wholeAnswer } from "./whole-answer.fixture.ts";
import type { WrittenAnswer } from "./written-answer.fixture.ts";

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
      const ours =
        vendor === "openai-responses-xai"
          ? openai("grok-4.5", { apiKey, compat: "xai", baseURL })
          : openai("gpt-5.5", { apiKey, baseURL });
      return [ours, aiSdk(createOpenAI({ apiKey, baseURL }).responses("gpt-5.5"))];
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

const forms = Object.entries(answers).flatMap(([name, answer]) => {
  const { wire, events } = answer;
  const json = JSON.stringify(answer.body ?? wholeAnswer(answer));
  const chunks = events?.map((event) => JSON.stringify(event)).join("\n");
  return [
    { name, answer, form: "whole", recording: { wire, json } },
    ...(chunks === undefined ? [] : [{ name, answer, form: "streamed", recording: { wire, chunks } }]),
  ];
});

test.each(forms)(
  "$name ($form) is read completely through the adapter, and equally through the AI SDK [providers.proof.written-answers]",
  async ({ name, answer, form, recording }) => {
    const streamed = form === "streamed";
    await using server = await recordedServer(recording);
    const [ours, theirs] = models(answer, server);
    const other = await ask(theirs, streamed).then(gist, String);
    const difference = differ[name] ?? differ[`${name}, ${form}`];
    if (readings[name]?.startsWith("MODEL_") === true) {
      await expect(ask(ours, streamed)).rejects.toMatchObject({ code: readings[name] });
      expect(difference).toBeDefined();
      return;
    }
    const response = await ask(ours, streamed);
    expect(reading(response)).toBe(readings[name]);
    if (difference === undefined) expect(other).toEqual(gist(response));
    else expect(other, difference).not.toEqual(gist(response));
    if (answer.body !== undefined || !streamed)
      expect(lostTexts(JSON.parse(recording.json ?? ""), response)).toEqual([]);
  },
);

test("each written answer has an expected result, and links the page that documents its form", () => {
  expect(Object.keys(readings).toSorted()).toEqual(Object.keys(answers).toSorted());
  for (const { page } of Object.values(answers)) expect(page).toMatch(/^https:\/\//);
});

/** The tools of a server without tools are left out with a warning, which is not about the answer. */
function reading({ message, finishReason, usage, warnings }: ModelResponse): string {
  const parts = message.content.map(({ type }) => type).join(" ") || "-";
  const codes = warnings.map(({ code }) => code).filter((code) => code !== "unsupported_tool");
  return [`${parts} | ${finishReason} | ${usage.inputTokens},${usage.outputTokens}`, ...codes].join(" ");
}

import { GoogleGenAI, type Content, type GenerateContentResponse, type Part } from "@google/genai";
import { expect, test } from "vitest";
import { modelServer } from "./index.ts";
import { type ScriptStep } from "../index.ts";

function connect(url: string): GoogleGenAI {
  return new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: url } });
}

const tools = [
  {
    functionDeclarations: [
      {
        name: "weather",
        parametersJsonSchema: { type: "object", properties: { city: { type: "string", const: "Oslo" } } },
      },
    ],
  },
];
const question: Content = { role: "user", parts: [{ text: "Weather?" }] };
const request = { model: "gemini-3-pro-preview", contents: [question], config: { tools } };
const mixed: ScriptStep = {
  reasoning: "They ask.",
  text: "Let me look.",
  toolCalls: [{ name: "weather", arguments: { city: "Oslo" } }, { name: "weather" }],
  usage: { inputTokens: 50, cachedTokens: 20 },
};

function partsOf(answer: GenerateContentResponse): readonly Part[] {
  return answer.candidates?.[0]?.content?.parts ?? [];
}

test("a JSON answer has thought, text, parallel calls with one signature, and usage", async () => {
  await using server = await modelServer([mixed]);
  const answer = await connect(server.url).models.generateContent(request);
  expect(partsOf(answer)).toMatchObject([
    { text: "They ask.", thought: true },
    { text: "Let me look.", thoughtSignature: expect.any(String) },
    {
      functionCall: { name: "weather", args: { city: "Oslo" }, id: expect.stringMatching(/^\w{8}$/) },
      thoughtSignature: expect.any(String),
    },
    { functionCall: { name: "weather", args: {} } },
  ]);
  expect(partsOf(answer)[3]).not.toHaveProperty("thoughtSignature");
  expect(answer.candidates?.[0]?.finishReason).toBe("STOP");
  const usage = answer.usageMetadata;
  expect(usage).toMatchObject({ promptTokenCount: 50, cachedContentTokenCount: 20, thoughtsTokenCount: 3 });
  expect(usage?.totalTokenCount).toBe(50 + (usage?.candidatesTokenCount ?? 0) + 3);
});

test("a stream has the same parts and ends with the finish reason", async () => {
  await using server = await modelServer([mixed, "Hello there."]);
  const client = connect(server.url);
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk);
  const parts = chunks.flatMap(partsOf);
  const text = parts
    .filter((part) => part.thought !== true)
    .map((part) => part.text ?? "")
    .join("");
  expect(text).toBe("Let me look.");
  expect(parts.filter((part) => part.functionCall !== undefined)).toHaveLength(2);
  expect(chunks.map((chunk) => chunk.candidates?.[0]?.finishReason).filter(Boolean)).toEqual(["STOP"]);
  expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe("STOP");
  expect(new Set(chunks.map((chunk) => chunk.responseId)).size).toBe(1);
});

test("a conversation continues signatures, and results are matched to calls by name and order", async () => {
  await using server = await modelServer((asked) =>
    asked.toolResults.length === 0
      ? mixed
      : { text: JSON.stringify(asked.toolResults.map((result) => [result.toolName, result.text, result.isError])) },
  );
  const client = connect(server.url);
  const first = await client.models.generateContent(request);
  const reply: Content = {
    role: "user",
    parts: [
      { functionResponse: { name: "weather", response: { output: "cold" } } },
      { functionResponse: { name: "weather", response: { error: "no city" } } },
    ],
  };
  const second = await client.models.generateContent({
    ...request,
    contents: [question, { role: "model", parts: [...partsOf(first)] }, reply],
  });
  expect(second.text).toBe('[["weather","cold",false],["weather","no city",true]]');
});

test("blocked prompts, filters, files, sources and raw stop reasons are encoded in their fields", async () => {
  await using server = await modelServer([
    { refusal: "Not this." },
    { text: "Half", finish: "content_filter" },
    { files: [{ mediaType: "image/png", data: "aGk=" }] },
    { text: "See.", sources: [{ url: "https://example.com", title: "E" }] },
    { text: "", rawFinish: "MALFORMED_FUNCTION_CALL" },
    { toolCalls: [{ name: "weather", arguments: "{oops" }] },
  ]);
  const ask = async (): Promise<GenerateContentResponse> => connect(server.url).models.generateContent(request);
  const blocked = await ask();
  expect(blocked.candidates).toBeUndefined();
  expect(blocked.promptFeedback).toMatchObject({ blockReason: "PROHIBITED_CONTENT", blockReasonMessage: "Not this." });
  expect((await ask()).candidates?.[0]?.finishReason).toBe("SAFETY");
  expect(partsOf(await ask())[0]?.inlineData).toEqual({ mimeType: "image/png", data: "aGk=" });
  expect((await ask()).candidates?.[0]?.groundingMetadata?.groundingChunks?.[0]?.web?.uri).toBe("https://example.com");
  expect((await ask()).candidates?.[0]?.finishReason).toBe("MALFORMED_FUNCTION_CALL");
  await expect(ask()).rejects.toThrow("not a JSON object");
});

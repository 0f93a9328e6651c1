import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { modelServer, refusals, type ModelServer } from "./index.ts";
import { type Script, type ScriptRequest } from "../index.ts";

const schema = { type: "object" as const, properties: {}, additionalProperties: false, required: [] };

/** Asks "Weather?" with a tool on a wire, through the vendor's SDK. Returns the answer's text and the called tools. */
const ask: Readonly<Record<string, (server: ModelServer) => Promise<readonly [string, readonly string[]]>>> = {
  "openai-responses": async (server) => {
    const client = new OpenAI({ apiKey: "test", baseURL: server.baseURL("openai"), maxRetries: 0 });
    const tools = [{ type: "function" as const, name: "weather", parameters: schema, strict: true }];
    const answer = await client.responses.create({
      model: "gpt-5.5",
      instructions: "Be kind.",
      input: "Weather?",
      tools,
    });
    return [answer.output_text, answer.output.flatMap((item) => (item.type === "function_call" ? item.name : []))];
  },
  "openai-chat": async (server) => {
    const client = new OpenAI({ apiKey: "test", baseURL: server.baseURL("openai"), maxRetries: 0 });
    const messages = [
      { role: "developer" as const, content: "Be kind." },
      { role: "user" as const, content: "Weather?" },
    ];
    const answer = await client.chat.completions.create({
      model: "gpt-5.5",
      messages,
      tools: [{ type: "function", function: { name: "weather", parameters: schema } }],
    });
    const message = answer.choices[0]?.message;
    return [
      message?.content ?? "",
      message?.tool_calls?.flatMap((call) => (call.type === "function" ? call.function.name : [])) ?? [],
    ];
  },
  "anthropic-messages": async (server) => {
    const client = new Anthropic({ apiKey: "test", baseURL: server.baseURL("anthropic"), maxRetries: 0 });
    const answer = await client.messages.create({
      model: "claude-opus-5",
      max_tokens: 100,
      system: "Be kind.",
      messages: [{ role: "user", content: "Weather?" }],
      tools: [{ name: "weather", input_schema: schema }],
    });
    return [
      answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      answer.content.flatMap((block) => (block.type === "tool_use" ? block.name : [])),
    ];
  },
  "google-generate": async (server) => {
    const client = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: server.baseURL("google") } });
    const tools = [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: schema }] }];
    const answer = await client.models.generateContent({
      model: "gemini-3-pro-preview",
      contents: "Weather?",
      config: { systemInstruction: "Be kind.", tools },
    });
    const parts = answer.candidates?.[0]?.content?.parts ?? [];
    return [parts.map((part) => part.text ?? "").join(""), parts.flatMap((part) => part.functionCall?.name ?? [])];
  },
};

test.each(Object.entries(ask))("one script plays on every wire: %s [feature:X106]", async (wire, send) => {
  const asked: ScriptRequest[] = [];
  const script: Script = (request) => {
    asked.push(request);
    return request.turn === 0 ? { text: "Let me look.", toolCalls: [{ name: "weather" }] } : "Cold.";
  };
  await using server = await modelServer(script);
  expect(await send(server)).toEqual(["Let me look.", ["weather"]]);
  expect(await send(server)).toEqual(["Cold.", []]);
  expect(asked[1]).toMatchObject({
    wire,
    system: "Be kind.",
    lastUserText: "Weather?",
    turn: 1,
    toolChoice: "auto",
    tools: [{ name: "weather", type: "function", schema }],
  });
  expect(server.requests.map((request) => [request.wire, request.method, request.aborted])).toEqual([
    [wire, "POST", false],
    [wire, "POST", false],
  ]);
});

test("every refusal has its own name, a condition, and the vendor's page or a public report [feature:X106]", () => {
  expect(new Set(refusals.map((refusal) => refusal.id)).size).toBe(refusals.length);
  const vendors =
    /^https:\/\/((developers\.openai\.com|docs\.ollama\.com|platform\.claude\.com|ai\.google\.dev|api-docs\.deepseek\.com|platform\.kimi\.ai|docs\.perplexity\.ai|docs\.z\.ai|console\.groq\.com|inference-docs\.cerebras\.ai)\/|github\.com\/mistralai\/mistral-common\/blob\/|github\.com\/[\w-]+\/[\w.-]+\/(issues|pull)\/\d+$)/;
  const incomplete = refusals.filter(({ when, source }) => !when.endsWith(".") || !vendors.test(source));
  expect(incomplete.map(({ id }) => id)).toEqual([]);
});

test("the same seed and clock give the same bytes", async () => {
  const bytes = async (): Promise<string> => {
    await using server = await modelServer(["Hi."], { seed: 3, now: () => 1_000 });
    const answer = await fetch(`${server.baseURL("openai")}/responses`, {
      method: "POST",
      headers: { authorization: "Bearer x" },
      body: '{"model":"gpt-5.5","input":"x","stream":true}',
    });
    return answer.text();
  };
  const first = await bytes();
  expect(first).toContain('"created_at":1,');
  expect(await bytes()).toBe(first);
});

test("what the server cannot play is an error, not ignored", async () => {
  await using server = await modelServer(() => "Hi.", { strict: false, keepRequests: 2 });
  const send = async (path: string, body: object): Promise<unknown> =>
    (await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) })).json();
  const says = (name: string): unknown =>
    expect.objectContaining({
      error: expect.objectContaining({ message: expect.stringContaining(`The vendor takes "${name}"`) }),
    });
  expect(await send("/v1/chat/completions", { model: "gpt-4.1", messages: [], n: 2 })).toEqual(says("n"));
  expect(await send("/v1/responses", { model: "gpt-4.1", input: "x", background: true })).toEqual(says("background"));
  expect(await send("/v1/messages", { model: "claude-opus-5", messages: [], mcp_servers: [] })).toEqual(
    says("mcp_servers"),
  );
  expect(
    await send("/v1beta/models/gemini-2.5-pro:generateContent", {
      contents: [],
      generationConfig: { candidateCount: 2 },
    }),
  ).toEqual(says("candidateCount"));
  expect(server.requests.map((request) => request.wire)).toEqual(["anthropic-messages", "google-generate"]);
});

test("unknown options and unknown refusals are refused before the server starts", async () => {
  await expect(modelServer([], { stict: false } as object)).rejects.toThrow(
    `"stict" is not an option of modelServer() (did you mean "strict"?)`,
  );
  await expect(modelServer([], { allow: ["openai.unheard-of"] })).rejects.toThrow(
    `"allow" names "openai.unheard-of", which is not a refusal. Known: `,
  );
});

import OpenAI from "openai";
import { expect, test } from "vitest";
import { modelServer } from "./index.ts";
import { type ScriptStep } from "../index.ts";

const weather: OpenAI.Responses.FunctionTool = {
  type: "function",
  name: "weather",
  description: "Weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  strict: true,
};

function connect(url: string): OpenAI {
  return new OpenAI({ apiKey: "test", baseURL: `${url}/v1`, maxRetries: 0 });
}

const mixed: ScriptStep = {
  reasoning: { summaryParts: ["**Plan**", "Ask twice."] },
  text: "Let me look.",
  toolCalls: [
    { name: "weather", arguments: { city: "Oslo" } },
    { name: "weather", arguments: '{"city": "Rom"}' },
  ],
  usage: { cachedTokens: 3 },
};

test("a JSON answer has text, reasoning, parallel calls and usage", async () => {
  await using server = await modelServer([mixed]);
  const answer = await connect(server.url).responses.create({
    model: "gpt-5.5",
    input: "Weather?",
    tools: [weather],
    store: false,
    include: ["reasoning.encrypted_content"],
  });

  expect(answer.output.map((item) => item.type)).toEqual(["reasoning", "message", "function_call", "function_call"]);
  expect(answer.output_text).toBe("Let me look.");
  expect(answer.output[0]).toMatchObject({
    summary: [{ text: "**Plan**" }, { text: "Ask twice." }],
    encrypted_content: expect.stringMatching(/^gAAAAAB/),
  });
  expect(answer.output[3]).toMatchObject({
    arguments: '{"city": "Rom"}',
    call_id: expect.stringMatching(/^call_\w{24}$/),
    id: expect.stringMatching(/^fc_/),
  });
  expect(answer.usage?.input_tokens_details.cached_tokens).toBe(3);
  expect(answer.usage?.output_tokens).toBeGreaterThan(answer.usage?.output_tokens_details.reasoning_tokens ?? 0);
  expect(answer.status).toBe("completed");
});

test("a stream ends in the answer that JSON gives, and its deltas join to it", async () => {
  await using server = await modelServer([mixed, mixed], { now: () => 0 });
  const client = connect(server.url);
  const body = { model: "gpt-5.5", input: "Weather?", tools: [weather], store: false };
  const json = await client.responses.create(body);
  const stream = client.responses.stream(body);
  const deltas = { text: "", reasoning: "", arguments: "" };
  const types: string[] = [];
  for await (const event of stream) {
    types.push(event.type);
    if (event.type === "response.output_text.delta") deltas.text += event.delta;
    if (event.type === "response.reasoning_summary_text.delta") deltas.reasoning += event.delta;
    if (event.type === "response.function_call_arguments.delta") deltas.arguments += event.delta;
  }
  const final = await stream.finalResponse();
  expect(types[0]).toBe("response.created");
  expect(types.at(-1)).toBe("response.completed");
  expect(deltas).toEqual({
    text: "Let me look.",
    reasoning: "**Plan**Ask twice.",
    arguments: '{"city":"Oslo"}{"city": "Rom"}',
  });
  const bare = (output: readonly OpenAI.Responses.ResponseOutputItem[]): unknown =>
    JSON.parse(
      JSON.stringify(output, (key, value: unknown) =>
        key === "id" || key === "call_id" || key.startsWith("parsed") ? undefined : value,
      ),
    );
  expect(bare(final.output)).toEqual(bare(json.output));
  expect(final.usage).toEqual(json.usage);
});

test("a conversation continues its items inline, by earlier response, and by text", async () => {
  await using server = await modelServer((request) =>
    request.toolResults.length > 0
      ? `It is ${request.toolResults[0]?.text} by ${request.toolResults[0]?.toolName}`
      : { reasoning: "hm", toolCalls: [{ name: "weather" }] },
  );
  const client = connect(server.url);
  const first = await client.responses.create({
    model: "gpt-5.5",
    input: "Weather?",
    tools: [weather],
    store: false,
    include: ["reasoning.encrypted_content"],
  });
  const call = first.output.find((item) => item.type === "function_call");
  const output = { type: "function_call_output", call_id: call?.call_id ?? "", output: "cold" } as const;
  const second = await client.responses.create({
    model: "gpt-5.5",
    input: [{ role: "user", content: "Weather?" }, ...(first.output as OpenAI.Responses.ResponseInputItem[]), output],
    tools: [weather],
    store: false,
  });
  expect(second.output_text).toBe("It is cold by weather");

  const stored = await client.responses.create({ model: "gpt-5.5", input: "Weather?", tools: [weather] });
  const storedCall = stored.output.find((item) => item.type === "function_call");
  const third = await client.responses.create({
    model: "gpt-5.5",
    previous_response_id: stored.id,
    input: [{ ...output, call_id: storedCall?.call_id ?? "" }],
    tools: [weather],
  });
  expect(third.output_text).toBe("It is cold by weather");
});

test("refusal, citations, file, length and filter have their places", async () => {
  await using server = await modelServer([
    { refusal: "I won't." },
    { text: "See here.", sources: [{ url: "https://example.com/a", title: "A" }] },
    { files: [{ mediaType: "image/png", data: "aGk=" }] },
    { text: "cut", finish: "length" },
    { text: "", finish: "content_filter" },
  ]);
  const client = connect(server.url);
  const ask = async (): Promise<OpenAI.Responses.Response> =>
    client.responses.stream({ model: "gpt-4.1", input: "x" }).finalResponse();
  expect((await ask()).output[0]).toMatchObject({ content: [{ type: "refusal", refusal: "I won't." }] });
  expect((await ask()).output[0]).toMatchObject({
    content: [{ annotations: [{ type: "url_citation", url: "https://example.com/a", title: "A" }] }],
  });
  expect((await ask()).output[0]).toMatchObject({ type: "image_generation_call", result: "aGk=" });
  expect((await ask()).incomplete_details).toEqual({ reason: "max_output_tokens" });
  expect((await ask()).incomplete_details).toEqual({ reason: "content_filter" });
});

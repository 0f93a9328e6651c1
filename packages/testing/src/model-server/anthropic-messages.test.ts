import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { modelServer } from "./index.ts";
import { type ScriptStep } from "../index.ts";

const weather: Anthropic.Tool = {
  name: "weather",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
};

function connect(url: string): Anthropic {
  return new Anthropic({ apiKey: "test", baseURL: url, maxRetries: 0 });
}

const body = {
  model: "claude-sonnet-4-6",
  max_tokens: 4000,
  messages: [{ role: "user" as const, content: "Weather?" }],
  tools: [weather],
};
const mixed: ScriptStep = {
  reasoning: { text: "They ask for the weather." },
  text: "Let me look.",
  toolCalls: [{ name: "weather", arguments: { city: "Oslo" } }, { name: "weather" }],
  usage: { cachedTokens: 100, cacheWriteTokens: 10 },
};

test("a JSON answer has thinking, text, parallel calls and usage", async () => {
  await using server = await modelServer([mixed]);
  const answer = await connect(server.url).messages.create(body);
  expect(answer.content).toMatchObject([
    { type: "thinking", thinking: "They ask for the weather.", signature: expect.stringMatching(/^EqoB/) },
    { type: "text", text: "Let me look." },
    { type: "tool_use", id: expect.stringMatching(/^toolu_01\w{22}$/), name: "weather", input: { city: "Oslo" } },
    { type: "tool_use", input: {} },
  ]);
  expect(answer.stop_reason).toBe("tool_use");
  expect(answer.usage).toMatchObject({ cache_read_input_tokens: 100, cache_creation_input_tokens: 10 });
  expect(answer.usage.input_tokens).toBeLessThan(100);
});

test("a stream adds up to the JSON answer", async () => {
  await using server = await modelServer([mixed, mixed]);
  const client = connect(server.url);
  const json = await client.messages.create(body);
  const stream = client.messages.stream(body);
  const types: string[] = [];
  stream.on("streamEvent", (event) => types.push(event.type));
  const final = await stream.finalMessage();
  const bare = (content: readonly Anthropic.ContentBlock[]): unknown =>
    content.map((block) => ({ ...block, id: undefined }));
  expect(bare(final.content)).toEqual(bare(json.content));
  expect(final.usage.output_tokens).toBe(json.usage.output_tokens);
  expect(final.stop_reason).toBe("tool_use");
  expect(types.slice(0, 2)).toEqual(["message_start", "content_block_start"]);
  expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
});

test("a conversation with thinking continues", async () => {
  await using server = await modelServer((request) =>
    request.toolResults.length === 0 ? mixed : { text: JSON.stringify(request.toolResults) },
  );
  const client = connect(server.url);
  const thinking = { type: "enabled", budget_tokens: 1024 } as const;
  const first = await client.messages.stream({ ...body, thinking }).finalMessage();
  const results = first.content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
    block.type === "tool_use" ? [{ type: "tool_result", tool_use_id: block.id, content: "cold", is_error: true }] : [],
  );
  const second = await client.messages.create({
    ...body,
    thinking,
    messages: [
      ...body.messages,
      { role: "assistant", content: first.content },
      { role: "user", content: [...results, { type: "text", text: "Go on." }] },
    ],
  });
  expect(second.content[0]).toMatchObject({
    text: expect.stringContaining('"toolName":"weather","text":"cold","isError":true'),
  });
  expect(second.stop_reason).toBe("end_turn");
});

test("thinking whose display is omitted is empty, and its signature is taken back", async () => {
  await using server = await modelServer([mixed, mixed, "Cold."]);
  const client = connect(server.url);
  const asked = { ...body, model: "claude-opus-5", thinking: { type: "adaptive", display: "omitted" } as const };
  const json = await client.messages.create(asked);
  expect(json.content[0]).toMatchObject({ type: "thinking", thinking: "", signature: expect.stringMatching(/^EqoB/) });
  const { content } = await client.messages.stream(asked).finalMessage();
  expect(content[0]).toEqual(json.content[0]);
  const results = content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
    block.type === "tool_use" ? [{ type: "tool_result", tool_use_id: block.id, content: "cold" }] : [],
  );
  const second = await client.messages.create({
    ...asked,
    messages: [
      ...body.messages,
      { role: "assistant", content },
      { role: "user", content: results },
      { role: "system", content: "Be brief." },
    ],
  });
  expect(second.content).toMatchObject([{ text: "Cold." }]);
});

test("refusal, redacted thinking, citations, raw blocks and raw stop words have their places", async () => {
  const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } };
  await using server = await modelServer([
    { refusal: "Not this." },
    { reasoning: { redacted: "c2VjcmV0" }, text: "ok" },
    { text: "See.", sources: [{ url: "https://example.com", title: "E" }] },
    { parts: [{ type: "raw", value: search }], rawFinish: "pause_turn" },
  ]);
  const ask = async (): Promise<Anthropic.Message> => connect(server.url).messages.stream(body).finalMessage();
  expect(await ask()).toMatchObject({
    content: [],
    stop_reason: "refusal",
    stop_details: { explanation: "Not this." },
  });
  expect((await ask()).content[0]).toEqual({ type: "redacted_thinking", data: "c2VjcmV0" });
  expect((await ask()).content[0]).toMatchObject({
    text: "See.",
    citations: [{ type: "web_search_result_location", url: "https://example.com" }],
  });
  expect(await ask()).toMatchObject({ content: [search], stop_reason: "pause_turn" });
});

test("arguments that are not JSON stream verbatim, and are an error of the script in JSON", async () => {
  const broken: ScriptStep = { toolCalls: [{ name: "weather", arguments: '{"city": "Os' }] };
  await using server = await modelServer([broken, broken]);
  const client = connect(server.url);
  let text = "";
  for await (const event of await client.messages.create({ ...body, stream: true })) {
    if (event.type === "content_block_delta" && event.delta.type === "input_json_delta")
      text += event.delta.partial_json;
  }
  expect(text).toBe('{"city": "Os');
  await expect(client.messages.create(body)).rejects.toThrow("not a JSON object");
  expect(server.requests[1]?.failure).toMatchObject({ code: "SCRIPT_UNSUPPORTED" });
});

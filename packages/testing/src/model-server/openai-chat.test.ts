import OpenAI from "openai";
import { expect, test } from "vitest";
import { modelServer } from "./index.ts";
import { type ScriptStep } from "../index.ts";

const weather: OpenAI.Chat.ChatCompletionTool = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};

function connect(url: string): OpenAI {
  return new OpenAI({ apiKey: "test", baseURL: `${url}/v1`, maxRetries: 0 });
}

const calls: ScriptStep = {
  text: "Let me look.",
  toolCalls: [
    { name: "weather", arguments: { city: "Oslo" } },
    { name: "weather", arguments: "{broken" },
  ],
};

test("a JSON answer has text, parallel calls and usage", async () => {
  await using server = await modelServer([calls]);
  const answer = await connect(server.url).chat.completions.create({
    model: "gpt-4.1",
    messages: [{ role: "user", content: "Weather?" }],
    tools: [weather],
  });
  const choice = answer.choices[0];
  expect(choice?.finish_reason).toBe("tool_calls");
  expect(choice?.message.content).toBe("Let me look.");
  expect(choice?.message.tool_calls).toMatchObject([
    {
      type: "function",
      id: expect.stringMatching(/^call_\w{24}$/),
      function: { name: "weather", arguments: '{"city":"Oslo"}' },
    },
    { type: "function", function: { arguments: "{broken" } },
  ]);
  expect(answer.usage?.total_tokens).toBe((answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0));
});

test("a stream has the id of a call once, usage only when asked for, and ends with DONE", async () => {
  await using server = await modelServer([calls, "Hi."]);
  const client = connect(server.url);
  const messages = [{ role: "user", content: "Weather?" }] as const;
  const stream = client.chat.completions.stream({
    model: "gpt-4.1",
    messages: [...messages],
    tools: [weather],
    stream_options: { include_usage: true },
  });
  const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const ids = chunks.flatMap((chunk) =>
    chunk.choices.flatMap((choice) => choice.delta.tool_calls?.flatMap((call) => call.id ?? []) ?? []),
  );
  expect(ids).toHaveLength(2);
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
  const final = await stream.finalChatCompletion();
  expect(final.choices[0]?.message.tool_calls?.[1]).toMatchObject({ function: { arguments: "{broken" } });

  const raw = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer x" },
    body: JSON.stringify({ model: "gpt-4.1", messages, stream: true }),
  });
  const text = await raw.text();
  expect(text).not.toContain("usage");
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
});

test("reasoning is hidden, or in the field of a compatible server", async () => {
  const step: ScriptStep = { reasoning: "Hm, hm.", text: "Yes." };
  const body = { model: "gpt-5", messages: [{ role: "user" as const, content: "?" }] };
  await using plain = await modelServer([step]);
  const hidden = await connect(plain.url).chat.completions.create(body);
  expect(hidden.choices[0]?.message).not.toHaveProperty("reasoning_content");
  expect(hidden.usage?.completion_tokens_details?.reasoning_tokens).toBe(2);

  await using compatible = await modelServer([step, step], { chatReasoning: "reasoning_content" });
  const shown = await connect(compatible.url).chat.completions.create(body);
  expect(shown.choices[0]?.message).toHaveProperty("reasoning_content", "Hm, hm.");
  let streamed = "";
  for await (const chunk of await connect(compatible.url).chat.completions.create({ ...body, stream: true })) {
    streamed += (chunk.choices[0]?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? "";
  }
  expect(streamed).toBe("Hm, hm.");
});

test("a script function sees the request in neutral form", async () => {
  await using server = await modelServer((request) => {
    expect(request).toMatchObject({
      wire: "openai-chat",
      model: "gpt-4.1",
      system: "Be kind.",
      lastUserText: "Look:",
      stream: false,
      temperature: 0.5,
      turn: 0,
    });
    expect(request.messages.map((message) => message.role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(request.messages[1]?.images).toBe(1);
    expect(request.tools).toMatchObject([{ name: "weather", type: "function", schema: { type: "object" } }]);
    expect(request.toolResults).toEqual([{ toolCallId: "call_1", toolName: "weather", text: "cold", isError: false }]);
    return "ok";
  });
  const answer = await connect(server.url).chat.completions.create({
    model: "gpt-4.1",
    temperature: 0.5,
    tools: [weather],
    messages: [
      { role: "system", content: "Be kind." },
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "cold" },
    ],
  });
  expect(answer.choices[0]?.message.content).toBe("ok");
  expect(server.requests[0]).toMatchObject({
    wire: "openai-chat",
    method: "POST",
    path: "/v1/chat/completions",
    aborted: false,
    failure: undefined,
  });
});

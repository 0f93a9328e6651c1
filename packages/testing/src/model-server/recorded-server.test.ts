import OpenAI from "openai";
import { expect, test } from "vitest";
import { recordedFrames, recordedServer } from "./index.ts";

const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const chunks = ["Grüße", " 👋"]
  .map((content) => JSON.stringify({ ...head, choices: [{ index: 0, delta: { content } }] }))
  .join("\n");
const finished = `${chunks}\n${JSON.stringify({ ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n`;

async function read(url: string): Promise<string> {
  const client = new OpenAI({ apiKey: "test", baseURL: `${url}/v1`, maxRetries: 0 });
  let text = "";
  for await (const chunk of await client.chat.completions.create({ model: "m", messages: [], stream: true }))
    text += chunk.choices[0]?.delta.content ?? "";
  return text;
}

test("a stream split inside a character arrives whole", async () => {
  const recording = { wire: "openai-chat", chunks: finished } as const;
  const bytes = Buffer.byteLength(recordedFrames(recording).join(""));
  let split = 0;
  await using server = await recordedServer(() => ({ ...recording, splitAt: [split] }));
  for (split = 1; split < bytes; split += 1) expect(await read(server.url)).toBe("Grüße 👋");
  expect(server.requests).toHaveLength(bytes - 1);
});

test("a stream cut after an event breaks the connection there", async () => {
  await using server = await recordedServer({ wire: "openai-chat", chunks: finished, cutAfterEvent: 1 });
  const answer = await fetch(server.url, { method: "POST" });
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toContain("Grüße");
  await expect(reader?.read()).rejects.toThrow("terminated");
  expect(server.requests[0]?.aborted).toBe(false);
});

test("a JSON body is sent with its status", async () => {
  const json = '{"error": {"message": "slow down"}}\n';
  await using server = await recordedServer({
    wire: "openai-chat",
    json,
    status: 429,
    headers: { "retry-after": "3" },
  });
  const answer = await fetch(server.url, { method: "POST" });
  expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([429, "3", json]);
});

test("a recording that cannot be sent is refused at once", async () => {
  await expect(recordedServer({ wire: "openai-chat" })).rejects.toThrow("either chunks or json");
  await expect(recordedServer({ wire: "openai-chat", json: "{}", cutAfterEvent: 1 })).rejects.toThrow(
    "cutAfterEvent needs chunks",
  );
  await expect(recordedServer({ wire: "openai-chat", chunks: "nonsense" })).rejects.toThrow(
    "line 1 is not a JSON object",
  );
});

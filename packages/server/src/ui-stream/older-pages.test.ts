import { tool } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { chatId, serveChat } from "../http/chat-page.fixture.ts";
import { payTool } from "../http/pay.fixture.ts";

/** The chunks and finish reasons of AI SDK 6; a page refuses a stream with another one. */
const chunks = new Set(
  "text-start text-delta text-end error tool-input-start tool-input-delta tool-input-available tool-input-error tool-approval-request tool-output-available tool-output-error tool-output-denied reasoning-start reasoning-delta reasoning-end source-url source-document file start-step finish-step start finish abort message-metadata".split(
    " ",
  ),
);
const reasons = new Set(["stop", "length", "content-filter", "tool-calls", "error", "other"]);

const ask = tool({
  name: "ask_name",
  description: "Asks the user.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: async (_input, context) => context.ask({ question: "Your name?", schema: z.string() }),
});

test.each([
  ["a question of a tool", "ask_name", undefined],
  ["an approval, then its decision", "pay", undefined],
  ["a page that knows the chunks of AI SDK 7", "ask_name", "7"],
])("a page gets the chunks that it knows: %s [server.chat.older]", async (_what, name, version) => {
  const { pay } = payTool();
  const served = serveChat(
    ({ messages }) =>
      messages.at(-1)?.role === "user"
        ? { toolCalls: [{ name, arguments: name === "pay" ? { amount: 5 } : {} }] }
        : "Done.",
    { agent: { tools: [pay, ask] } },
  );
  const headers = { "content-type": "application/json", ...(version !== undefined && { "x-ai-sdk-major": version }) };
  const bodies = [{ id: chatId, messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Go." }] }] }];
  const seen: { type: string; finishReason?: string }[] = [];
  const read = async (path: string, body?: object): Promise<void> => {
    const response = await served.send(body === undefined ? "GET" : "POST", path, body, headers);
    for (const line of (await response.text()).split("\n"))
      if (line.startsWith("data: {")) seen.push(JSON.parse(line.slice(6)) as { type: string });
  };
  for (const body of bodies) await read("/chat", body);
  const runId = (seen[0] as unknown as { messageId: string }).messageId;
  const [question] = await served.agent.interruptions(runId);
  if (question !== undefined && name === "pay") {
    await served.send("POST", `/runs/${runId}/decisions`, { decisions: [question.approve()] });
    await expect.poll(async () => (await served.agent.inspect(runId)).output?.status).toBe("completed");
    await read(`/runs/${runId}/stream`);
  }
  const unknown = seen.filter(({ type }) => !chunks.has(type) && !type.startsWith("data-"));
  expect(unknown).toEqual([]);
  const ends = seen.flatMap(({ finishReason }) => finishReason ?? []);
  if (version === undefined) expect(ends.filter((reason) => !reasons.has(reason))).toEqual([]);
  else expect(ends).toEqual(["interrupted"]);
});

test.each([
  ["names AI SDK 5", { "x-ai-sdk-major": "5" }, { parts: [{ type: "text", text: "Hi." }] }, "This page uses AI SDK 5"],
  ["sends messages of AI SDK 4", {}, { content: "Hi." }, "This page sends messages of AI SDK 4"],
])(
  "a page that %s is refused with the versions that work [server.chat.older]",
  async (_what, headers, message, says) => {
    const served = serveChat(["Hi."]);
    const body = { id: chatId, messages: [{ id: "m1", role: "user", ...message }] };
    const response = await served.send("POST", "/chat", body, headers);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe("CLIENT_TOO_OLD");
    expect(error.message).toContain(says);
    expect(error.message).toContain('Update the package "ai" of the page to 6 or 7.');
    expect(await served.store.listRuns({})).toEqual([]);
  },
);

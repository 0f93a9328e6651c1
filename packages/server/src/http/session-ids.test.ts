import { memoryStore } from "@bailiwick/core";
import { expect, test } from "vitest";
import { openaiRoutes } from "../openai/index.ts";
import { chatId, serveChat } from "./chat-page.fixture.ts";

const message = { id: "m", role: "user", parts: [{ type: "text", text: "Hello." }] };
const ids = [
  ["of 100,000 characters", "x".repeat(100_000)],
  ["with NUL", "chat-with-a-\0-in-its-middle"],
  ["with half a character", "chat-with-half-a-\ud800-character"],
] as const;

test.each(ids)("a session id %s is refused with 400 by every route [server.session-ids]", async (_name, id) => {
  const served = serveChat(() => "So.");
  const user = { role: "user", content: "Hello." };
  const path = encodeURIComponent(id.isWellFormed() ? id : "chat-\0");
  const answers = await Promise.all([
    served.send("POST", "/chat", { id, messages: [message] }),
    served.send("GET", `/chat/${path}`),
    served.send("PATCH", `/chat/${path}`, { title: "A" }),
    served.send("DELETE", `/chat/${path}`),
    served.send("GET", `/chat/${path}/stream`),
    served.send("GET", `/chat/${path}/branches`),
    served.send("POST", `/chat/${path}/stop`, {}),
    served.send("GET", `/runs?sessionId=${path}`),
    served.send("POST", "/ag-ui", { threadId: id, runId: "r", messages: [{ id: "m", ...user }] }),
    served.send("POST", "/ag-ui", {
      threadId: id,
      runId: "r",
      messages: [{ id: "t", role: "tool", toolCallId: "c", content: "1" }],
    }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  const store = memoryStore();
  const { agent } = served;
  const openai = openaiRoutes({ agent, store, questionUrl: () => "https://app.example.com" });
  const responses = await openai.request("http://localhost/responses", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "clerk", input: "Hello.", conversation: id }),
  });
  expect(responses.status).toBe(400);
  expect(await served.store.listRuns({})).toEqual([]);
});

test("an invalid run id is treated like an unknown run [server.session-ids]", async () => {
  const served = serveChat([]);
  for (const id of ["x".repeat(10_000), "a%00b"]) expect((await served.send("GET", `/runs/${id}`)).status).toBe(404);
});

test("AG-UI: an answer to a thread without runs is refused with that reason [server.ag-ui.answers]", async () => {
  const served = serveChat([]);
  const response = await served.send("POST", "/ag-ui", {
    threadId: chatId,
    runId: "r",
    messages: [],
    resume: [{ interruptId: "i", status: "resolved", payload: { approved: true } }],
  });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    error: { code: "RUN_NOT_FOUND", message: expect.stringContaining(`Thread "${chatId}" has no run`) as string },
  });
});

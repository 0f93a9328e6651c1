import { clientTool, memoryStore } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { chatId, serveChat, type ServedChat } from "./chat-page.fixture.ts";

const locate = clientTool({
  name: "locate",
  description: "Finds where the user is.",
  inputSchema: z.object({}),
  outputSchema: z.object({ city: z.string() }),
  sideEffectClass: "read-only",
});
const call = { toolCalls: [{ name: "locate", arguments: {} }] };

/** A chat whose run waits for the page to run a tool, and the page's answer. */
async function waiting(more: Parameters<typeof serveChat>[1] = {}) {
  const store = memoryStore();
  const authorize = (request: Request) => ({ userId: request.headers.get("x-user") ?? "ada" });
  const served = serveChat([call, "You are in Oslo."], {
    store,
    agent: { tools: [locate] },
    ...more,
    routes: { authorize, ...more.routes },
  });
  await served.page().sendMessage({ text: "Where am I?" });
  const { messages } = await served.load();
  const runId = messages.at(-1)?.id ?? "";
  const part = messages.at(-1)?.parts.find((one) => "toolCallId" in one);
  const toolCallId = part !== undefined && "toolCallId" in part ? part.toolCallId : "";
  const answer = async (output: unknown, id = toolCallId): Promise<Response> =>
    served.send("POST", "/chat", {
      id: chatId,
      messages: [
        {
          id: runId,
          role: "assistant",
          parts: [{ type: "tool-locate", state: "output-available", input: {}, toolCallId: id, output }],
        },
      ],
    });
  return { served, runId, answer, toolCallId };
}
const stateOf = async (served: ServedChat, runId: string) => (await served.store.getRun(runId))?.state;
const codeOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { readonly error?: { readonly code?: unknown } }).error?.code;

test("an answer that is posted twice counts once [server.client-tools.answers] [server.decisions.repeated]", async () => {
  const { served, runId, answer } = await waiting();
  const both = await Promise.all([answer({ city: "Oslo" }), answer({ city: "Bergen" })]);
  await Promise.all(both.map(async (response) => response.text()));
  await expect.poll(() => stateOf(served, runId)).toBe("completed");
  const { events } = await served.agent.inspect(runId);
  expect(events.filter(({ type }) => type === "tool.result")).toHaveLength(1);
  const recorded = events.find(({ type }) => type === "input.answered");
  const value = recorded?.type === "input.answered" ? recorded.value : undefined;
  const late = await answer(value);
  expect(late.status).toBe(200);
  expect(await late.text()).toContain("[DONE]");
  const other = await answer({ city: "Rome" });
  expect([other.status, await codeOf(other)]).toEqual([409, "DECISION_USED"]);
  expect((await served.agent.inspect(runId)).events).toHaveLength(events.length);
});

test.each([
  ["with another call's id", { city: "Oslo" }, "another-call", 409, "UNKNOWN_DECISION"],
  ["that does not fit the schema", { town: 3 }, undefined, 409, "ANSWER_INVALID"],
  ["of 50 MB", { city: "x".repeat(50_000_000) }, undefined, 413, "BODY_TOO_LARGE"],
])("an answer %s is refused and keeps the question open [server.client-tools.answers]", async (...given) => {
  const [, output, id, status, code] = given;
  const { served, runId, answer } = await waiting();
  const refused = await answer(output, id);
  expect([refused.status, await codeOf(refused)]).toEqual([status, code]);
  expect(await stateOf(served, runId)).toBe("suspended");
  await (await answer({ city: "Oslo" })).text();
  await expect.poll(() => stateOf(served, runId)).toBe("completed");
});

test("an answer of another user is refused as for a run that does not exist [server.client-tools.answers]", async () => {
  const { served, runId, answer } = await waiting();
  served.as("mallory");
  const refused = await answer({ city: "Oslo" });
  expect([refused.status, await codeOf(refused)]).toEqual([404, "RUN_NOT_FOUND"]);
  expect(await stateOf(served, runId)).toBe("suspended");
});

test("an answer after the run ended changes nothing [server.client-tools.answers]", async () => {
  const { served, runId, answer } = await waiting();
  await served.agent.cancel(runId);
  const before = (await served.agent.inspect(runId)).events.length;
  const refused = await answer({ city: "Oslo" });
  expect([refused.status, await codeOf(refused)]).toEqual([409, "UNKNOWN_DECISION"]);
  expect((await served.agent.inspect(runId)).events).toHaveLength(before);
});

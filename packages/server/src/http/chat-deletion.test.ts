import { Agent } from "@bailiwick/agent";
import { createAgentRuntime, memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { runRoutes } from "../index.ts";
import { chatId, seen, serveChat } from "./chat-page.fixture.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

test("deleting a chat deletes more runs than one list holds [server.chat.delete]", async () => {
  const served = serveChat(() => "So.");
  // An agent without sessions: its runs do not read those before them.
  const same = createAgentRuntime({ name: "clerk", model: scriptedModel(() => "So."), store: served.store });
  const say = async (): Promise<unknown> => same.stream("Hello.", { sessionId: chatId }).result;
  for (let count = 0; count < 1_010; count += 10) await Promise.all(Array.from({ length: 10 }, say));
  const left = async (): Promise<number> => (await served.store.listRuns({ sessionId: chatId, limit: 5_000 })).length;
  expect(await left()).toBeGreaterThan(1_000);
  expect((await served.send("DELETE", `/chat/${chatId}`)).status).toBe(204);
  expect(await left()).toBe(0);
});

test("deleting a branch keeps its chat, which shows the branch's parent [server.chat.delete]", async () => {
  const served = serveChat(["First.", "Second.", "Third.", "Fourth."]);
  const page = served.page();
  await page.sendMessage({ text: "Hello." });
  await page.regenerate();
  const branches = async () =>
    (await (await served.send("GET", `/chat/${chatId}/branches`)).json()) as {
      readonly active: string;
      readonly branches: readonly { readonly id: string; readonly parent?: string }[];
    };
  const middle = (await branches()).active;
  const again = served.page((await served.load()).messages);
  await again.regenerate();
  const { active } = await branches();
  expect((await branches()).branches.map(({ id }) => id)).toEqual([chatId, middle, active]);

  expect((await served.send("DELETE", `/chat/${middle}`)).status).toBe(204);
  expect((await branches()).branches).toMatchObject([{ id: chatId }, { id: active, parent: chatId }]);
  expect(seen((await served.load()).messages)).toEqual(["user: Hello.", "assistant: Third."]);

  expect((await served.send("DELETE", `/chat/${active}`)).status).toBe(204);
  expect(await branches()).toMatchObject({ active: chatId, branches: [{ id: chatId }] });
  expect(seen((await served.load()).messages)).toEqual(["user: Hello.", "assistant: First."]);
  expect((await served.send("DELETE", `/chat/${chatId}`)).status).toBe(204);
  expect(await served.store.listRuns({ limit: 10 })).toEqual([]);
});

test("a deleted chat leaves no word of the user: neither in runs of sub-agents, nor of other agents of the conversation [server.chat.delete]", async () => {
  const store = memoryStore();
  const common = { logger: quiet, flow: "off", store, session: store.sessions } as const;
  const inner = new Agent({ ...common, name: "inner", description: "Helps.", model: scriptedModel(() => "Helped.") });
  const clerk = new Agent({
    ...common,
    name: "clerk",
    tools: [inner.asTool()],
    model: scriptedModel(({ lastUserText, toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: "inner", arguments: { input: lastUserText } }] } : "Done.",
    ),
  });
  const other = new Agent({ ...common, name: "other", model: scriptedModel(() => "So.") });
  const owner = { userId: "ada" };
  await clerk.run("Buy marigolds.", { sessionId: "chat", ...owner });
  await other.run("More marigolds.", { sessionId: "chat", ...owner });
  expect((await store.sessions.list(owner)).map(({ id }) => id)).toEqual(["chat"]);
  expect((await store.searchRuns({ text: "marigolds", allTenants: true })).runs).toHaveLength(2);
  const routes = runRoutes({ agent: clerk, store, authorize: () => owner });
  expect((await routes.request("/chat/chat", { method: "DELETE" })).status).toBe(204);
  expect(await store.sessions.list(owner)).toEqual([]);
  expect(await store.sessions.search("marigolds", owner)).toEqual([]);
  expect(await store.listRuns({ allTenants: true, limit: 10 })).toEqual([]);
});

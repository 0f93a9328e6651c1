import { createAgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { chatId, seen, serveChat } from "./chat-page.fixture.ts";

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

import { tool } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { chatId, seen, serveChat, type ServedChat } from "./chat-page.fixture.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

interface Listed {
  readonly chats: readonly { readonly id: string; readonly title?: string; readonly updatedAt: number }[];
}

const listed = async (served: ServedChat): Promise<Listed["chats"]> =>
  ((await (await served.send("GET", "/chat")).json()) as Listed).chats;

/** An agent whose tool runs until its run is cancelled. */
function serveSlowly(routes: Partial<RunRoutesOptions> = {}) {
  const slow = tool({
    name: "slow",
    description: "Takes its time.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => {
      await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve(), { once: true }));
      return "stopped";
    },
  });
  const steps = [{ text: "A moment.", toolCalls: [{ name: "slow", arguments: {} }] }, "Never said."];
  return serveChat(steps, { agent: { tools: [slow] }, routes });
}

test("POST /chat/:id/stop cancels the run that the page shows, and no newer one [server.chat.stop]", async () => {
  const served = serveSlowly();
  const page = served.page();
  const sent = page.sendMessage({ text: "Wait." });
  await expect.poll(() => seen(page.messages).at(-1)).toContain("input-available");
  const assistantMessage = page.messages[1];
  const stop = async (body: object): Promise<unknown> =>
    (await served.send("POST", `/chat/${chatId}/stop`, body)).json();
  expect(await stop({ activeStreamId: "an-older-run" })).toEqual({ success: true, stopped: false });
  expect(await stop({ assistantMessage: { ...assistantMessage, id: "an-older-run" } })).toMatchObject({
    stopped: false,
  });
  expect(page.status).toBe("streaming");
  expect(await stop({ activeStreamId: assistantMessage?.id, assistantMessage })).toEqual({
    success: true,
    stopped: true,
  });
  await sent;
  expect((await served.agent.inspect(assistantMessage?.id ?? "")).output?.status).toBe("cancelled");
  expect(await stop({})).toEqual({ success: true, stopped: false });
  expect((await served.load()).activeStreamId).toBeNull();
  expect(seen((await served.load()).messages)[1]).toContain("A moment.");
});

test("stopping a chat also stops a run that waits for an approval [server.chat.stop]", async () => {
  const served = serveChat([{ toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }]);
  const page = served.page();
  await page.sendMessage({ text: "Pay 5." });
  await served.send("POST", `/chat/${chatId}/stop`, {});
  expect((await served.agent.inspect(page.messages[1]?.id ?? "")).output?.status).toBe("cancelled");
  expect((await served.send("GET", `/chat/${chatId}/stream`)).status).toBe(204);
});

test.each([
  ["cancel", "cancelled"],
  ["continue", undefined],
] as const)("a closed stream: onDisconnect %s [server.chat.disconnect]", async (onDisconnect, status) => {
  const served = serveSlowly({ onDisconnect });
  const page = served.page();
  const sent = page.sendMessage({ text: "Wait." });
  await expect.poll(() => seen(page.messages).at(-1)).toContain("input-available");
  const runId = page.messages[1]?.id ?? "";
  const second = served.page();
  const watching = second.resumeStream();
  await expect.poll(() => seen(second.messages).at(-1)).toContain("input-available");
  await page.stop();
  await sent;
  const state = async (): Promise<string | undefined> => (await served.store.getRun(runId))?.state;
  expect(await state()).toBe("running");
  await second.stop();
  await watching;
  if (status !== undefined) await expect.poll(state).toBe(status);
  else {
    expect(await state()).toBe("running");
    await served.agent.cancel(runId);
  }
  await expect.poll(async () => (await served.agent.inspect(runId)).output?.status).toBe("cancelled");
});

test("onDisconnect accepts its two values [server.chat.disconnect]", () => {
  const onDisconnect = "stop" as unknown as "cancel";
  expect(() => serveChat([], { routes: { onDisconnect } })).toThrow(/"continue" or "cancel" as "onDisconnect"/);
});

test("chats are listed, renamed and deleted, a waiting one and its branches too [server.chat.list]", async () => {
  let asked = 0;
  const served = serveChat(() =>
    (asked += 1) === 1 ? { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] } : "Good day.",
  );
  const waiting = served.page([], "chat-2-of-a-test-page");
  await waiting.sendMessage({ text: "Pay  5." });
  const page = served.page();
  await page.sendMessage({ text: "Hello." });
  await page.regenerate();
  expect(await listed(served)).toMatchObject([
    { id: chatId, title: "Hello." },
    { id: "chat-2-of-a-test-page", title: "Pay 5." },
  ]);
  expect((await served.send("PATCH", `/chat/${chatId}`, { title: "Greetings" })).status).toBe(200);
  expect((await served.load()).title).toBe("Greetings");
  expect((await served.send("PATCH", "/chat/no-such-chat-at-all", { title: "None" })).status).toBe(404);
  expect((await served.send("PATCH", `/chat/${chatId}`, { title: "x".repeat(300) })).status).toBe(400);

  const { branch } = await served.load();
  expect((await served.send("DELETE", `/chat/${chatId}`)).status).toBe(204);
  expect((await listed(served)).map(({ id }) => id)).toEqual(["chat-2-of-a-test-page"]);
  expect((await served.load()).messages).toEqual([]);
  for (const sessionId of [chatId, branch]) expect(await served.store.listRuns({ sessionId })).toEqual([]);
  expect((await served.send("DELETE", `/chat/${chatId}`)).status).toBe(204);
});

test("a chat of another user has no messages, stream, branches, or end, and is not listed [server.chat.owner]", async () => {
  const served = serveChat([{ toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }], {
    routes: { authorize: (request) => ({ userId: request.headers.get("x-user") ?? "nobody" }) },
  });
  served.as("ada");
  const page = served.page();
  await page.sendMessage({ text: "Pay 5." });
  const own = await served.load();
  const runId = own.messages[1]?.id ?? "";

  served.as("bob");
  expect(await served.load()).toEqual({ id: chatId, branch: chatId, activeStreamId: null, messages: [], older: null });
  expect(await served.load()).toEqual({ ...(await served.load("no-such-chat-at-all")), id: chatId, branch: chatId });
  expect((await served.send("GET", `/chat/${chatId}/stream`)).status).toBe(204);
  expect(await (await served.send("GET", `/chat/${chatId}/branches`)).json()).toEqual({
    active: chatId,
    branches: [{ id: chatId }],
  });
  expect(await (await served.send("POST", `/chat/${chatId}/stop`, { activeStreamId: runId })).json()).toMatchObject({
    stopped: false,
  });
  expect((await served.send("PATCH", `/chat/${chatId}`, { title: "Mine" })).status).toBe(404);
  expect((await served.send("DELETE", `/chat/${chatId}`)).status).toBe(204);
  expect(await listed(served)).toEqual([]);
  const regenerate = {
    id: chatId,
    trigger: "regenerate-message",
    messageId: runId,
    messages: page.messages.slice(0, 1),
  };
  // Bob's chat of this id has no such message: the request begins it.
  expect((await served.send("POST", "/chat", regenerate)).status).toBe(200);
  expect((await served.load()).messages.map(({ id }) => id)).not.toContain(runId);

  served.as("ada");
  expect(await served.load()).toEqual(own);
  expect((await listed(served)).map(({ id }) => id)).toEqual([chatId]);
});

test("authorize may refuse each action on a chat [server.chat.owner]", async () => {
  const asked: string[] = [];
  const served = serveChat(["Good day."], {
    routes: {
      authorize(_request, { action, session }) {
        asked.push(`${action} ${session?.id ?? ""}`);
        return null;
      },
    },
  });
  const id = `/chat/${chatId}`;
  const requests = [
    ["GET", "/chat"],
    ["GET", id],
    ["GET", `${id}/stream`],
    ["GET", `${id}/branches`],
    ["PATCH", id, {}],
    ["DELETE", id],
    ["POST", `${id}/stop`, {}],
  ] as const;
  for (const [method, path, body] of requests) expect((await served.send(method, path, body)).status).toBe(403);
  expect(asked).toEqual(
    ["list ", `read ${chatId}`, `list ${chatId}`, `read ${chatId}`, `edit ${chatId}`, `delete ${chatId}`].concat(
      `list ${chatId}`,
    ),
  );
});

test("an agent without sessions refuses routes that need them, and shows its runs [server.chat.list]", async () => {
  const served = serveChat(["Good day."], { agent: { session: undefined } });
  const page = served.page();
  await page.sendMessage({ text: "Hello." });
  expect(seen((await served.load()).messages)).toEqual(["user: Hello.", "assistant: Good day."]);
  await page.regenerate();
  expect(page.error?.message).toContain("NO_SESSIONS");
  expect((await served.send("GET", "/chat")).status).toBe(409);
});

test("the messages of a sealed session are readable through the agent [server.chat.history]", async () => {
  const { Agent, memoryStore } = await import("@bailiwick/agent");
  const { scriptedModel } = await import("@bailiwick/testing");
  const { runRoutes } = await import("./run-routes.ts");
  const store = memoryStore();
  const model = scriptedModel(["Good day."]);
  const agent = new Agent({ name: "clerk", model, store, session: store.sessions, keys: { seal: "k".repeat(40) } });
  const app = runRoutes({ agent, store });
  const messages = [{ id: "u1", role: "user", parts: [{ type: "text", text: "Hello." }] }];
  const body = JSON.stringify({ id: chatId, messages });
  await (
    await app.request("http://localhost/chat", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    })
  ).text();
  const loaded = (await (await app.request(`http://localhost/chat/${chatId}`)).json()) as {
    messages: never[];
    title: string;
  };
  expect(seen(loaded.messages)).toEqual(["user: Hello.", "assistant: Good day."]);
  expect(loaded.title).toBe("Hello.");
  expect(JSON.stringify(await store.sessions?.load(chatId))).not.toContain("Hello.");
});

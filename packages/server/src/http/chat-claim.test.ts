import { memoryStore } from "@bailiwick/core";
import { expect, test } from "vitest";
import { claimChat } from "../chat/claim-chat.ts";
import { seen, serveChat } from "./chat-page.fixture.ts";

const id = "b7c1a5de-4a0f-4c64-9d5c-2f4d8b1c7e10";
const ada = { userId: "ada" };
const secret = "canary-7f3a";

/** A chat of an anonymous caller: a first branch, a branch in which a payment waits, and a branch of that one. */
async function chatWithBranches(store: ReturnType<typeof memoryStore>) {
  const served = serveChat(
    ({ messages, toolResults }) =>
      toolResults.length === 0 && messages.at(-1)?.text === "Pay."
        ? { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }
        : `Yes, ${secret}.`,
    {
      store,
      agent: { session: store.sessions },
      routes: {
        authorize: (request) => ({ userId: request.headers.get("x-user") ?? undefined }),
        onError: () => undefined,
      },
    },
  );
  const page = served.page([], id);
  for (const text of ["One.", "Two."]) await page.sendMessage({ text });
  await page.sendMessage({ text: "Deux.", messageId: page.messages[2]?.id ?? "" });
  await page.sendMessage({ text: "Pay.", messageId: page.messages[2]?.id ?? "" });
  await served.send("PATCH", `/chat/${id}`, { title: "Rent" });
  const runs = await store.listRuns({ allUsers: true });
  const sessionIds = [...new Set(runs.flatMap(({ sessionId }) => sessionId ?? []))];
  expect(sessionIds).toHaveLength(3);
  return { served, runs, sessionIds };
}

/** Everything that a caller who knows the ids can reach. */
async function reached({ served, runs, sessionIds }: Awaited<ReturnType<typeof chatWithBranches>>): Promise<string> {
  const texts: string[] = [];
  for (const sessionId of sessionIds) {
    const path = `/chat/${encodeURIComponent(sessionId)}`;
    for (const end of ["", "/branches", "/stream"]) texts.push(await (await served.send("GET", path + end)).text());
  }
  for (const run of runs) {
    texts.push(await (await served.send("GET", `/runs/${run.id}/journal`)).text());
    const [question] = await served.agent.interruptions(run.id);
    if (question === undefined) continue;
    const decisions = [{ id: question.id, type: "approve", token: question.token }];
    texts.push(`status ${(await served.send("POST", `/runs/${run.id}/decisions`, { decisions })).status}`);
  }
  return texts.join("\n");
}

test("a chat is claimed with its title, branches and their runs, and its id alone no longer gives access [server.chat.claim]", async () => {
  const store = memoryStore();
  const chat = await chatWithBranches(store);
  const { served, runs } = chat;
  const before = await served.load(id);
  expect(seen(before.messages).at(-1)).toContain("[pay: approval-requested]");
  await claimChat(store.sessions, id, ada);

  const anonymous = await reached(chat);
  expect(anonymous).not.toContain(secret);
  expect(anonymous).toContain("status 404");
  expect(served.paid).toEqual([]);

  served.as("ada");
  expect(await served.load(id)).toEqual(before);
  const { chats } = (await (await served.send("GET", "/chat")).json()) as { readonly chats: unknown[] };
  expect(chats).toMatchObject([{ id, title: "Rent" }]);
  // A second call, such as after a lost answer, changes nothing; another user gets nothing.
  await claimChat(store.sessions, id, ada);
  expect(await served.load(id)).toEqual(before);
  await expect(claimChat(store.sessions, id, { userId: "bob" })).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(claimChat(store.sessions, "none", ada)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });

  expect((await served.send("DELETE", `/chat/${id}`)).status).toBe(204);
  for (const run of runs) expect(await store.getRun(run.id)).toBeUndefined();
});

test("a claim that ended after the first session is continued by the next call [server.chat.claim]", async () => {
  const store = memoryStore();
  const chat = await chatWithBranches(store);
  const before = await chat.served.load(id);
  await store.sessions.claim(id, ada);
  await claimChat(store.sessions, id, ada);
  expect(await reached(chat)).not.toContain(secret);
  chat.served.as("ada");
  expect(await chat.served.load(id)).toEqual(before);
});

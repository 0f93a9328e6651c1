import { expect, test } from "vitest";
import { approvalIn, chatId, seen, serveChat } from "./chat-page.fixture.ts";

/** A model that repeats what it read of the user. */
const echo: Parameters<typeof serveChat>[0] = ({ messages }) =>
  messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])).join(" | ");

interface Branches {
  readonly active: string;
  readonly branches: { readonly id: string; readonly parent?: string; readonly messageId?: string }[];
}

test("regenerate() makes another answer in a branch, and both are kept [server.chat.regenerate]", async () => {
  let answers = 0;
  const served = serveChat(() => `Answer ${(answers += 1)}.`);
  const page = served.page();
  await page.sendMessage({ text: "One." });
  await page.sendMessage({ text: "Two." });
  await page.regenerate();
  expect(page.error).toBeUndefined();
  expect(seen(page.messages)).toEqual(["user: One.", "assistant: Answer 1.", "user: Two.", "assistant: Answer 3."]);
  expect((await served.load()).messages).toEqual(JSON.parse(JSON.stringify(page.messages)));

  const { active, branches } = (await (await served.send("GET", `/chat/${chatId}/branches`)).json()) as Branches;
  expect(branches.map(({ id, parent }) => [id, parent])).toEqual([
    [chatId, undefined],
    [active, chatId],
  ]);
  expect(branches[1]?.messageId).toBe(page.messages[2]?.id);
  expect((await served.send("PATCH", `/chat/${chatId}`, { branch: chatId })).status).toBe(200);
  expect(seen((await served.load()).messages).at(-1)).toBe("assistant: Answer 2.");
  expect((await served.send("PATCH", `/chat/${chatId}`, { branch: "another" })).status).toBe(404);
});

test("an earlier answer is regenerated from the messages before it [server.chat.regenerate]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  for (const text of ["One.", "Two.", "Three."]) await page.sendMessage({ text });
  await page.regenerate({ messageId: page.messages[1]?.id ?? "" });
  expect(seen(page.messages)).toEqual(["user: One.", "assistant: One."]);
  await page.sendMessage({ text: "Four." });
  expect(seen(page.messages).at(-1)).toBe("assistant: One. | Four.");
  expect((await served.load()).messages).toEqual(JSON.parse(JSON.stringify(page.messages)));
});

test("an edited message branches the session: the model reads the messages that the page shows [server.chat.edit]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  for (const text of ["One.", "Two.", "Three."]) await page.sendMessage({ text });
  await page.sendMessage({ text: "Deux.", messageId: page.messages[2]?.id ?? "" });
  await page.sendMessage({ text: "Trois." });
  const shown = ["user: One.", "assistant: One.", "user: Deux.", "assistant: One. | Deux.", "user: Trois."];
  expect(seen(page.messages)).toEqual([...shown, "assistant: One. | Deux. | Trois."]);
  const loaded = await served.load();
  expect(loaded.messages).toEqual(JSON.parse(JSON.stringify(page.messages)));

  // The same holds on a page that is opened later, and for a branch of a branch.
  const later = served.page(loaded.messages);
  await later.sendMessage({ text: "Zwei.", messageId: later.messages[2]?.id ?? "" });
  await later.sendMessage({ text: "Eins.", messageId: later.messages[0]?.id ?? "" });
  expect(seen(later.messages)).toEqual(["user: Eins.", "assistant: Eins."]);
  expect((await served.load()).messages).toEqual(JSON.parse(JSON.stringify(later.messages)));
  const { branches } = (await (await served.send("GET", `/chat/${chatId}/branches`)).json()) as Branches;
  expect(branches).toHaveLength(4);
  const chats = (await (await served.send("GET", "/chat")).json()) as { chats: { id: string }[] };
  expect(chats.chats.map(({ id }) => id)).toEqual([chatId]);
});

test("a page that takes messages away before it sends continues after those that it shows [server.chat.edit]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  for (const text of ["One.", "Two.", "Three."]) await page.sendMessage({ text });
  page.messages = page.messages.slice(0, 2);
  await page.sendMessage({ text: "Deux." });
  expect(seen(page.messages).at(-1)).toBe("assistant: One. | Deux.");
  page.messages = page.messages.slice(0, 1);
  await page.regenerate();
  expect(seen(page.messages)).toEqual(["user: One.", "assistant: One."]);
  expect((await served.load()).messages).toEqual(JSON.parse(JSON.stringify(page.messages)));
});

test("a page without the history continues at the end of the chat [server.chat.edit]", async () => {
  const served = serveChat(echo);
  await served.page().sendMessage({ text: "One." });
  const page = served.page();
  await page.sendMessage({ text: "Two." });
  expect(seen(page.messages)).toEqual(["user: Two.", "assistant: One. | Two."]);
  expect((await served.load()).branch).toBe(chatId);
});

test("a message that never arrived is sent again at its place [server.chat.edit]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  await page.sendMessage({ text: "One." });
  page.messages = [...page.messages, { id: "lost", role: "user", parts: [{ type: "text", text: "Two." }] }];
  await page.sendMessage({ text: "Two.", messageId: "lost" });
  expect(seen(page.messages).at(-1)).toBe("assistant: One. | Two.");
  expect((await served.load()).branch).toBe(chatId);
});

test("an answer that waits for an approval can be regenerated, and the question of the old branch is kept [server.chat.regenerate]", async () => {
  let asked = 0;
  const served = serveChat(() => {
    asked += 1;
    return asked === 1 ? { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] } : "I do not pay.";
  });
  const page = served.page();
  await page.sendMessage({ text: "Pay 5." });
  const approval = approvalIn(page.messages[1]);
  const waiting = page.messages[1]?.id ?? "";
  await page.regenerate();
  expect(seen(page.messages)).toEqual(["user: Pay 5.", "assistant: I do not pay."]);
  expect(seen((await served.load()).messages)).toEqual(seen(page.messages));
  expect((await served.agent.interruptions(waiting)).map(({ id }) => id)).toEqual([approval]);
  await served.send("PATCH", `/chat/${chatId}`, { branch: chatId });
  expect(seen((await served.load()).messages)).toEqual(["user: Pay 5.", "assistant: [pay: approval-requested]"]);
});

test("parts that are not the user's own words stay untrusted when an answer is regenerated [server.chat.regenerate]", async () => {
  const served = serveChat(["First.", "Second."]);
  const content = [{ type: "text", text: "From a mail.", untrusted: true }] as const;
  await served.agent.run({ id: "mail-1", role: "user", content }, { sessionId: chatId });
  const page = served.page((await served.load()).messages);
  await page.regenerate();
  const { branch, messages } = await served.load();
  expect(seen(messages)).toEqual(["user: From a mail.", "assistant: Second."]);
  const stored = await served.agent.sessions?.load(branch);
  expect(stored?.messages[0]?.content).toEqual(content);
});

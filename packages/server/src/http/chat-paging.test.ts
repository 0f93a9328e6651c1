import type { Message } from "@bailiwick/core";
import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { sessionToUIMessages } from "../chat/index.ts";
import { chatId, seen, serveChat, type LoadedChat, type ServedChat } from "./chat-page.fixture.ts";

interface Page extends LoadedChat {
  readonly older: string | null;
}

const answer = (id: string, text: string): Message => ({
  id,
  role: "assistant",
  content: [{ type: "text", text }],
  toolCalls: [],
  finishReason: "stop",
  provenance: { provider: "other", api: "other", model: "elsewhere" },
});

/** Loads a chat page by page, the newest first; returns the pages, the oldest first. */
async function pages(served: ServedChat, limit: number): Promise<readonly Page[]> {
  const loaded: Page[] = [];
  for (let before: string | null = ""; before !== null;) {
    const query = before === "" ? "" : `&before=${before}`;
    const response = await served.send("GET", `/chat/${chatId}?limit=${limit}${query}`);
    expect(response.status).toBe(200);
    const page = (await response.json()) as Page;
    loaded.unshift(page);
    before = page.older;
    expect(loaded.length).toBeLessThan(500);
  }
  return loaded;
}

const whole = async ({ agent, store }: ServedChat): Promise<readonly UIMessage[]> =>
  sessionToUIMessages({ agent, store, sessionId: chatId });

test.each([1, 2, 3, 4, 6, 50])(
  "pages of %s messages add up to the chat of a single read, with branches and open questions [server.chat.pages]",
  async (limit) => {
    const turns = ["One.", "Two.", "Three.", "Four.", "Five.", "Six."];
    const payment = { text: "I pay.", toolCalls: [{ name: "pay", arguments: { amount: 5 } }] };
    const served = serveChat([...turns, payment, "Seven.", "Another six.", payment, "Last."]);
    const imported: Message[] = [
      { id: "imported-1", role: "user", content: "From elsewhere." },
      answer("imported-2", "Indeed."),
    ];
    await served.agent.sessions?.append(chatId, imported, { runId: "import", seq: 0 });
    const page = served.page();
    for (const text of ["1", "2", "3", "4", "5", "6"]) await page.sendMessage({ text });
    await page.sendMessage({ text: "Pay 5." });
    await page.sendMessage({ text: "Meanwhile." });
    expect(await pages(served, limit).then((all) => all.flatMap(({ messages }) => messages))).toEqual(
      await whole(served),
    );

    const edited = served.page((await served.load()).messages);
    const third = edited.messages.filter(({ role }) => role === "user")[4];
    await edited.sendMessage({ text: "Edited.", messageId: third?.id ?? "" });
    await edited.sendMessage({ text: "Pay again." });
    const all = (await pages(served, limit)).flatMap(({ messages }) => messages);
    expect(all).toEqual(await whole(served));
    expect(seen(all).slice(-4)).toEqual([
      "user: Edited.",
      "assistant: Another six.",
      "user: Pay again.",
      "assistant: I pay. [pay: approval-requested]",
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  },
);

test("a page reads the journals of its runs, and not those of the whole chat [server.chat.pages]", async () => {
  const served = serveChat(({ messages }) => `Answer to ${messages.at(-1)?.text ?? ""}`);
  for (let count = 0; count < 120; count += 1)
    await served.agent.stream(`Message ${count}`, { sessionId: chatId }).result;
  const inspected: string[] = [];
  const { agent } = served;
  const counting = { ...agent, name: agent.name, sessions: agent.sessions, inspect: count };
  async function count(runId: string) {
    inspected.push(runId);
    return agent.inspect(runId);
  }
  const messages = await sessionToUIMessages({
    agent: counting,
    store: served.store,
    sessionId: chatId,
    limit: 20,
  });
  expect(seen(messages as UIMessage[]).at(0)).toBe("user: Message 110");
  expect(seen(messages as UIMessage[]).at(-1)).toBe("assistant: Answer to Message 119");
  expect(inspected.length).toBeLessThanOrEqual(60);
  expect((await pages(served, 100)).flatMap((page) => page.messages)).toEqual(await whole(served));
});

test("a chat of 10,000 messages is loaded in pages [server.chat.pages]", async () => {
  const served = serveChat([]);
  const messages = Array.from({ length: 10_000 }, (_, index): Message => {
    const id = `message-${index}`;
    return index % 2 === 0 ? { id, role: "user", content: `Word ${index}` } : answer(id, "So.");
  });
  await served.agent.sessions?.append(chatId, messages, { runId: "import", seq: 0 });
  const newest = (await (await served.send("GET", `/chat/${chatId}`)).json()) as Page;
  expect([newest.messages.length, newest.messages[0]?.id]).toEqual([200, "message-9800"]);
  const second = (await (await served.send("GET", `/chat/${chatId}?before=${newest.older}`)).json()) as Page;
  expect(second.messages.map(({ id }) => id)).toEqual(messages.slice(9_600, 9_800).map(({ id }) => id));
});

test.each(["x", "-1-2", "1", "9999999999999999-1"])("an invalid page cursor is refused: %s", async (before) => {
  const served = serveChat([]);
  for (const path of [`/chat/${chatId}?before=${before}`, `/chat?before=${before}`])
    expect((await served.send("GET", path)).status).toBe(400);
});

test("the list of chats has pages, and a branch counts as its chat [server.chat.pages]", async () => {
  const served = serveChat(() => "So.");
  for (let count = 0; count < 9; count += 1) {
    const page = served.page([], `chat-number-${count}-of-the-page`);
    await page.sendMessage({ text: `Chat ${count}` });
    if (count % 3 === 0) await page.regenerate();
  }
  const list = async (query: string) =>
    (await (await served.send("GET", `/chat?${query}`)).json()) as {
      readonly chats: readonly { readonly id: string }[];
      readonly older: string | null;
    };
  const all = (await list("limit=50")).chats.map(({ id }) => id);
  expect(new Set(all).size).toBe(9);
  const found: string[] = [];
  let before = "";
  for (let count = 0; count < 5; count += 1) {
    const { chats, older } = await list(`limit=2${before}`);
    found.push(...chats.map(({ id }) => id));
    if (older === null) break;
    before = `&before=${encodeURIComponent(older)}`;
  }
  expect(found).toEqual(all);
});

import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { chatId, seen, serveChat } from "./chat-page.fixture.ts";
import { payTool } from "./pay.fixture.ts";

/** A model that repeats what it read of the user. */
const echo: Parameters<typeof serveChat>[0] = ({ messages }) =>
  messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])).join(" | ");

/** A body as a page sends it: texts of the user, and ids of answers that it shows. */
function bodyOf(shown: readonly (readonly ["user" | "assistant", string, string?])[], more: object = {}): object {
  const messages = shown.map(([role, id, text = id]) => ({ id, role, parts: [{ type: "text", text }] }));
  return { id: chatId, trigger: "submit-message", messages, ...more };
}

/** The text and the errors of a stream. */
const said = (stream: string): string =>
  Array.from(stream.matchAll(/"(?:delta|errorText)":("(?:[^"\\]|\\.)*")/gu), ([, text]) => JSON.parse(text ?? "")).join(
    "",
  );

test.each([
  ["regenerate() without an id", { trigger: "regenerate-message" }],
  ["regenerate() of the message", { trigger: "regenerate-message", messageId: "m1" }],
  ["regenerate() of an answer that the page lost too", { trigger: "regenerate-message", messageId: "gone" }],
  ["the message again, as an edit of itself", { messageId: "m1" }],
  ["the message again", {}],
])(
  "a message that the server never received is answered when the page retries: %s [server.chat.retry]",
  async (_how, more) => {
    for (const isFirst of [true, false]) {
      const served = serveChat(echo);
      const page = served.page();
      if (!isFirst) await page.sendMessage({ text: "zero" });
      const shown = page.messages.map(({ role, id }, at) => [role as "user", id, at === 0 ? "zero" : "…"] as const);
      const response = await served.send("POST", "/chat", bodyOf([...shown, ["user", "m1"]], more));
      expect(response.status).toBe(200);
      expect(said(await response.text())).toBe(isFirst ? "m1" : "zero | m1");
      expect((await served.load()).branch).toBe(chatId);
    }
  },
);

test("messages that were lost one after the other are read and stored in their order [server.chat.retry]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  await page.sendMessage({ text: "zero" });
  const answer = page.messages[1]?.id ?? "";
  const messages = bodyOf(
    [
      ["user", "m1"],
      ["user", "m2"],
      ["user", "m3"],
    ],
    { parentId: answer },
  );
  expect(said(await (await served.send("POST", "/chat", messages)).text())).toBe("zero | m1 | m2 | m3");
  expect(seen((await served.load()).messages)).toEqual([
    "user: zero",
    "assistant: zero",
    "user: m1",
    "user: m2",
    "user: m3",
    "assistant: zero | m1 | m2 | m3",
  ]);
});

test("a request that arrives twice starts one run, and a failed run is started again [server.chat.retry]", async () => {
  const model = scriptedModel([{ toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }, "Paid."]);
  const { pay, paid } = payTool();
  const served = serveChat([], { agent: { model, tools: [{ ...pay, needsApproval: false }], flow: "off" } });
  const ids: unknown[] = [];
  for (let sent = 0; sent < 3; sent += 1) {
    const text = await (await served.send("POST", "/chat", bodyOf([["user", "m1"]], { parentId: null }))).text();
    ids.push(/"messageId":"([^"]+)"/u.exec(text)?.[1]);
    expect(said(text)).toBe("Paid.");
  }
  expect(new Set(ids).size).toBe(1);
  expect(paid).toEqual([5]);

  const failing = scriptedModel([{ faults: { error: { status: 400 } } }, "Good day."]);
  const other = serveChat([], { agent: { model: failing } });
  for (const expected of ["The run failed (MODEL_API_ERROR).", "Good day."])
    expect(said(await (await other.send("POST", "/chat", bodyOf([["user", "m1"]], { parentId: null }))).text())).toBe(
      expected,
    );
});

test("a parent on another branch continues that branch, and the chat shows it [server.chat.parent]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  for (const text of ["One.", "Two."]) await page.sendMessage({ text });
  const stale = served.page(page.messages);
  const early = served.page(page.messages.slice(0, 2));
  await page.sendMessage({ text: "Deux.", messageId: page.messages[2]?.id ?? "" });

  await stale.sendMessage({ text: "Three." });
  expect(seen(stale.messages).at(-1)).toBe("assistant: One. | Two. | Three.");
  expect(await served.load()).toMatchObject({ branch: chatId, messages: JSON.parse(JSON.stringify(stale.messages)) });
  await early.sendMessage({ text: "Zwei." });
  expect(seen(early.messages).at(-1)).toBe("assistant: One. | Zwei.");
  await page.sendMessage({ text: "Trois." });
  expect(seen(page.messages).at(-1)).toBe("assistant: One. | Deux. | Trois.");
  await stale.regenerate({ messageId: stale.messages[3]?.id ?? "" });
  expect(seen(stale.messages).at(-1)).toBe("assistant: One. | Two.");
});

test("the text that the page shows decides between branches that have it under one id [server.chat.parent]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  await page.sendMessage({ text: "One." });
  const stale = served.page(page.messages);
  await page.sendMessage({ text: "Eins.", messageId: page.messages[0]?.id ?? "" });
  stale.messages = stale.messages.slice(0, 1);
  await stale.regenerate();
  expect(seen(stale.messages)).toEqual(["user: One.", "assistant: One."]);
});

test("a parent that no branch has is refused with the way out, and nothing is stored [server.chat.parent]", async () => {
  const served = serveChat(echo);
  for (const messages of [
    bodyOf([["user", "m2"]], { parentId: "gone" }),
    bodyOf([
      ["user", "m1"],
      ["assistant", "gone"],
      ["user", "m2"],
    ]),
  ]) {
    const response = await served.send("POST", "/chat", messages);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect([response.status, error.code]).toEqual([409, "MESSAGE_UNKNOWN"]);
    expect(error.message).toContain("Load the chat again");
    expect((await served.load()).messages).toEqual([]);
  }
  // The greeting of a page is not an answer of the server.
  const greeting = bodyOf([
    ["assistant", "welcome"],
    ["user", "m1"],
  ]);
  expect((await served.send("POST", "/chat", greeting)).status).toBe(200);
  const first = bodyOf([["user", "m9"]], { parentId: null });
  expect(said(await (await served.send("POST", "/chat", first)).text())).toBe("m9");
});

test("a page continues after an answer whose run was deleted [server.chat.parent]", async () => {
  const served = serveChat(echo);
  const page = served.page();
  for (const text of ["One.", "Two."]) await page.sendMessage({ text });
  const [asked, answer] = [page.messages[2]?.id ?? "", page.messages[3]?.id ?? ""];
  await served.store.deleteRun(answer);
  const response = await served.send("POST", "/chat", bodyOf([["user", "m3"]], { parentId: [answer, asked] }));
  expect(said(await response.text())).toBe("One. | Two. | m3");
  await page.sendMessage({ text: "Four." });
  expect(seen(page.messages).at(-1)).toBe("assistant: One. | Two. | Four.");
});

test("a request has space for photos of the size that uploads allow, and names the way out beyond [server.chat.uploads]", async () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const photo = (bytes: number): object => ({
    type: "file",
    mediaType: "image/png",
    url: `data:image/png;base64,${Buffer.concat([png, Buffer.alloc(bytes, 7)]).toString("base64")}`,
  });
  const send = async (served: ReturnType<typeof serveChat>, ...parts: object[]): Promise<[number, string]> => {
    const body = { id: chatId, parentId: null, messages: [{ id: crypto.randomUUID(), role: "user", parts }] };
    const response = await served.send("POST", "/chat", body);
    return [response.status, await response.text()];
  };
  const served = serveChat(() => "Nice.");
  expect((await send(served, photo(5_000_000), photo(5_000_000)))[0]).toBe(200);
  expect(await send(served, photo(9_000_000))).toEqual([400, expect.stringContaining("at most 8388608")]);
  const small = serveChat(() => "Nice.", { routes: { uploads: { maxBytes: 1_000, maxFiles: 1 } } });
  expect(await send(small, photo(2_000_000))).toEqual([413, expect.stringContaining("parentId")]);
  const other = await served.send("POST", "/runs/r/cancel", { reason: "x".repeat(2_000_000) });
  expect(other.status).toBe(413);
});

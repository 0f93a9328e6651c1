// useChat of @ai-sdk/react in Chromium, over the routes of a server, with reloads.
import { getRequestListener } from "@hono/node-server";
import { build } from "esbuild";
import express from "express";
import { chromium } from "playwright-core";
import { fileURLToPath } from "node:url";
import { openCases } from "../lib/cases.mjs";
import { equal, startBrowser, startChatHost, until } from "../lib/chat-host.mjs";

const here = new URL("./", import.meta.url);
const { check, end } = openCases("use-chat", here);
const built = await build({
  entryPoints: [fileURLToPath(new URL("page.jsx", here))],
  bundle: true,
  write: false,
  format: "esm",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"development"' },
});
const script = built.outputFiles[0].text;
const plain = await startChatHost(script, (routes) => getRequestListener(routes.fetch));
const behindJson = await startChatHost(script, (routes) =>
  express().use(express.json()).use(getRequestListener(routes.fetch)),
);
const browser = await startBrowser(chromium);
let chats = 0;

/** A page on a new chat, with the user's next words. */
async function open(say, { host = plain, from = "in-page" } = {}) {
  chats += 1;
  const id = `chat-${chats}-of-a-foreign-page`;
  const page = await browser.newPage();
  const visit = async (way, user) => {
    const query = new URLSearchParams({ chat: id, say, ...(user !== undefined && { user }) });
    await page.goto(`${host.url}/${way}?${query}`);
    await page.locator("main").waitFor();
  };
  await visit(from);
  const articles = () => page.locator("article");
  return {
    page,
    visit,
    press: (name) => page.getByRole("button", { name }).first().click(),
    shows: (text) => page.getByText(text).last().waitFor(),
    ids: () => articles().evaluateAll((all) => all.map((one) => one.dataset.id)),
    texts: () =>
      articles().evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll("p")].map(({ textContent }) => textContent).join(" ")),
      ),
    error: () => page.locator("output").textContent(),
    status: () => page.locator("main").getAttribute("data-status"),
  };
}
const isReady = (chat) => until(chat.status, (status) => status === "ready");

await check("a message is answered", async () => {
  const chat = await open("Hello.");
  await chat.press("Send");
  await chat.shows(/Answer \d+ to Hello\./);
  await isReady(chat);
  equal([(await chat.ids()).length, await chat.error()], [2, ""]);
  await chat.page.close();
});
for (const way of ["in-page", "from-server", "empty"]) {
  await check(`an approval survives a reload, with the history loaded ${way}`, async () => {
    const chat = await open("Please pay.");
    await chat.press("Send");
    await chat.shows("[pay: approval-requested]");
    const before = await chat.ids();
    const paid = plain.paid.length;
    const wanted = way === "empty" ? before.slice(1) : before;
    await chat.visit(way);
    await chat.shows("[pay: approval-requested]");
    equal(await chat.ids(), wanted);
    await chat.press("Approve");
    await chat.shows(/Answer \d+ to Please pay\./);
    await isReady(chat);
    equal([await chat.ids(), plain.paid.length, await chat.error()], [wanted, paid + 1, ""]);
    await chat.page.close();
  });
}
await check("a rejected call is not made, and a reload shows it as denied", async () => {
  const chat = await open("Please pay.");
  const paid = plain.paid.length;
  await chat.press("Send");
  await chat.press("Reject");
  await chat.shows(/Answer \d+ to Please pay\./);
  await chat.visit("from-server");
  await chat.shows("[pay: output-denied]");
  equal([plain.paid.length, (await chat.ids()).length], [paid, 2]);
  await chat.page.close();
});
await check("a question of a tool survives a reload and is answered", async () => {
  const chat = await open("Please order.");
  await chat.press("Send");
  await chat.page.getByRole("button", { name: "How many?" }).waitFor();
  await chat.visit("in-page");
  await chat.press("How many?");
  await chat.shows(/Answer \d+ to Please order\./);
  await chat.shows("[order: output-available]");
  equal([(await chat.ids()).length, await chat.error()], [2, ""]);
  await chat.page.close();
});
for (const way of ["in-page", "from-server", "empty"]) {
  await check(`a running answer is followed after a reload, with the history loaded ${way}`, async () => {
    const chat = await open("Be slow.");
    await chat.press("Send");
    await chat.shows("[slow: input-available]");
    const before = await chat.ids();
    await chat.visit(way);
    await chat.shows("[slow: input-available]");
    plain.release();
    await chat.shows(/Answer \d+ to Be slow\./);
    await isReady(chat);
    equal(await chat.ids(), way === "empty" ? before.slice(1) : before);
    await chat.page.close();
  });
}
await check("stop cancels the run, and a reload does not bring it back", async () => {
  const chat = await open("Be slow.");
  await chat.press("Send");
  await chat.shows("[slow: input-available]");
  const runId = (await chat.ids()).at(-1);
  await chat.press("Stop");
  await until(
    async () => (await plain.agent.inspect(runId)).output?.status,
    (status) => status === "cancelled",
  );
  await chat.visit("in-page");
  await isReady(chat);
  equal((await chat.ids()).length, 2);
  await chat.page.close();
});
await check("regenerate() gives another answer, and a reload shows the same", async () => {
  const chat = await open("Hello.");
  await chat.press("Send");
  await chat.shows(/Answer \d+ to Hello\./);
  const [, first] = await chat.texts();
  await chat.press("Regenerate");
  const [, second] = await until(chat.texts, ([, text]) => text?.includes(" to Hello.") && text !== first);
  await isReady(chat);
  await chat.visit("in-page");
  equal((await until(chat.texts, (all) => all.length === 2))[1], second);
  equal(await chat.error(), "");
  await chat.page.close();
});
await check("an edited message replaces what follows it, and a reload shows the same", async () => {
  const chat = await open("Hello.");
  for (const count of [2, 4]) {
    await chat.press("Send");
    await until(chat.ids, (ids) => ids.length === count);
    await isReady(chat);
  }
  await chat.press("Edit");
  await chat.shows(/Answer \d+ to Edited\./);
  await isReady(chat);
  const [ids, texts] = [await chat.ids(), await chat.texts()];
  equal(ids.length, 2);
  await chat.visit("from-server");
  equal([await chat.ids(), await chat.texts(), await chat.error()], [ids, texts, ""]);
  await chat.page.close();
});
await check("another user sees nothing of the chat", async () => {
  const chat = await open("Please pay.");
  await chat.press("Send");
  await chat.shows("[pay: approval-requested]");
  for (const way of ["in-page", "from-server"]) {
    await chat.visit(way, "bob");
    await isReady(chat);
    equal([await chat.ids(), await chat.error()], [[], ""]);
  }
  await chat.page.close();
});
await check("express.json() before the routes", async () => {
  const chat = await open("Please pay.", { host: behindJson });
  await chat.press("Send");
  await chat.press("Approve");
  await chat.shows(/Answer \d+ to Please pay\./);
  await isReady(chat);
  equal([behindJson.paid.length, (await chat.ids()).length, await chat.error()], [1, 2, ""]);
  await chat.press("Edit");
  await chat.shows(/Answer \d+ to Edited\./);
  await chat.page.close();
});

await browser.close();
plain.close();
behindJson.close();
end();

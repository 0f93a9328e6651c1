// assistant-ui's runtime for the AI SDK in Chromium, over the routes of a server.
import { getRequestListener } from "@hono/node-server";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { fileURLToPath } from "node:url";
import { openCases } from "../lib/cases.mjs";
import { equal, startBrowser, startChatHost, until } from "../lib/chat-host.mjs";

const here = new URL("./", import.meta.url);
const { check, end } = openCases("assistant-ui", here);
const built = await build({
  entryPoints: [fileURLToPath(new URL("page.jsx", here))],
  bundle: true,
  write: false,
  format: "esm",
  jsx: "automatic",
  conditions: ["@bailiwick/source"],
  // One React and one AI SDK, those of the page.
  alias: Object.fromEntries(
    ["react", "react-dom", "ai", "@ai-sdk/react"].map((name) => [
      name,
      fileURLToPath(new URL(`node_modules/${name}`, here)),
    ]),
  ),
  define: { "process.env.NODE_ENV": '"development"' },
});
const host = await startChatHost(built.outputFiles[0].text, (routes) => getRequestListener(routes.fetch));
const browser = await startBrowser(chromium);
let chats = 0;

async function open(transport = "theirs") {
  chats += 1;
  const id = `chat-${chats}-of-a-foreign-page`;
  const page = await browser.newPage();
  const visit = async () => {
    await page.goto(`${host.url}/in-page?chat=${id}&transport=${transport}`);
    await page.locator("main").waitFor();
  };
  await visit();
  return {
    id,
    page,
    visit,
    say: async (text) => {
      await page.getByLabel("Message").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    },
    press: (name, place = "last") => page.getByRole("button", { name })[place]().click(),
    shows: (text) => page.getByText(text).last().waitFor(),
    texts: () =>
      page
        .locator("article")
        .evaluateAll((all) =>
          all.map((one) => [...one.querySelectorAll("p")].map(({ textContent }) => textContent).join(" ")),
        ),
    ready: () =>
      until(
        () => page.locator("main").getAttribute("data-status"),
        (status) => status === "ready",
      ),
    error: () => page.locator("output").textContent(),
  };
}

await check("a message is answered, and a reload shows the same", async () => {
  const chat = await open();
  await chat.say("Hello.");
  await chat.shows(/Answer \d+ to Hello\./);
  await chat.ready();
  const texts = await chat.texts();
  await chat.visit();
  equal([await until(chat.texts, ({ length }) => length > 0), await chat.error()], [texts, ""]);
  await chat.page.close();
});
await check("an approval survives a reload", async () => {
  const chat = await open();
  await chat.say("Please pay.");
  await chat.page.getByRole("button", { name: "Approve" }).waitFor();
  const paid = host.paid.length;
  await chat.visit();
  await chat.press("Approve");
  await chat.shows(/Answer \d+ to Please pay\./);
  await chat.ready();
  equal([host.paid.length, (await chat.texts()).length, await chat.error()], [paid + 1, 2, ""]);
  await chat.page.close();
});
await check("a running answer is followed after a reload", async () => {
  const chat = await open();
  await chat.say("Be slow.");
  await chat.shows(/\[slow: /);
  await chat.visit();
  await chat.shows(/\[slow: /);
  host.release();
  await chat.shows(/Answer \d+ to Be slow\./);
  equal((await chat.texts()).length, 2);
  await chat.page.close();
});
await check("an answer is made anew, and a reload shows it", async () => {
  const chat = await open();
  await chat.say("Hello.");
  await chat.shows(/Answer \d+ to Hello\./);
  await chat.ready();
  const [, first] = await chat.texts();
  await chat.press("Reload");
  const [, second] = await until(chat.texts, ([, text]) => text?.includes(" to Hello.") && text !== first);
  await chat.ready();
  await chat.visit();
  equal((await until(chat.texts, ({ length }) => length > 0))[1], second);
  await chat.page.close();
});
/** Sends two messages, edits one, and compares what the model read with what the page shows. */
async function edited(place) {
  const chat = await open();
  for (const text of ["Hello.", "Hello again."]) {
    await chat.say(text);
    await chat.page.getByText(new RegExp(`Answer \\d+ to ${text}`)).waitFor();
    await chat.ready();
  }
  await chat.press("Edit", place);
  await chat.page.getByLabel("New words").fill("Edited.");
  await chat.press("Save", "first");
  await chat.page.getByText(/Answer \d+ to Edited\./).waitFor();
  await chat.ready();
  const shown = await chat.texts();
  await chat.visit();
  equal(await until(chat.texts, ({ length }) => length > 0), shown);
  await chat.page.close();
}
await check("an edited message branches the chat, and a reload shows the same", () => edited("last"));
await check("an edit of the first message branches the chat", () => edited("first"));
async function stopped(transport, withinMs) {
  const chat = await open(transport);
  await chat.say("Be slow.");
  await chat.shows(/\[slow: /);
  const { runs } = await (await fetch(`${host.url}/api/runs?sessionId=${chat.id}`)).json();
  await chat.press("Stop");
  await chat.ready();
  const status = async () => (await host.agent.inspect(runs[0].runId)).output?.status;
  await until(status, (last) => last === "cancelled", withinMs).finally(host.release);
  await chat.page.close();
}
// Expected to fail: it does not wait long for what does not happen.
await check("stop cancels the run", () => stopped("theirs", 2_000));
await check("stop cancels the run, with the transport of @bailiwick/react", () => stopped("ours"));

await browser.close();
host.close();
end();

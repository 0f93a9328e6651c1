// CopilotKit's hooks for React in Chromium, over the route for AG-UI.
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { fileURLToPath } from "node:url";
import { startAgUiHost } from "../lib/ag-ui-host.mjs";
import { openCases } from "../lib/cases.mjs";
import { equal, startBrowser, until } from "../lib/chat-host.mjs";

const here = new URL("./", import.meta.url);
const { check, end } = openCases("copilotkit", here);
const built = await build({
  entryPoints: [fileURLToPath(new URL("page.jsx", here))],
  bundle: true,
  write: false,
  outdir: fileURLToPath(new URL("out", here)),
  format: "esm",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"development"' },
  loader: { ".woff": "empty", ".woff2": "empty", ".ttf": "empty" },
});
const host = await startAgUiHost({
  script: built.outputFiles.find(({ path }) => path.endsWith(".js")).text,
  tools: { highlight: { sideEffectClass: "read-only" }, rename: {} },
});
const browser = await startBrowser(chromium);
// The machine under test reaches this host alone.
const context = await browser.newContext();
await context.route(
  (url) => url.origin !== host.url,
  (route) => route.abort(),
);

async function open() {
  const page = await context.newPage();
  await page.goto(host.url);
  return {
    page,
    press: (name) => page.getByRole("button", { name, exact: true }).click(),
    shows: (text) => page.getByText(text).last().waitFor(),
    row: () => page.locator("main").getAttribute("data-row"),
    /** Approves a suspicious question: a first yes, then a second one to the question that is asked once more. */
    async approveTwice() {
      const first = page.locator("fieldset");
      const id = await first.getAttribute("data-question");
      await first.getByRole("button", { name: "Approve" }).click();
      const second = page.locator(`fieldset[data-question="${id}~suspicious"]`);
      await second.getByText(/^Suspicious: /).waitFor();
      equal(await page.getByText(/^assistant: The result: /).count(), 0);
      await second.getByRole("button", { name: "Approve" }).click();
    },
  };
}

await check("a message is answered", async () => {
  const chat = await open();
  await chat.press("Hello.");
  await chat.shows(/assistant: I read: .*Hello\./s);
  await chat.page.close();
});
await check("useAgentContext: the agent reads what the page shows", async () => {
  const chat = await open();
  await chat.press("Hello.");
  await chat.shows(/assistant: I read: .*Selected row.*"row":0/s);
  await chat.page.close();
});
await check("useFrontendTool: the page runs the tool, and the run continues with its result", async () => {
  const chat = await open();
  await chat.press("highlight");
  await chat.shows(/assistant: The result: .*"shown":7/s);
  equal(await chat.row(), "7");
  await chat.press("Hello.");
  await chat.shows(/assistant: I read: .*"row":7/s);
  await chat.page.close();
});
await check(
  "useFrontendTool: a tool that is not declared read-only asks first, since the page's context is untrusted",
  async () => {
    const chat = await open();
    await chat.press("rename");
    await chat.page.getByRole("button", { name: "Approve" }).waitFor();
    equal(await chat.page.title(), "");
    await chat.approveTwice();
    await chat.shows(/assistant: The result: .*renamed/s);
    equal(await chat.page.title(), "Rows");
    await chat.page.close();
  },
);
await check("useInterrupt: an approval is an interrupt, and its answer continues the run", async () => {
  const chat = await open();
  await chat.press("pay");
  await chat.approveTwice();
  await chat.shows(/assistant: The result: .*paid 5/s);
  await until(
    () => chat.page.getByRole("button", { name: "Approve" }).count(),
    (count) => count === 0,
  );
  await chat.page.close();
});

await browser.close();
host.close();
end();

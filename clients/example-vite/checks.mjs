// The example in examples/vite, installed and built as its reader does it, then driven in Chromium. Its packages are the
// sources of the workspace.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { modelServer } from "../../packages/testing/src/model-server/index.ts";
import { pnpmCommand } from "../../scripts/lib/project.mjs";
import { openCases } from "../lib/cases.mjs";
import { equal, startBrowser } from "../lib/chat-host.mjs";

const example = fileURLToPath(new URL("../../examples/vite/", import.meta.url));
const { check, end } = openCases("example-vite", new URL("./", import.meta.url));
const [pnpm, ...args] = pnpmCommand();
const flags = ["--ignore-workspace", "--frozen-lockfile", "--config.strict-dep-builds=false"];

await check("the example is installed from its lockfile", () => {
  const { status, stdout, stderr } = spawnSync(pnpm, [...args, "install", ...flags], {
    cwd: example,
    encoding: "utf8",
  });
  equal([status, status === 0 ? "" : stdout + stderr], [0, ""]);
});
await check("the page is built", async () => {
  const { build } = await import(pathToFileURL(createRequire(join(example, "package.json")).resolve("vite")).href);
  const conditions = ["@bailiwick/source", "module", "browser", "development|production"];
  await build({ root: example, resolve: { conditions }, logLevel: "error" });
});
const model = await modelServer(({ messages }) =>
  messages.at(-1)?.role === "user"
    ? { text: "I look.", toolCalls: [{ name: "cancel_order", arguments: { order: "1002" } }] }
    : "Order 1002 is cancelled.",
);
const data = mkdtempSync(join(tmpdir(), "bailiwick-example-"));
const server = spawn(process.execPath, ["--conditions=@bailiwick/source", "server.ts"], {
  cwd: example,
  env: {
    ...process.env,
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: model.baseURL("openai"),
    PORT: "0",
    DATA: join(data, "orders.db"),
  },
});
let said = "";
const url = await new Promise((resolve) => {
  const read = (text) => {
    said += text;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    if (found !== undefined) resolve(found);
  };
  server.stdout.on("data", read);
  server.stderr.on("data", read);
  server.on("exit", () => resolve(undefined));
});
const browser = await startBrowser(chromium);
await check("an approval survives a reload of the page", async () => {
  if (url === undefined) throw new Error(`the server did not start: ${said}`);
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  await page.getByLabel("Message").fill("Cancel order 1002.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Order 1002 is cancelled.").waitFor();
  await page.getByText("cancel_order: output-available").waitFor();
  equal([await page.getByRole("article").count(), await page.getByRole("alert").count()], [2, 0]);
});

await browser.close();
server.kill();
await model[Symbol.asyncDispose]();
rmSync(data, { recursive: true, force: true });
end();

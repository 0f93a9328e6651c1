// The example in examples/next, built and driven in Chromium as the one with Vite is. It needs minutes and the built
// packages, so it runs on demand, after `pnpm build`.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { modelServer } from "../../packages/testing/dist/model-server/index.js";
import { pnpmCommand } from "../../scripts/lib/project.mjs";

const example = fileURLToPath(new URL("../../examples/next/", import.meta.url));
const [pnpm, ...args] = pnpmCommand();
const step = (...command) => {
  const { status } = spawnSync(pnpm, [...args, ...command], { cwd: example, stdio: "inherit" });
  if (status !== 0) process.exit(1);
};
step("install", "--ignore-workspace", "--frozen-lockfile", "--config.strict-dep-builds=false");
step("exec", "next", "build");

const model = await modelServer(({ messages }) =>
  messages.at(-1)?.role === "user"
    ? { text: "I look.", toolCalls: [{ name: "cancel_order", arguments: { order: "1002" } }] }
    : "Order 1002 is cancelled.",
);
const data = mkdtempSync(join(tmpdir(), "bailiwick-example-"));
const bin = join(example, "node_modules/next/dist/bin/next");
const server = spawn(process.execPath, [bin, "start", "--hostname", "127.0.0.1", "--port", "0"], {
  cwd: example,
  env: {
    ...process.env,
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: model.baseURL("openai"),
    DATA: join(data, "orders.db"),
  },
});
let said = "";
const url = await new Promise((resolve, reject) => {
  const read = (text) => {
    said += text;
    const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said)?.[0];
    if (found !== undefined) resolve(found);
  };
  server.stdout.on("data", read);
  server.stderr.on("data", read);
  server.on("exit", () => reject(new Error(`next start ended: ${said}`)));
});
const browser = await chromium.launch({
  executablePath: process.env.BAILIWICK_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByLabel("Message").fill("Cancel order 1002.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Order 1002 is cancelled.").waitFor();
  const articles = await page.getByRole("article").count();
  if (articles !== 2) throw new Error(`${articles} messages, not 2`);
  console.log("examples/next: an approval survives a reload of the page");
} catch (error) {
  console.error(said);
  throw error;
} finally {
  await browser.close();
  server.removeAllListeners("exit");
  server.kill();
  await model[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
}

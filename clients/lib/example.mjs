// An example of examples/, installed as its reader does it, served, and driven in Chromium.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execute } from "../../scripts/lib/processes.mjs";
import { pnpmCommand } from "../../scripts/lib/project.mjs";
import { equal, startBrowser, until } from "./chat-host.mjs";

/** @param {string} folder the example's */
export async function installExample(folder) {
  const [pnpm, ...args] = pnpmCommand();
  const flags = ["--ignore-workspace", "--frozen-lockfile", "--prefer-offline", "--config.strict-dep-builds=false"];
  const { status, output } = await execute(pnpm, [...args, "install", ...flags], folder);
  equal([status, status === 0 ? "" : output], [0, ""]);
}

/**
 * Serves an example and drives its page: an approval, with a reload before its answer.
 *
 * @param {object} options
 * @param {string} options.folder the example's
 * @param {readonly string[]} options.start arguments of Node that start its server, which prints its address
 * @param {typeof import("playwright-core").chromium} options.chromium
 * @param {typeof import("../../packages/testing/src/model-server/index.ts").modelServer} options.modelServer
 */
export async function driveExample({ folder, start, chromium, modelServer }) {
  const model = await modelServer(({ messages }) =>
    messages.at(-1)?.role === "user"
      ? { text: "I look.", toolCalls: [{ name: "cancel_order", arguments: { order: "1002" } }] }
      : "Order 1002 is cancelled.",
  );
  const data = mkdtempSync(join(tmpdir(), "bailiwick-example-"));
  const variables = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.baseURL("openai") };
  const server = spawn(process.execPath, start, {
    cwd: folder,
    env: { ...process.env, ...variables, PORT: "0", DATA: join(data, "orders.db") },
  });
  let said = "";
  const url = await new Promise((resolve) => {
    const read = (text) => {
      said += text;
      const found = /(http:\/\/127\.0\.0\.1:[1-9]\d*)\s/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("exit", () => resolve(undefined));
  });
  const browser = await startBrowser(chromium);
  try {
    if (url === undefined) throw new Error("The server did not start.");
    const page = await browser.newPage();
    await page.goto(url);
    await heard(page);
    await page.getByLabel("Message").fill("Cancel order 1002.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.reload();
    await heard(page);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Order 1002 is cancelled.").waitFor();
    await page.getByText("cancel_order: output-available").waitFor();
    const counts = () =>
      Promise.all(
        [page.getByRole("article"), page.locator("main [role=alert], body > [role=alert]")].map((one) => one.count()),
      );
    await until(counts, ([articles, alerts]) => articles === 2 && alerts === 0);
  } catch (error) {
    throw new Error(`${error.message}\n${said}`, { cause: error });
  } finally {
    await browser.close();
    server.kill();
    await model[Symbol.asyncDispose]();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Waits until React handles the events of the message field: a server sends the page with its field, long before the
 * scripts of the page have run on a busy machine.
 *
 * @param {import("playwright-core").Page} page
 */
async function heard(page) {
  await page.waitForFunction(
    `Object.keys(document.querySelector("[aria-label=Message]") ?? {}).some((key) => key.startsWith("__reactProps$"))`,
  );
}

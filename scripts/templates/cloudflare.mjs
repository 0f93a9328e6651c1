// The Cloudflare template: wrangler bundles it and starts it in workerd. A chat with an approval outlives a restart.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { refundInChat } from "./chat.mjs";
import { refundScript } from "./refund-script.mjs";

export const script = refundScript;

const token = "token-of-the-check";
const headers = { authorization: `Bearer ${token}` };

/** @param {import("./refund-script.mjs").TemplateProject} project */
export async function drive({ path, env }) {
  // Only the loopback interface is needed.
  Object.assign(process.env, { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" });
  const wrangler = await import(pathToFileURL(createRequire(join(path, "package.json")).resolve("wrangler")).href);
  const variables = { ...env, API_TOKEN: token };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  writeFileSync(join(path, ".dev.vars"), lines.join("\n"));
  const start = () =>
    wrangler.unstable_startWorker({
      config: join(path, "wrangler.jsonc"),
      dev: { server: { hostname: "127.0.0.1", port: 0 }, inspector: false, logLevel: "error" },
    });

  let worker = await start();
  let chat = "";
  try {
    const { origin } = new URL(await worker.url);
    const { status } = await fetch(`${origin}/runs`);
    if (status !== 401 && status !== 403) throw new Error(`A request without the token got ${status}.`);
    chat = await refundInChat(origin, headers);
  } finally {
    await worker.dispose();
  }

  worker = await start();
  try {
    const { origin } = new URL(await worker.url);
    const history = await (await fetch(`${origin}/chat/${chat}`, { headers })).text();
    if (!history.includes("Your money is on its way."))
      throw new Error(`The chat is gone after the Worker started again: ${history}`);
  } finally {
    await worker.dispose();
  }
}

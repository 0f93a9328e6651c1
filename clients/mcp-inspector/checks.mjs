// The official inspector's command line calls the server that the guide shows, taken unchanged from its page.
import { deepEqual as same } from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { scriptedModel } from "@bailiwick/testing";
import { getRequestListener } from "@hono/node-server";
import { openCases } from "../lib/cases.mjs";

const here = new URL("./", import.meta.url);
const folder = fileURLToPath(here);
const { check, end } = openCases("mcp-inspector", here);

const page = readFileSync(join(folder, "../../docs/guides/mcp-server.md"), "utf8");
const [, example] = /^## Serve an agent\n\n[^\n]+\n\n```ts\n([\s\S]*?)\n```$/mu.exec(page) ?? [];
if (example === undefined) throw new Error('docs/guides/mcp-server.md has no code below "Serve an agent".');
const file = join(folder, ".cache/example.ts");
mkdirSync(dirname(file), { recursive: true });
// The page's host name is replaced by this one's.
writeFileSync(file, example.replace("mcp.shop.example", "127.0.0.1"));
const { app } = await import(pathToFileURL(file).href);
const served = app(scriptedModel(["It was sent."]), async (request) => request.headers.get("x-user") ?? undefined);
const listener = getRequestListener(served.fetch);
const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/mcp`;

const inspector = join(folder, "node_modules/.bin/mcp-inspector");
const named = ["--header", "x-user: ana"];
/** Runs the inspector as a caller; rejects if it fails. */
const run = (caller, ...flags) =>
  promisify(execFile)(inspector, ["--cli", url, "--transport", "http", ...caller, ...flags], {
    timeout: 240_000,
    cwd: join(folder, ".cache"),
  });
const inspect = async (...flags) => JSON.parse((await run(named, ...flags)).stdout);
const failure = async (...given) => {
  const failed = await run(...given).then(
    () => undefined,
    (error) => error,
  );
  if (failed === undefined) throw new Error("The inspector got an answer.");
  return failed;
};

try {
  await check("inspector: lists the tools of the guide's server", async () => {
    const { tools } = await inspect("--method", "tools/list");
    same(
      tools.map(({ name, inputSchema }) => ({ name, type: inputSchema.type })),
      [
        { name: "look_up", type: "object" },
        { name: "ask_shop", type: "object" },
      ],
    );
  });
  await check("inspector: calls a tool", async () => {
    const result = await inspect("--method", "tools/call", "--tool-name", "look_up", "--tool-arg", "id=A1042");
    same(result.structuredContent, { status: "sent" });
  });
  await check("inspector: asks the agent", async () => {
    const flags = ["--method", "tools/call", "--tool-name", "ask_shop", "--tool-arg", "question=Where is order 1042?"];
    const { content } = await inspect(...flags);
    same(content, [{ type: "text", text: "It was sent." }]);
  });
  await check("inspector: reports which argument is missing", async () => {
    const failed = await failure(named, "--method", "tools/call", "--tool-name", "look_up");
    if (!/\bid\b/u.test(`${failed.stdout}${failed.stderr}`)) throw new Error(failed.message);
  });
  await check("inspector: a caller without a name is refused", async () => {
    const failed = await failure([], "--method", "tools/list");
    if (!/auth_required|\b401\b/u.test(`${failed.stdout}${failed.stderr}`)) throw new Error(failed.message);
  });
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(join(folder, ".cache"), { recursive: true, force: true });
}
end();

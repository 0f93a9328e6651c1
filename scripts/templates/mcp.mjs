// The MCP template: the protocol's own client starts the server, lists its tools and asks the agent.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/project.mjs";

export const script = () => "Order 1042 is shipped.";

const require = createRequire(join(root, "packages/cli/package.json"));
/**
 * Loads a package that the command depends on.
 *
 * @param {string} name
 */
export const load = (name) => import(pathToFileURL(require.resolve(name)).href);

/** @param {import("./refund-script.mjs").TemplateProject} project */
export async function drive({ path, env }) {
  const { Client } = await load("@modelcontextprotocol/client");
  const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "check", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: "npm",
      args: ["--silent", "start"],
      cwd: path,
      env: { ...process.env, ...env },
      stderr: "inherit",
    }),
  );
  try {
    const { tools } = await client.listTools();
    const names = tools.map((/** @type {{ name: string }} */ { name }) => name).join(", ");
    if (names !== "ask_desk") throw new Error(`The server has the tools ${names}, not ask_desk.`);
    const answer = await client.callTool({ name: "ask_desk", arguments: { question: "Where is order 1042?" } });
    if (!JSON.stringify(answer).includes("Order 1042 is shipped."))
      throw new Error(`The agent answered ${JSON.stringify(answer)}.`);
  } finally {
    await client.close();
  }
}

// Runs agent-cases.mjs in another JavaScript runtime, from the sources of the workspace.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCases } from "./cases.mjs";
import { startModel } from "./model.mjs";

/**
 * @param {string} name the client
 * @param {URL} folder its folder
 * @param {string} program the runtime
 * @param {readonly string[]} flags before the script
 */
export async function runHost(name, folder, program, flags) {
  const cases = openCases(name, folder);
  const model = await startModel();
  const data = mkdtempSync(join(tmpdir(), `bailiwick-${name}-`));
  const script = fileURLToPath(new URL("agent-cases.mjs", import.meta.url));
  const child = spawn(program, [...flags, script, model.baseURL, data], { timeout: 600_000 });
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  for (const line of out.split("\n").filter((text) => text.startsWith("{"))) {
    const { name: title, failure } = JSON.parse(line);
    cases.report(title, failure);
  }
  if (code !== 0) cases.report("the process ends with 0", `${code}: ${errors.slice(-2_000)}`);
  model.close();
  rmSync(data, { recursive: true, force: true });
  cases.end();
}

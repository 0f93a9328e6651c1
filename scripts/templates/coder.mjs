// The coder template: a person asks for a repair of the sample, reads the diff, and writes it, without editing a file.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A model that repairs the sample and applies the change.
 *
 * @type {import("../../packages/testing/src/index.ts").ScriptFunction}
 */
export const script = ({ messages }) => {
  const results = messages.filter(({ role }) => role === "tool").length;
  if (results === 0)
    return {
      toolCalls: [{ name: "edit", arguments: { file_path: "add.js", old_string: "a - b", new_string: "a + b" } }],
    };
  return results === 1
    ? { toolCalls: [{ name: "apply_changes", arguments: { summary: "add() adds." } }] }
    : "It is repaired.";
};

/** @param {import("./refund-script.mjs").TemplateProject} project */
export async function drive({ path, env }) {
  const child = spawn("npm", ["--silent", "start"], {
    cwd: path,
    env: { ...process.env, ...env, XDG_STATE_HOME: join(path, "..", "coder-state") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.on("data", (piece) => {
    shown += String(piece);
    if (shown.endsWith("> "))
      child.stdin.write(shown.includes("It is repaired.") ? "/quit\n" : "The test of add.js fails. Fix it.\n");
    if (shown.endsWith("(y/n) ")) child.stdin.write("y\n");
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0 || !shown.includes("+export const add = (a, b) => a + b;"))
    throw new Error(`npm start ended with ${code} and showed:\n${shown}`);
  const repaired = readFileSync(join(path, "sample/add.js"), "utf8");
  if (!repaired.includes("a + b")) throw new Error(`The sample is not repaired: ${repaired}`);
}

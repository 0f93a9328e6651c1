// Starts the sample app: installs and builds what is stale, then runs apps/desk. `npm start` opens its server, and `npm
// run desk -- <command>` runs its command line: the first argument selects one, the others are passed on.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { enterProject, exitOf, pnpmCommand, root } from "./lib/project.mjs";

await enterProject();

console.error("Building what has changed; the first time takes about a minute");
const [npx = "", ...pnpm] = pnpmCommand();
const build = spawn(npx, [...pnpm, "exec", "turbo", "run", "build", "--filter=@bailiwick/desk..."], {
  cwd: root,
  shell: process.platform === "win32",
});
let printed = "";
const begun = new Set();
/** @param {Buffer} chunk */
const show = (chunk) => {
  printed += chunk.toString();
  for (const [, name = ""] of chunk.toString().matchAll(/^@bailiwick\/([\w-]+):build: /gmu)) {
    if (begun.has(name)) continue;
    begun.add(name);
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K  ${begun.size} packages: ${name}`);
  }
};
build.stdout.on("data", show);
build.stderr.on("data", show);
const status = await exitOf(build);
if (process.stderr.isTTY && begun.size > 0) process.stderr.write("\r\u001B[K");
if (status !== 0) {
  console.error(printed);
  console.error("The build failed, see above.");
  process.exit(1);
}

const [what, ...rest] = process.argv.slice(2);
const [script, args] = what === "cli" ? ["src/cli.ts", rest] : ["src/supervise.ts", process.argv.slice(2)];
const desk = join(root, "apps", "desk");
if (!existsSync(join(desk, script))) {
  console.error(`apps/desk/${script} is missing`);
  process.exit(1);
}
const child = spawn(process.execPath, [script, ...args], { cwd: desk, stdio: "inherit" });
process.exit(await exitOf(child));

// Starts the sample app: installs and builds what is stale, then runs apps/desk. `npm start` opens its server, and
// `npm run desk -- <command>` runs its command line: the first argument says which, the others are handed on.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { enterProject, exitOf, pnpmCommand, root } from "./lib/project.mjs";

await enterProject();

console.error("Building what has changed");
const [npx = "", ...pnpm] = pnpmCommand();
const build = spawnSync(npx, [...pnpm, "exec", "turbo", "run", "build", "--filter=@bailiwick/desk..."], {
  cwd: root,
  encoding: "utf8",
  shell: process.platform === "win32",
});
if (build.status !== 0) {
  console.error(`${build.stdout}${build.stderr}`);
  console.error("The build failed, see above.");
  process.exit(1);
}

const [what, ...rest] = process.argv.slice(2);
const [script, args] = what === "cli" ? ["src/cli.ts", rest] : ["src/main.ts", process.argv.slice(2)];
const desk = join(root, "apps", "desk");
if (!existsSync(join(desk, script))) {
  console.error(`apps/desk/${script} is missing`);
  process.exit(1);
}
const child = spawn(process.execPath, [script, ...args], { cwd: desk, stdio: "inherit" });
process.exit(await exitOf(child));

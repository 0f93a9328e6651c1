// Starts the sample app: installs and builds what is stale, then runs apps/desk. Arguments are handed to it.
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

const desk = join(root, "apps", "desk");
if (!existsSync(join(desk, "src", "main.ts"))) {
  console.error("apps/desk/src/main.ts is missing");
  process.exit(1);
}
const child = spawn(process.execPath, ["src/main.ts", ...process.argv.slice(2)], { cwd: desk, stdio: "inherit" });
process.exit(await exitOf(child));

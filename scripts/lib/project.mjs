// Prepares the project's own tools on a bare machine (Node 20 and npm). Runs on Node 20 and has no dependencies.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

const windows = process.platform === "win32";
const stampFile = join(root, "node_modules", ".bailiwick-install");
const projectNode = join(root, "node_modules", "node", "bin", windows ? "node.exe" : "node");

/** The folders of the workspace that hold a package. */
export function workspaceFolders() {
  return ["packages", "apps", "docs", "examples/reference"].flatMap((group) => {
    if (existsSync(join(root, group, "package.json"))) return [group];
    if (!existsSync(join(root, group))) return [];
    return readdirSync(join(root, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "package.json")));
  });
}

/** `npx -y pnpm@VERSION`: the only way to pnpm that a machine with npm alone has. */
export function pnpmCommand() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return ["npx", "-y", packageManager];
}

/**
 * Runs a command in the root, with its output shown.
 *
 * @param {readonly string[]} command
 * @returns {number} its exit code
 */
function run(command) {
  const [file = "", ...args] = command;
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: ["inherit", 2, 2], shell: windows });
  if (error) console.error(`${command.join(" ")}: ${error.message}`);
  return status ?? 1;
}

/**
 * Makes sure that the dependencies of the lock file are installed, then continues in the project's own Node.
 * Returns only in that Node; in another one it runs the same script there and ends with its exit code.
 */
export async function enterProject() {
  if (process.env.BAILIWICK_NODE === projectNode) return;
  install();
  const code = await handOver();
  process.exit(code);
}

/** Installs unless the last install used the same lock file and manifests. */
function install() {
  const wanted = installStamp();
  if (existsSync(projectNode) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  console.error("Installing the dependencies (needed once)");
  if (run([...pnpmCommand(), "install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"]) !== 0) {
    console.error(
      "The install failed for the reason above. It needs a lock file that fits the manifests, and a package registry that npm can reach.",
    );
    process.exit(1);
  }
  if (!existsSync(projectNode)) {
    console.error(`The install brought no Node to ${projectNode}: remove node_modules and try again.`);
    process.exit(1);
  }
  writeFileSync(stampFile, wanted);
}

function installStamp() {
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  for (const folder of workspaceFolders()) files.push(`${folder}/package.json`);
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

/** Runs this script again in the project's Node, and passes signals on. */
function handOver() {
  const binaries = [join(root, "node_modules", ".bin"), join(root, "node_modules", "node", "bin")];
  const child = spawn(projectNode, process.argv.slice(1), {
    stdio: "inherit",
    env: {
      ...process.env,
      BAILIWICK_NODE: projectNode,
      TURBO_TELEMETRY_DISABLED: "1",
      // Each child loads hundreds of TypeScript files, so their compiled code is cached.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, ".cache", "compile"),
      PATH: [...binaries, process.env.PATH].join(delimiter),
    },
  });
  return exitOf(child);
}

/**
 * Waits for a child and passes the signals of this process on to it.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>} its exit code
 */
export function exitOf(child) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // A terminal sends Ctrl-C to the whole group: the child has it already, and this process waits for its end.
    const sentToAll = signal === "SIGINT" && process.stdin.isTTY;
    process.on(signal, () => sentToAll || child.kill(signal));
  }
  const parent = process.ppid;
  const orphaned = setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
  // npm runs a script in a shell, which dies of npm's signal without passing it on.
  if (process.env.npm_lifecycle_event === undefined) clearInterval(orphaned);
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" || signal === "SIGTERM" ? 0 : 1)));
  });
}

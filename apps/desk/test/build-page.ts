import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const app = fileURLToPath(new URL("..", import.meta.url));
const built = join(app, "dist", "page");
const lock = join(app, "dist", "page.lock");

/** Time after which a lock belongs to a process that was killed, in milliseconds. */
const lockLimitMs = 120_000;

/** Builds the page unless it is newer than its sources. Test files run side by side: one builds, the others wait. */
export async function buildPage(): Promise<void> {
  mkdirSync(join(app, "dist"), { recursive: true });
  const since = Date.now();
  while (!isFresh()) {
    if (take()) {
      try {
        if (!isFresh()) build();
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
      return;
    }
    if (Date.now() - since > lockLimitMs) rmSync(lock, { recursive: true, force: true });
    await setTimeout(100);
  }
}

function take(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/** Builds beside the page and moves it into place whole: a server may be reading the one before. */
function build(): void {
  const fresh = `${built}.${process.pid}`;
  const vite = join(app, "node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build", "--logLevel", "error", "--outDir", fresh], { cwd: app });
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
}

function isFresh(): boolean {
  const sources = readdirSync(join(app, "src"), { recursive: true, encoding: "utf8" }).map((name) => join("src", name));
  const changed = [...sources, "index.html", "vite.config.ts", "package.json"].map((name) => timeOf(join(app, name)));
  return timeOf(join(built, "index.html")) > Math.max(...changed);
}

/** The time of a file's last change; 0 if there is no such file. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A page that Vite builds. */
interface Page {
  /** Folder of the package. */
  readonly folder: string;
  /** Folder of the built page. */
  readonly built: string;
  /** Configuration of Vite. */
  readonly config: string;
  /** Files and folders whose change makes the page stale. */
  readonly sources: readonly string[];
}

const studio = fileURLToPath(new URL("..", import.meta.url));

/** Time after which a lock belongs to a process that was killed, in milliseconds. */
const lockLimitMs = 120_000;

/** Builds the studio's page unless it is newer than its sources. */
export function buildStudioPage(): Promise<void> {
  return buildPage({
    folder: studio,
    built: join(studio, "dist", "web"),
    config: "web/vite.config.ts",
    sources: ["web", "package.json"],
  });
}

/** Builds a page unless it is newer than its sources. Test files run in parallel: one builds, the others wait. */
export async function buildPage(page: Page): Promise<void> {
  const lock = `${page.built}.lock`;
  mkdirSync(dirname(page.built), { recursive: true });
  const since = Date.now();
  while (!isFresh(page)) {
    if (take(lock)) {
      try {
        if (!isFresh(page)) build(page);
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
      return;
    }
    if (Date.now() - since > lockLimitMs) rmSync(lock, { recursive: true, force: true });
    await setTimeout(100);
  }
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds next to the page and then moves it into place as a whole, because a server may be reading the previous one.
 * The page is the published one: a test's environment would select the libraries' slower, larger development builds.
 */
function build({ folder, built, config }: Page): void {
  const fresh = `${built}.${process.pid}`;
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  execFileSync(process.execPath, [vite, "build", "--logLevel", "error", "--config", config, "--outDir", fresh], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production" },
  });
  rmSync(built, { recursive: true, force: true });
  renameSync(fresh, built);
}

function isFresh({ folder, built, sources }: Page): boolean {
  const changed = sources.flatMap((source) => filesIn(join(folder, source))).map(timeOf);
  return timeOf(join(built, "index.html")) > Math.max(...changed);
}

function filesIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
}

/** The time of a file's last change; 0 if there is no such file. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

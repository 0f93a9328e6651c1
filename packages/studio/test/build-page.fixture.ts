import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
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
/** SQLite's code for a lock that another process has. */
const busy = 5;

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
  if (isFresh(page)) return;
  const cache = join(page.folder, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  // The lock of a database ends with its process, whether that takes long or is killed.
  const lock = new DatabaseSync(join(cache, "page-lock.db"));
  try {
    while (!take(lock)) await setTimeout(100);
    if (!isFresh(page)) build(page);
  } finally {
    lock.close();
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode !== busy) throw error;
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

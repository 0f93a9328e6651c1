import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { migrate, supportedFormat } from "../database/migrations.ts";
import { countStatements } from "./count-statements.fixture.ts";
import { compileCache } from "./crash-cell.fixture.ts";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";

const program = fileURLToPath(new URL("migrating-process.fixture.ts", import.meta.url));
const killer = new URL("kill-after-statements.fixture.ts", import.meta.url).href;
const firstFormat = readFileSync(new URL("../format-1.fixture.sql", import.meta.url), "utf8");

/** The state of a file after its migration was killed. */
export interface MigrationCell {
  /** True if the process got that far. */
  readonly reached: boolean;
  /** The file's format after the kill. */
  readonly left: number;
  /** The problems; empty if there are none. */
  readonly faults: readonly string[];
}

/** The statements of a migration from the first format, in order: the first is number 0. */
export function migrationStatements(): readonly string[] {
  using database = new DatabaseSync(":memory:");
  database.exec(firstFormat);
  const statements: string[] = [];
  const end = countStatements((sql) => statements.push(sql));
  try {
    migrate(database);
  } finally {
    end();
  }
  return statements;
}

/**
 * Kills a process after a given number of statements of a migration from the first format, and opens the file again.
 */
export async function migrationCell(statements: number): Promise<MigrationCell> {
  using folder = temporaryFolder();
  const old = new DatabaseSync(folder.file);
  old.exec(firstFormat);
  old.close();
  const { signal, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=@bailiwick/source",
      "--disable-warning=ExperimentalWarning",
      // Threads load it too.
      "--import",
      killer,
      program,
      folder.file,
    ],
    {
      encoding: "utf8",
      timeout: 200_000,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, KILL_AFTER_STATEMENTS: String(statements) },
    },
  );
  const faults: string[] = [];
  if (signal !== "SIGKILL" && !stdout.includes("migrated")) faults.push(`the process said: ${stderr}`);
  const left = formatOf(folder.file);
  if (left < 1 || left > supportedFormat) faults.push(`the file is left in format ${left}`);
  await using store = sqliteStore({ path: folder.file });
  if (formatOf(folder.file) !== supportedFormat) faults.push("the next opening did not migrate it");
  if ((await store.sessions.search("tulip", { userId: "u1" })).length !== 1) faults.push("the search text is missing");
  if ((await store.load("run-1")).length === 0) faults.push("the journal is missing");
  return { reached: signal === "SIGKILL", left, faults };
}

function formatOf(file: string): number {
  const database = new DatabaseSync(file);
  const { user_version: format } = database.prepare("PRAGMA user_version").get() as { readonly user_version: number };
  database.close();
  return format;
}

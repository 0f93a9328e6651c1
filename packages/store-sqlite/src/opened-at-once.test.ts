import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { supportedFormat } from "./database/migrations.ts";
import { openDatabase } from "./database/open-database.ts";
import { RefusedError } from "./thread/failure.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const firstFormat = readFileSync(new URL("format-1.fixture.sql", import.meta.url), "utf8");
const name = "sqlite:runs.db";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Opens a file and closes it; returns the code of the error. */
function open(path: string): string | undefined {
  try {
    openDatabase({ path, processes: "many", lockTimeoutMs: 0, warn: () => undefined }, name).database.close();
    return undefined;
  } catch (error) {
    return error instanceof RefusedError && error.failure.kind === "store" ? error.failure.code : String(error);
  }
}

function setFormat(path: string, format: number): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${format}`);
  database.close();
}

/** Lets another process act before one of the later statements; `seen` lists the statements of this process. */
function before(which: number, act: () => void): { readonly seen: readonly string[] } {
  const { prepare, exec } = DatabaseSync.prototype;
  const seen: string[] = [];
  let acting = false;
  const look = (sql: string): void => {
    if (acting) return;
    seen.push(sql);
    if (seen.length !== which) return;
    acting = true;
    act();
    acting = false;
  };
  vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function prepared(this: DatabaseSync, sql: string) {
    look(sql);
    return prepare.call(this, sql);
  });
  vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function executed(this: DatabaseSync, sql: string) {
    look(sql);
    exec.call(this, sql);
  });
  return { seen };
}

test.each([
  ["is not there yet", ""],
  ["is of the first format", firstFormat],
])(
  "a file that %s is opened, before any statement of which another process creates or migrates it [journal.versioned]",
  (_what, content) => {
    for (let which = 1, count = 1; which <= count; which += 1) {
      using folder = temporaryFolder();
      if (content !== "") {
        const old = new DatabaseSync(folder.file);
        old.exec(content);
        old.close();
      }
      const others: (string | undefined)[] = [];
      const { seen } = before(which, () => others.push(open(folder.file)));
      expect(open(folder.file)).toBeUndefined();
      vi.restoreAllMocks();
      count = seen.length;
      // It may have arrived during the write.
      expect([[undefined], ["STORE_LOCKED"]]).toContainEqual(others);
      const database = new DatabaseSync(folder.file);
      expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: supportedFormat });
      database.close();
    }
  },
  // Hundreds of commits, each of which waits for the disk.
  600_000,
);

test("a file that a later version migrates while it is being opened is refused [journal.versioned]", () => {
  using folder = temporaryFolder();
  open(folder.file);
  for (let which = 1, count = 1; which <= count; which += 1) {
    setFormat(folder.file, supportedFormat);
    const { seen } = before(which, () => setFormat(folder.file, supportedFormat + 1));
    const said = open(folder.file);
    vi.restoreAllMocks();
    count = seen.length;
    // A message after the last look is handled elsewhere.
    if (which <= seen.lastIndexOf("PRAGMA user_version") + 1) expect(said).toBe("STORE_FORMAT");
  }
});

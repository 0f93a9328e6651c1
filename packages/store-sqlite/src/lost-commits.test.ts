import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDatabase } from "./database/open-database.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const storing = fileURLToPath(new URL("./lost-commits.fixture.ts", import.meta.url));

/** Stores runs in another process, and then kills it. */
async function storeAndDie(path: string, from: number, to: number): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      "--conditions=@bailiwick/source",
      "--disable-warning=ExperimentalWarning",
      storing,
      path,
      String(from),
      String(to),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const closed = new Promise((resolve) => child.once("close", resolve));
  const stored = await new Promise((resolve) => {
    child.stdout.once("data", () => resolve(true));
    void closed.then(() => resolve(false));
  });
  child.kill("SIGKILL");
  await closed;
  expect(stored).toBe(true);
}

const open = (path: string) => sqliteStore({ path, processes: "one" });

/** Opens the store and counts its runs. */
async function runsIn(path: string): Promise<number> {
  await using store = open(path);
  return (await store.listRuns({ limit: 1_000 })).length;
}

/** Content of a file as text, which is compared faster than bytes. A missing log and an empty one are the same. */
const bytesOf = (file: string): string => (existsSync(file) ? readFileSync(file, "base64") : "");

/** Bytes of the log's header, and of a frame with its page of 4,096 bytes. */
const headerBytes = 32;
const frameBytes = 24 + 4_096;

const losses: readonly (readonly [string, (log: string) => void])[] = [
  ["without its last frame", (log) => truncateSync(log, statSync(log).size - frameBytes)],
  ["cut in the middle of a frame", (log) => truncateSync(log, Math.floor(statSync(log).size / 2) + 100)],
  ["without any frame", (log) => truncateSync(log, headerBytes)],
  ["that is gone", (log) => rmSync(log)],
  [
    "with a changed byte",
    (log) => {
      const bytes = readFileSync(log);
      const at = bytes.length - frameBytes - 100;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(log, bytes);
    },
  ],
];

for (const age of ["young", "older"] as const)
  test.each(losses)(
    `a${age === "older" ? "n older" : " young"} store of a killed process with a write-ahead log %s is refused [store.lost-commits]`,
    async (_what, lose) => {
      using folder = temporaryFolder();
      if (age === "older") {
        await using store = open(folder.file);
        await store.create({ id: "first", agentId: "a", definitionHash: "d", sessionId: "s", input: "" });
      }
      await storeAndDie(folder.file, 0, 20);
      lose(`${folder.file}-wal`);
      const log = bytesOf(`${folder.file}-wal`);
      const refusal = expect.objectContaining({
        code: "STORE_BEHIND",
        message: expect.stringContaining(`delete "${folder.file}-head"`) as string,
      }) as Error;
      expect(() => open(folder.file)).toThrow(refusal);
      // The rest of the log stays: a person may recover more from it.
      expect(bytesOf(`${folder.file}-wal`)).toEqual(log);
      expect(() => open(folder.file)).toThrow(refusal);
    },
  );

test("a store of a killed process opens with every acknowledged commit, after every kill [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  for (const round of [0, 1, 2]) {
    await storeAndDie(folder.file, round * 10, round * 10 + 10);
    expect(await runsIn(folder.file)).toBe(round * 10 + 10);
  }
  // Closed, the log is gone, and nothing is lost.
  expect(existsSync(`${folder.file}-wal`)).toBe(false);
  expect(await runsIn(folder.file)).toBe(30);
});

test("an older copy that replaces a store is refused until its head is deleted [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  const copy = join(folder.path, "copy.db");
  await storeAndDie(folder.file, 0, 5);
  expect(await runsIn(folder.file)).toBe(5);
  const source = new DatabaseSync(folder.file, { readOnly: true });
  await backup(source, copy);
  source.close();
  await storeAndDie(folder.file, 5, 8);
  expect(await runsIn(folder.file)).toBe(8);
  // In another place, the copy opens.
  expect(await runsIn(copy)).toBe(5);

  copyFileSync(copy, folder.file);
  await expect(runsIn(folder.file)).rejects.toMatchObject({ code: "STORE_BEHIND" });
  rmSync(`${folder.file}-head`);
  expect(await runsIn(folder.file)).toBe(5);
});

test("a file without its newest commits is refused by the thread that opens it [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  await storeAndDie(folder.file, 0, 5);
  rmSync(`${folder.file}-wal`);
  const options = { path: folder.file, processes: "one", lockTimeoutMs: 0, warn: () => undefined } as const;
  expect(() => openDatabase(options, "sqlite:test")).toThrow("lacks all of its commits");
});

test("a new store that replaces a removed one opens, although the head of the former one exists [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  await storeAndDie(folder.file, 0, 5);
  for (const end of ["", "-wal", "-shm"]) rmSync(folder.file + end, { force: true });
  expect(existsSync(`${folder.file}-head`)).toBe(true);
  expect(await runsIn(folder.file)).toBe(0);
  await storeAndDie(folder.file, 0, 3);
  expect(await runsIn(folder.file)).toBe(3);
});

test("a head that is empty or belongs to another store does not stop a store [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  await storeAndDie(folder.file, 0, 5);
  for (const text of ["", `${"0".repeat(32)} 9999999 end\n`]) {
    writeFileSync(`${folder.file}-head`, text);
    expect(await runsIn(folder.file)).toBe(5);
  }
});

test("a store whose head is damaged is refused until the head is deleted [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  await storeAndDie(folder.file, 0, 5);
  const head = `${folder.file}-head`;
  for (const text of ["0123", "\u0000".repeat(80), readFileSync(head, "utf8").slice(0, 30)]) {
    writeFileSync(head, text);
    const refusal = { code: "STORE_BEHIND", message: expect.stringContaining("is damaged") as string };
    expect(() => open(folder.file)).toThrow(expect.objectContaining(refusal) as Error);
    expect(readFileSync(head, "utf8")).toBe(text);
  }
  rmSync(head);
  expect(await runsIn(folder.file)).toBe(5);
});

test("after a power failure that kept an older head, the store opens with every commit, and a log that is lost afterwards is still noticed [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  const head = `${folder.file}-head`;
  await storeAndDie(folder.file, 0, 5);
  expect(await runsIn(folder.file)).toBe(5);
  await storeAndDie(folder.file, 5, 10);
  const older = readFileSync(head, "utf8");
  await storeAndDie(folder.file, 10, 15);
  const files = ["", "-wal"].map((end) => [folder.file + end, readFileSync(folder.file + end)] as const);
  const restore = (): void => files.forEach(([file, bytes]) => writeFileSync(file, bytes));

  // The disk has every commit, the last ones in the log, and an earlier head.
  writeFileSync(head, older);
  expect(await runsIn(folder.file)).toBe(15);
  restore();
  writeFileSync(head, older);
  rmSync(`${folder.file}-wal`);
  rmSync(`${folder.file}-shm`, { force: true });
  expect(() => open(folder.file)).toThrow(expect.objectContaining({ code: "STORE_BEHIND" }) as Error);
});

test("a transaction that changes nothing is not counted: a worker that looks for runs writes nothing [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  await using store = open(folder.file);
  await store.create({ id: "r", agentId: "a", definitionHash: "d", sessionId: "s", input: "" });
  const head = readFileSync(`${folder.file}-head`, "utf8");
  const looked = await store.claim({
    agents: [{ agentId: "other" }],
    owner: "me",
    ttlMs: 1_000,
    limit: 1,
    maxAttempts: 5,
    suspects: false,
  });
  expect(looked.runs).toEqual([]);
  expect(readFileSync(`${folder.file}-head`, "utf8")).toBe(head);
});

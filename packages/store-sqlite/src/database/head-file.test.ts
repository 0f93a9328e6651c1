import * as fs from "node:fs";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../temporary-store.fixture.ts";
import { headPath, openHeadFile, readHead } from "./head-file.ts";

/** Number of the head that a sync wrote to disk, for each sync. */
const synced = vi.hoisted(() => [] as string[]);
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const note = (file: number): void => {
    const bytes = Buffer.alloc(80);
    if (!real.fstatSync(file).isFile()) return void synced.push("folder");
    const read = real.readSync(file, bytes, 0, 80, 0);
    synced.push(bytes.toString("utf8", 33, read).split(" ")[0] ?? "");
  };
  return {
    ...real,
    fsyncSync: (file: number) => (note(file), real.fsyncSync(file)),
    fdatasyncSync: (file: number) => (note(file), real.fdatasyncSync(file)),
    fdatasync: (file: number, done: () => void) => (note(file), real.fdatasync(file, done)),
  };
});

const storeId = "0123456789abcdef".repeat(2);

test("a new head is synced with its folder at once, later ones in the background with the newest number, and the last one at close [store.lost-commits]", async () => {
  using folder = temporaryFolder();
  const file = openHeadFile(folder.file, storeId);
  expect(synced).toEqual([]);
  file.keep(1);
  expect(synced).toEqual(["1", "folder"]);

  for (let commits = 2; commits <= 100; commits += 1) file.keep(commits);
  // One sync has begun, and the rest wait for the next one.
  expect(synced.length).toBe(3);
  await expect.poll(() => synced.at(-1)).toBe("100");
  expect(synced.length).toBe(4);

  file.keep(101);
  file.close();
  expect(synced.at(-1)).toBe("101");
  expect(readHead(folder.file)).toEqual({ storeId, commits: 101 });
  expect(fs.statSync(headPath(folder.file)).size).toBe(80);
});

import { existsSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

test("the write-ahead log is moved into the file while the store is in use, and gone when it is closed", async () => {
  using folder = temporaryFolder();
  const store = sqliteStore({ path: folder.file });
  const before = statSync(folder.file).size;
  const bytes = new Uint8Array(8_000);
  let written = 0;
  for (let tries = 0; tries < 2_000 && statSync(folder.file).size <= before; tries += 1) {
    bytes.set([tries & 255, tries >> 8]);
    await store.putBlob(bytes);
    written += 1;
    if (written > 200) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(statSync(folder.file).size).toBeGreaterThan(before);
  await store.close();
  expect(existsSync(`${folder.file}-wal`)).toBe(false);
  expect(statSync(folder.file).size).toBeGreaterThan(written * 8_000);
});

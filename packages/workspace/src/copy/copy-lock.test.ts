import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { takeLock } from "./copy-lock.ts";

test("one holder at a time has the lock of a copy, and that of a process that has ended is taken over [workspace.copies]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "lock");
  // No process has this number.
  writeFileSync(file, "4194305 1");
  let holders = 0;
  const work = async (): Promise<void> => {
    const release = await takeLock(file);
    holders += 1;
    expect(holders).toBe(1);
    await Promise.resolve();
    holders -= 1;
    release();
  };
  await Promise.all(Array.from({ length: 5 }, work));
  expect([existsSync(file), readdirSync(folder)]).toEqual([false, []]);
});

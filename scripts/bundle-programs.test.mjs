import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "./lib/project.mjs";

const temporary = mkdtempSync(join(tmpdir(), "bundle-programs-"));
afterAll(() => rmSync(temporary, { recursive: true }));

test("a bundle is made once for a state of the sources, and those that no test has used for a day are deleted", () => {
  const bundles = join(temporary, "bailiwick-programs");
  for (const name of ["old", "used"]) mkdirSync(join(bundles, name), { recursive: true });
  const twoDaysAgo = new Date(Date.now() - 48 * 60 * 60 * 1000);
  utimesSync(join(bundles, "old"), twoDaysAgo, twoDaysAgo);
  const program = join(temporary, "program.ts");
  writeFileSync(program, "const text: string = 'runs';\nconsole.log(text);\n");
  /**
   * @param {string} file
   * @param {readonly string[]} args
   */
  const run = (file, ...args) =>
    execFileSync(process.execPath, [file, ...args], { env: { ...process.env, TMPDIR: temporary } })
      .toString()
      .trim();
  const made = run(join(root, "scripts/bundle-programs.mjs"), program);
  expect(run(made)).toBe("runs");
  expect([existsSync(join(bundles, "old")), existsSync(join(bundles, "used"))]).toEqual([false, true]);
  utimesSync(join(made, ".."), twoDaysAgo, twoDaysAgo);
  expect(run(join(root, "scripts/bundle-programs.mjs"), program)).toBe(made);
  run(join(root, "scripts/bundle-programs.mjs"), program, join(root, "packages/core/src/tools/paths.ts"));
  expect(existsSync(made)).toBe(true);
  expect(readdirSync(bundles)).toHaveLength(3);
});

// A bundle in CommonJS, where import.meta.url is empty, opens a SQLite store.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./lib/project.mjs";

test("a bundle in CommonJS stores and lists a run in the thread of its code, and says so once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-cjs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "out.cjs");
  await build({
    stdin: {
      contents: `import { sqliteStore } from "@bailiwick/store-sqlite";
const warnings = [];
const logger = { debug() {}, info() {}, warn: (text) => warnings.push(text), error() {} };
const store = sqliteStore({ path: ${JSON.stringify(join(folder, "a.db"))}, logger });
store.listRuns({}).then((runs) => console.log(JSON.stringify({ runs, warnings })));`,
      resolveDir: join(root, "apps/desk"),
      loader: "js",
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    conditions: ["@bailiwick/source"],
    outfile,
    logLevel: "silent",
  });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: "utf8" });
  expect(JSON.parse(stdout || "{}"), stderr).toEqual({
    runs: [],
    warnings: [expect.stringContaining("thread: false")],
  });
});

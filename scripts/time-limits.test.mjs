import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import configuration from "../vitest.config.ts";
import { filesBelow } from "./lib/files.mjs";
import { root } from "./lib/project.mjs";

const { testTimeout = 0, hookTimeout = 0, expect: { poll } = {} } = configuration.test ?? {};
/** The least milliseconds of a time limit in a test: a busy machine needs ten times as long as a quiet one. */
const least = 120_000;

/** Modules that launch a browser with a bound for everything that waits on its pages. */
const launchers = new Set([
  "apps/desk/test/flow-picture.fixture.ts",
  "packages/studio/test/launch-browser.fixture.ts",
  "clients/lib/chat-host.mjs",
  "docs/site/browse-site.mjs",
]);

/** @type {(text: string) => number} */
const milliseconds = (text) => Number(text.replaceAll("_", ""));

/**
 * Time limits that a busy machine can exceed.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
function tooShort(path, text) {
  /** @type {string[]} */
  const found = [];
  for (const [index, line] of text.split("\n").entries()) {
    const add = (/** @type {string} */ what) => found.push(`${path}:${index + 1} ${what}`);
    if (/\bvi\.wait(?:For|Until)\(/u.test(line)) add("vi.waitFor() ends after a second: use expect.poll()");
    if (
      /^(?:\}|\s{2}\}), [\d_]{5,}\);$|\btest\(.*, [\d_]{5,}\);$|^\s{2}[\d_]{5,},$/u.test(line) &&
      limitOf(line) < testTimeout
    )
      add("the time limit of a test is shorter than that of vitest.config.ts: leave it out");
    if (/\btest(?:Timeout)?\b.*\btimeout: [\d_]{4,}|\btestTimeout: [\d_]+/u.test(line) && limitOf(line) < testTimeout)
      add("the time limit of a test is shorter than that of vitest.config.ts: leave it out");
    if (/^const patience = \D*[\d_]{5,}/u.test(line) && path.includes(".test.") && limitOf(line) < testTimeout)
      add("the time limit of a test is shorter than that of vitest.config.ts: leave it out");
    if (/\.poll\(.*\btimeout: /u.test(line)) add("a poll with a time limit: that of vitest.config.ts holds");
    if (/\bAbortSignal\.timeout\([\d_]{4,}\)/u.test(line) && limitOf(line) < least) add("an answer may take longer");
    if (/\.now\(\) \+ [\d_]{4,};$/u.test(line) && /\b(?:until|end|deadline)\b/u.test(line) && limitOf(line) < least)
      add("a wait may take longer");
    if (
      /^\s+(?:\{ )?timeout: [\d_]{5,}(?:,| \},)$|^[^"]*, \{ timeout: [\d_]{5,} \}/u.test(line) &&
      limitOf(line) < least
    )
      add("a process may take longer");
    if (
      /\bwithinMs(?:: | = )[\d_]{4,}(?:\)|,)/u.test(line) &&
      milliseconds(/withinMs\D+([\d_]+)/u.exec(line)?.[1] ?? "") < least
    )
      add("a wait may take longer");
    if (/\bsetDefaultTimeout\(|\bchromium\.launch\(/u.test(line) && !launchers.has(path))
      add("a browser outside of the modules that bound its waits");
  }
  return found;
}

/** The last number of a line. @type {(line: string) => number} */
const limitOf = (line) => milliseconds(line.match(/\d[\d_]*(?=\D*$)/u)?.[0] ?? "0");

test("limits of tests are generous, and one place sets those of each kind", () => {
  expect(Math.min(testTimeout, hookTimeout)).toBeGreaterThan(poll?.timeout ?? Number.POSITIVE_INFINITY);
  expect(poll?.timeout).toBeGreaterThanOrEqual(least);
  const own = "scripts/time-limits.test.mjs";
  const files = filesBelow(
    ["packages", "apps", "scripts", "clients", "docs/site"],
    (path) =>
      path !== own &&
      /\.test\.(?:ts|tsx|mjs)$|\.(?:fixture|test\.helper)\.tsx?$|^(?:clients|docs\/site|scripts)\/.*\.mjs$/u.test(path),
  );
  expect(files.length).toBeGreaterThan(600);
  for (const path of launchers) {
    const text = readFileSync(join(root, path), "utf8");
    expect([path, /chromium\.launch\(\{[^}]*\btimeout: /u.test(text), text.includes("setDefaultTimeout(")]).toEqual([
      path,
      true,
      true,
    ]);
  }
  expect(files.flatMap((path) => tooShort(path, readFileSync(join(root, path), "utf8")))).toEqual([]);
});

test("each kind of a short limit is found", () => {
  for (const line of [
    "await vi.waitFor(() => expect(one).toBe(1));",
    "}, 60_000);",
    "  90_000,",
    "for (const { name, run } of cases) test(name, run, 180_000);",
    'test("a", { timeout: 60_000 }, () => {',
    "vi.setConfig({ testTimeout: 120_000 });",
    "const patience = { timeout: 60_000 };",
    "await expect.poll(read, { interval: 5, timeout: 20_000 }).toBe(1);",
    "fetch(url, { signal: AbortSignal.timeout(5_000) });",
    "const until = performance.now() + 30_000;",
    "async function insist(what, work, withinMs = 60_000) {",
    "      withinMs: 90_000,",
    "      timeout: 60_000,",
    "page.setDefaultTimeout(15_000);",
    "const browser = await chromium.launch({",
  ])
    expect([line, tooShort("x.test.ts", line).length]).toEqual([line, 1]);
});

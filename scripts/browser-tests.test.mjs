// Browser tests wait for what they read.
import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url).pathname;
/** Methods of a page and of its locators that read the current state. */
const reads = new Set(
  "allInnerTexts allTextContents boundingBox count evaluate evaluateAll getAttribute innerText inputValue isChecked isDisabled isEnabled isVisible textContent title".split(
    " ",
  ),
);

/**
 * Lists the assertions of a test file that read a page once: `expect(await locator.innerText())`.
 *
 * @param {string} name - Name of the file.
 * @param {string} text - Its text.
 */
function unpolled(name, text) {
  /** @type {string[]} */
  const found = [];
  /** @param {unknown} node @param {(call: any) => void} onCall */
  const visit = (node, onCall) => {
    if (typeof node !== "object" || node === null) return;
    if (/** @type {any} */ (node).type === "CallExpression") onCall(node);
    for (const child of Object.values(node)) visit(child, onCall);
  };
  visit(parseSync(name, text).program, (call) => {
    if (call.callee.name !== "expect") return;
    visit(call.arguments[0], ({ callee, start }) => {
      if (reads.has(callee.property?.name)) found.push(`${name}:${text.slice(0, start).split("\n").length}`);
    });
  });
  return found;
}

/**
 * Lists the waits of a file that a busy machine ends too early: for a quiet network, after which the scripts of a page may
 * still have to run, and for a fixed time; and keys that are pressed right after a page was opened, before its
 * scripts hear them.
 *
 * @param {string} name - Name of the file.
 * @param {string} text - Its text.
 */
function hasty(name, text) {
  return [
    /\bnetworkidle\b|\.waitForTimeout\(/gu,
    /\.(?:goto|reload)\([^\n]*\);\n\s*await [\w.]*\bkeyboard\./gu,
  ].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index }) => `${name}:${text.slice(0, index).split("\n").length}`),
  );
}

test("what drives a browser waits for a state of the page, and not for time or the network", () => {
  const names = globSync(
    [
      "{packages,apps}/*/{src,test,web}/**/*.{browser.*test,fixture}.{ts,tsx}",
      "clients/{lib,*}/*.mjs",
      "docs/site/*.mjs",
    ],
    { cwd: root },
  );
  expect(names.filter((name) => name.includes(".browser.")).length).toBeGreaterThan(4);
  expect(names.flatMap((name) => hasty(name, readFileSync(`${root}${name}`, "utf8")))).toEqual([]);
  for (const line of [
    'await page.goto(url, { waitUntil: "networkidle" });',
    "await page.waitForTimeout(200);",
    'await page.goto(url);\n  await page.keyboard.press("/");',
    'await tab.reload();\n  await tab.keyboard.type("x");',
  ])
    expect([line, hasty("x.mjs", line).length]).toEqual([line, 1]);
});

test("a browser test polls for what it expects of a page", () => {
  const names = globSync("{packages,apps}/*/{src,test,web}/**/*.browser.test.{ts,tsx}", { cwd: root });
  expect(names.length).toBeGreaterThan(4);
  expect(names.flatMap((name) => unpolled(name, readFileSync(`${root}${name}`, "utf8")))).toEqual([]);
  expect(unpolled("a.ts", "expect(await page.title()).toBe('a');\nexpect(await fork.innerText()).toBe('b');")).toEqual([
    "a.ts:1",
    "a.ts:2",
  ]);
});

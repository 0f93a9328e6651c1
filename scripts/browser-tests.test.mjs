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

test("a browser test polls for what it expects of a page", () => {
  const names = globSync("{packages,apps}/*/{src,test,web}/**/*.browser.test.{ts,tsx}", { cwd: root });
  expect(names.length).toBeGreaterThan(4);
  expect(names.flatMap((name) => unpolled(name, readFileSync(`${root}${name}`, "utf8")))).toEqual([]);
  expect(unpolled("a.ts", "expect(await page.title()).toBe('a');\nexpect(await fork.innerText()).toBe('b');")).toEqual([
    "a.ts:1",
    "a.ts:2",
  ]);
});

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./lib/project.mjs";

/**
 * Functions that still throw an error without a code, such as a TypeError: a check would exceed the limits of the
 * bundles, or they belong to a request or a test that is under way. The list may only shrink.
 */
const open = [
  "askClient",
  "checkHost",
  "claimChat",
  "codeFailure",
  "createSanitizer",
  "finishedResponse",
  "guardedFetch",
  "isSeen",
  "mayEnterSystemPrompt",
  "recordedFrames",
  "recordedServer",
  "sealer",
  "security",
  "stripText",
  "thrownAsErrors",
];

test("a missing or foreign argument of a public function is refused with a code", { timeout: 600_000 }, () => {
  const program = join(root, "scripts/lib/argument-mistakes.mjs");
  const printed = execFileSync(process.execPath, ["--conditions=@bailiwick/source", program], { encoding: "utf8" });
  const { tried, failing } = JSON.parse(printed.trim().split("\n").at(-1) ?? "");
  expect(tried).toBeGreaterThan(150);
  expect(failing).toEqual(open);
});

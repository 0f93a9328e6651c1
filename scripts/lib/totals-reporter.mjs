// A vitest reporter that keeps the totals of the whole run for the closing line of `npm test`.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** File of the totals, relative to the root. */
export const totalsFile = ".cache/test-totals.json";

export default class TotalsReporter {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const totals = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed" || state === "failed" || state === "skipped") totals[state] += 1;
        else totals.failed += 1;
      }
      // A file that could not be loaded has no tests to count.
      totals.failed += module.errors().length;
    }
    mkdirSync(dirname(totalsFile), { recursive: true });
    writeFileSync(totalsFile, JSON.stringify(totals));
  }
}

// Judges cases against the failures that a client expects: one line a case, and 1 as the exit code when one differs.
import { readFileSync, writeFileSync } from "node:fs";

/**
 * @param {string} name the client
 * @param {URL} folder its folder, with expected-failures.json: reasons by the names of cases
 * @param {{ seconds?: number }} [options] the longest time of a case
 */
export function openCases(name, folder, { seconds = 300 } = {}) {
  const expected = JSON.parse(readFileSync(new URL("expected-failures.json", folder), "utf8"));
  /** The file for the results, when `scripts/test-clients.mjs` runs the client. */
  const file = process.argv[2];
  const results = [];
  let unexpected = 0;
  let count = 0;

  function report(title, failure) {
    count += 1;
    results.push({ name: title, passed: failure === undefined, ...(failure !== undefined && { detail: failure }) });
    const reason = expected[title];
    if ((failure !== undefined) !== (reason !== undefined)) unexpected += 1;
    if (failure === undefined)
      console.log(`${title}: ${reason === undefined ? "ok" : "passes, though it is expected to fail"}`);
    else console.log(`${title}: ${reason === undefined ? `FAILED: ${failure}` : `fails as expected: ${reason}`}`);
  }
  return {
    report,
    async check(title, work) {
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`it took more than ${seconds} seconds`)), seconds * 1_000);
      });
      try {
        await Promise.race([work(), late]);
        report(title, undefined);
      } catch (error) {
        report(title, error.message);
      } finally {
        clearTimeout(timer);
      }
    },
    /** Ends the process. */
    end() {
      if (count === 0) unexpected += 1;
      console.log(
        unexpected === 0
          ? `${name}: ${count} cases, all as expected`
          : `${name}: ${unexpected} of ${count} cases differ`,
      );
      if (file !== undefined) writeFileSync(file, JSON.stringify(results));
      process.exit(unexpected === 0 || file !== undefined ? 0 : 1);
    },
  };
}

/** Fails unless the fields of a value are those that are wanted. */
export function same(actual, wanted) {
  for (const [key, value] of Object.entries(wanted)) {
    if (actual[key] !== value)
      throw new Error(
        `${key} is ${JSON.stringify(actual[key])}, not ${JSON.stringify(value)}: ${JSON.stringify(actual).slice(0, 2_000)}`,
      );
  }
}

// Compares a client's results with its list of expected failures, which may only shrink.

/**
 * @typedef {object} ClientResult
 * @property {string} name
 * @property {boolean} passed
 * @property {string} [detail] what failed
 */

/**
 * @param {readonly ClientResult[]} results
 * @param {Readonly<Record<string, string>>} expected the reason of each expected failure, by its name
 * @param {readonly string[]} [claimed] names of checks that the table of clients rests on
 * @returns {{ problems: string[], summary: string }}
 */
export function judgeClient(results, expected, claimed = []) {
  const names = new Set(results.map(({ name }) => name));
  const problems = [];
  if (results.length === 0) problems.push("There are no results.");
  for (const { name, passed, detail = "" } of results) {
    const isExpected = Object.hasOwn(expected, name);
    if (!passed && !isExpected) problems.push(`${name} failed.\n${detail}`);
    if (passed && isExpected) problems.push(`${name} passes: take it from the list of expected failures.`);
  }
  for (const [name, reason] of Object.entries(expected)) {
    if (!names.has(name)) problems.push(`${name} is an expected failure and did not run.`);
    if (typeof reason !== "string" || reason.length < 10)
      problems.push(`${name} is an expected failure without a reason.`);
  }
  for (const name of claimed)
    if (!names.has(name)) problems.push(`client.json names the check ${name}, which did not run.`);
  const passed = results.filter((one) => one.passed).length;
  const failed = Object.keys(expected).length;
  return { problems, summary: `${passed} of ${results.length} pass, ${failed} expected to fail` };
}

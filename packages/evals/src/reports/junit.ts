import { checkResult } from "../check-result.ts";
import type { EvaluationResult, CaseResult } from "../result.ts";

/**
 * The result in JUnit's XML: a test case for each case and candidate. A score that could not be made is an error, not a
 * failure.
 *
 * @param result - From `evaluate()`.
 */
export function junitReport(result: EvaluationResult): string {
  checkResult(result, "junitReport(await evaluate(evaluation))");
  const { name, cases, verdict, reasons } = result;
  const of = (kind: Kind): number => cases.filter((one) => kindOf(one) === kind).length;
  const lines = cases.map((one) => {
    const kind = kindOf(one);
    const head = `    <testcase classname="${escaped(`${name}.${one.candidate}`)}" name="${escaped(one.case)}"`;
    if (kind === "passed") return `${head}/>`;
    if (kind === "skipped") return `${head}><skipped/></testcase>`;
    const text = one.rows
      .filter(
        ({ state, value = 1 }) => state === "notScored" || state === "notRun" || (state === "scored" && value < 1),
      )
      .map(({ scorer, repeat, value, reason = "", runId = "" }) =>
        `${scorer} (repeat ${repeat}): ${value ?? "no score"} ${reason} ${runId}`.trim(),
      );
    return `${head}><${kind} message="${escaped(text[0] ?? "")}">${escaped(text.join("\n"))}</${kind}></testcase>`;
  });
  const verdictCase =
    verdict === "passed"
      ? `    <testcase classname="${escaped(name)}" name="verdict"/>`
      : `    <testcase classname="${escaped(name)}" name="verdict"><${verdict === "failed" ? "failure" : "error"} message="${escaped(reasons[0] ?? verdict)}">${escaped(reasons.join("\n"))}</${verdict === "failed" ? "failure" : "error"}></testcase>`;
  const counts = `tests="${cases.length + 1}" failures="${of("failure") + Number(verdict === "failed")}" errors="${of("error") + Number(verdict === "undecided")}" skipped="${of("skipped")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(name)}" ${counts}>`,
    ...lines,
    verdictCase,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

type Kind = "passed" | "failure" | "error" | "skipped";

function kindOf({ rows }: CaseResult): Kind {
  if (rows.some(({ state, value = 1 }) => state === "scored" && value < 1)) return "failure";
  if (rows.some(({ state }) => state === "notScored" || state === "notRun")) return "error";
  return rows.some(({ state }) => state === "scored") ? "passed" : "skipped";
}

/** Text as XML may have it: without control characters. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, "\ufffd")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}

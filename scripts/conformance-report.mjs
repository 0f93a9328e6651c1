/**
 * Judges each claim of the spec by the tests that name it, and writes the verdicts as pages.
 *
 * @module
 */

/**
 * @import { Spec } from "./conformance-spec.mjs"
 * @import { NamedTest } from "./conformance-tests.mjs"
 *
 * @typedef {"passed" | "failed" | "not run" | "open"} Verdict
 * @typedef {{ verdict: Verdict, tests: NamedTest[] }} Proof
 */

/** @type {readonly Verdict[]} */
const VERDICTS = ["passed", "failed", "not run", "open"];

/** Maximum size of a table on one page, in characters of Markdown; its HTML is about twice as large. */
const partLimit = 60_000;

/** @type {readonly Verdict[]} */
const WEAKEST_FIRST = ["failed", "open", "not run", "passed"];

/**
 * Every key that a test may name: spec ids, `field-bug:<id>` and `feature:<id>`.
 *
 * @param {Spec} spec
 * @returns {string[]}
 */
export function keysOfSpec(spec) {
  return [
    ...spec.pages.flatMap((page) => page.ids),
    ...spec.fieldBugs.map((bug) => `field-bug:${bug.id}`),
    ...spec.features.map((feature) => `feature:${feature.id}`),
  ];
}

/**
 * The first words of the spec's ids: what makes a bracketed word in a title an id.
 *
 * @param {Spec} spec
 * @returns {Set<string>}
 */
export function familiesOf(spec) {
  return new Set(spec.pages.flatMap((page) => page.ids.map((id) => id.slice(0, id.indexOf(".")))));
}

/**
 * Judges every key. One failing test fails its claims; a claim that no test names is open.
 * A feature without its own test has the state of the weakest of the claims that prove it.
 *
 * @param {Spec} spec
 * @param {readonly NamedTest[]} tests
 * @returns {Map<string, Proof>}
 */
export function judge(spec, tests) {
  /** @type {Map<string, Proof>} */
  const proofs = new Map(keysOfSpec(spec).map((key) => [key, { verdict: "open", tests: [] }]));
  for (const test of tests) for (const key of test.keys) proofs.get(key)?.tests.push(test);
  for (const proof of proofs.values()) proof.verdict = verdictOf(proof.tests.map((test) => test.status));
  for (const feature of spec.features) {
    const proof = proofs.get(`feature:${feature.id}`);
    if (proof?.verdict !== "open" || feature.provedBy.length === 0) continue;
    const verdicts = new Set(feature.provedBy.map((id) => proofs.get(id)?.verdict ?? "open"));
    proof.verdict = WEAKEST_FIRST.find((verdict) => verdicts.has(verdict)) ?? "open";
  }
  return proofs;
}

/**
 * @param {readonly NamedTest["status"][]} statuses
 * @returns {Verdict}
 */
function verdictOf(statuses) {
  if (statuses.includes("failed")) return "failed";
  if (statuses.includes("passed")) return "passed";
  return statuses.length > 0 ? "not run" : "open";
}

/**
 * The claims and failures from the field that no test names. Features are left out: they follow from their claims.
 *
 * @param {ReadonlyMap<string, Proof>} proofs
 * @returns {string[]}
 */
export function openClaims(proofs) {
  return [...proofs].flatMap(([key, { verdict }]) => (verdict === "open" && !key.startsWith("feature:") ? [key] : []));
}

/**
 * Ids that tests name and the specification does not have.
 *
 * @param {Spec} spec
 * @param {readonly NamedTest[]} tests
 * @returns {string[]} one line for each
 */
export function unknownKeys(spec, tests) {
  const known = new Set(keysOfSpec(spec));
  const lines = tests.flatMap((test) =>
    test.keys
      .filter((key) => !known.has(key))
      .map((key) => `${test.file}: "${test.name}" names ${key}, which docs/spec does not have`),
  );
  return [...new Set(lines)];
}

/**
 * The pages of `docs/conformance`: an index with the totals, and one page for each page of the specification.
 * The same spec and tests give the same bytes.
 *
 * @param {Spec} spec
 * @param {ReadonlyMap<string, Proof>} proofs
 * @returns {Map<string, string>} Markdown by file name
 */
export function renderReport(spec, proofs) {
  const sections = [
    ...spec.pages.map((page) => ({
      name: page.name,
      heading: page.title,
      head: ["id", "tests", "result"],
      rows: page.ids.map((id) => ({ key: id, cells: [`\`${id}\``] })),
    })),
    {
      name: "field-bugs",
      heading: "Failures that users met elsewhere",
      head: ["id", "what happens here", "tests", "result"],
      rows: spec.fieldBugs.map((bug) => ({ key: `field-bug:${bug.id}`, cells: [`\`${bug.id}\``, bug.text] })),
    },
    {
      name: "features",
      heading: "The checklist of features",
      head: ["id", "feature", "proved by", "tests", "result"],
      rows: spec.features.map((feature) => ({
        key: `feature:${feature.id}`,
        cells: [`\`${feature.id}\``, feature.text, feature.provedBy.map((id) => `\`${id}\``).join(" ") || "—"],
      })),
    },
  ];
  const index = [
    "# Conformance",
    "",
    "These pages list the tests that prove each claim of the [specification](../spec/index.md), with their results.",
    "*open*: no test names the claim. *not run*: a test names it, and the available results do not cover that test.",
    "`node scripts/conformance.mjs <vitest-result.json>` writes them.",
    "",
    table(
      ["page", "claims", ...VERDICTS],
      sections.map(({ name, heading, rows }) => [`[${heading}](./${name}.md)`, ...tally(rows, proofs)]),
    ),
  ];
  const pages = new Map([["index.md", `${index.join("\n")}\n`]]);
  for (const { name, heading, head, rows } of sections) {
    const parts = inParts(
      rows.map(({ key, cells }) => {
        const proof = proofs.get(key);
        return [...cells, (proof?.tests ?? []).map(showTest).join("<br>"), proof?.verdict ?? "open"];
      }),
    );
    const intro = `The tests that prove each claim of [this page of the specification](../spec/${name}.md). See also [all results](./index.md).`;
    for (const [index, body] of parts.entries()) {
      const part = parts.length > 1 ? `, part ${index + 1} of ${parts.length}` : "";
      const next = index + 1 < parts.length ? ` The list [continues](./${fileOfPart(name, index + 1)}).` : "";
      const text = `# Conformance: ${heading}${part}\n\n${intro}${next}\n\n${table(head, body)}\n`;
      pages.set(fileOfPart(name, index), text);
    }
  }
  return pages;
}

/**
 * Splits a table that would make its page too large for a browser.
 *
 * @param {readonly string[][]} rows
 * @returns {string[][][]}
 */
function inParts(rows) {
  /** @type {string[][][]} */
  const parts = [[]];
  let size = 0;
  for (const row of rows) {
    size += row.join(" | ").length;
    if (size > partLimit) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(row);
  }
  return parts;
}

/**
 * @param {string} name
 * @param {number} index
 */
function fileOfPart(name, index) {
  return index === 0 ? `${name}.md` : `${name}-${index + 1}.md`;
}

/**
 * @param {readonly { key: string }[]} rows
 * @param {ReadonlyMap<string, Proof>} proofs
 * @returns {string[]} how many rows there are, and how many of each verdict
 */
function tally(rows, proofs) {
  const verdicts = rows.map((row) => proofs.get(row.key)?.verdict ?? "open");
  return [rows.length, ...VERDICTS.map((verdict) => verdicts.filter((v) => v === verdict).length)].map(String);
}

/**
 * @param {NamedTest} test
 * @returns {string}
 */
function showTest(test) {
  const mark = test.status === "passed" ? "" : ` (${test.status})`;
  return `${inCell(test.name)} · \`${test.file}\`${mark}`;
}

/**
 * Escapes a title, so that it is not parsed as Markdown, HTML or a template.
 *
 * @param {string} text
 * @returns {string}
 */
function inCell(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("{", "&#123;")
    .replace(/[\\`*_[\]|]/g, "\\$&");
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @returns {string}
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

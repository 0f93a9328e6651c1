import { describe, expect, test } from "vitest";
import { familiesOf, judge, openClaims, renderReport, unknownKeys } from "./conformance-report.mjs";
import { readSpec } from "./conformance-spec.mjs";
import { joinTests, keysOfTitle, testsOfReport, testsOfSource } from "./conformance-tests.mjs";

// Ids are composed at run time, so that this file's own strings do not count as tests of the real spec.
const id = (/** @type {string} */ name) => `[${name}]`;
const bug = (/** @type {string} */ name) => ["field", `bug:${name}`].join("-");
const feature = (/** @type {string} */ name) => ["feature", name].join(":");

const spec = readSpec(
  new Map([
    [
      "runs",
      `# Runs\n\n| id | stop |\n|---|---|\n| ${id("run.stop.one")} | \`a[0]\` ${id("run.stop.two")} the second |\n`,
    ],
    ["flow", `# Flow\n\n- ${id("flow.r1")} a rule\n- ${id("flow.r2")} another\n`],
    ["index", "# A page without claims\n"],
    ["field-bugs", "# Bugs\n\n| id | area | what |\n|---|---|---|\n| PB-abort-01 | abort | It stops |\n"],
    [
      "features",
      "# Features\n\n## loop\n\n| id | what | proved by |\n|---|---|---|\n| S001 | stops | `run.stop.one` `flow.r1` |\n| X002 | more | — |\n",
    ],
  ]),
);
const families = familiesOf(spec);

/**
 * @param {string} file
 * @param {[title: string, status: string][]} tests
 */
const report = (file, ...tests) => ({
  testResults: [
    {
      name: `/repo/${file}`,
      assertionResults: tests.map(([title, status]) => ({ ancestorTitles: ["outer"], title, status })),
    },
  ],
});

describe("reading the spec", () => {
  test("ids keep the order of their page, and code in brackets is not an id", () => {
    expect(spec.pages.map((page) => [page.name, page.ids])).toEqual([
      ["flow", ["flow.r1", "flow.r2"]],
      ["runs", ["run.stop.one", "run.stop.two"]],
    ]);
    expect(spec.problems).toEqual([]);
  });

  test("field bugs and features keep their rows", () => {
    expect(spec.fieldBugs).toEqual([{ id: "PB-abort-01", area: "abort", text: "It stops" }]);
    expect(spec.features).toEqual([
      { id: "S001", area: "loop", text: "stops", provedBy: ["run.stop.one", "flow.r1"] },
      { id: "X002", area: "loop", text: "more", provedBy: [] },
    ]);
  });

  test("a duplicate id and a feature of unknown claims are problems", () => {
    const broken = readSpec(
      new Map([
        ["a", `# A\n${id("x.y")}`],
        ["b", `# B\n${id("x.y")}`],
        ["features", "| S001 | stops | `x.z` |"],
      ]),
    );
    expect(broken.problems).toEqual([
      `${id("x.y")} is given twice: in a.md and in b.md`,
      "features.md: S001 names `x.z`, which no page has",
    ]);
  });
});

describe("finding tests", () => {
  test("a title may name several claims, once each; other bracketed words are ignored", () => {
    const title = `${id("run.stop.one")}${id("flow.r1")} ${bug("PB-abort-01")} ${feature("S001")} of ${id("index.ts")} ${id("flow.r1")}`;
    expect(keysOfTitle(title, families)).toEqual(["run.stop.one", "flow.r1", bug("PB-abort-01"), feature("S001")]);
  });

  test("results give file, name and status; skipped and planned tests prove nothing", () => {
    const { files, tests } = testsOfReport(
      report(
        "packages/a/a.test.ts",
        [`${id("flow.r1")} holds`, "passed"],
        [`${id("flow.r2")} holds`, "failed"],
        [`${id("run.stop.one")} holds`, "skipped"],
        [`${id("run.stop.two")} holds`, "todo"],
        ["names nothing", "passed"],
      ),
      "/repo",
      families,
    );
    expect([...files]).toEqual(["packages/a/a.test.ts"]);
    expect(tests.map((found) => [found.name, found.keys, found.status])).toEqual([
      ["outer › holds", ["flow.r1"], "passed"],
      ["outer › holds", ["flow.r2"], "failed"],
      ["outer › holds", ["run.stop.one"], "not run"],
      ["outer › holds", ["run.stop.two"], "not run"],
    ]);
  });

  test("sources give the titles of calls and of cases, and no comment or run-time title", () => {
    const source = [
      `test("${id("run.stop.one")} says \\"stop\\"", () => {});`,
      `it.each([\n  ["${id("run.stop.two")} a case", 1],\n])("%s", () => {});`,
      `describe.skipIf(slow)(\n  '${bug("PB-abort-01")}: it stops', () => {});`,
      `// see ${id("flow.r1")}`,
      "test(`[flow.${name}] holds`, () => {});",
    ].join("\n");
    const found = testsOfSource("a.test.ts", source, families);
    expect(found.map((one) => [one.name, one.keys])).toEqual([
      ['says "stop"', ["run.stop.one"]],
      ["it stops", [bug("PB-abort-01")]],
      ["a case", ["run.stop.two"]],
    ]);
  });

  test("a file in a result is not read from its source too", () => {
    const measured = testsOfReport(report("a.test.ts", [`${id("flow.r1")} holds`, "passed"]), "/repo", families);
    const scanned = [
      ...testsOfSource("a.test.ts", `test("${id("flow.r1")} holds")`, families),
      ...testsOfSource("b.test.ts", `test("${id("flow.r2")} holds")`, families),
    ];
    expect(joinTests([measured], scanned).map((one) => [one.file, one.status])).toEqual([
      ["a.test.ts", "passed"],
      ["b.test.ts", "not run"],
    ]);
  });
});

/** @param {[title: string, status: string][]} tests */
const found = (...tests) => testsOfReport(report("a.test.ts", ...tests), "/repo", families).tests;

describe("judging", () => {
  test("one failing test fails its claim, and a claim without a test is open", () => {
    const proofs = judge(
      spec,
      found(
        [id("flow.r1"), "passed"],
        [id("flow.r1"), "failed"],
        [id("flow.r2"), "passed"],
        [id("run.stop.one"), "skipped"],
      ),
    );
    expect(["flow.r1", "flow.r2", "run.stop.one", "run.stop.two"].map((key) => proofs.get(key)?.verdict)).toEqual([
      "failed",
      "passed",
      "not run",
      "open",
    ]);
  });

  test.each([
    [["passed", "passed"], "passed"],
    [["passed", "skipped"], "not run"],
    [["passed"], "open"],
    [["passed", "failed"], "failed"],
  ])("a feature whose claims are %j is %s", (statuses, verdict) => {
    const titles = [id("run.stop.one"), id("flow.r1")];
    const tests = statuses.map((status, index) => /** @type {[string, string]} */ ([titles[index] ?? "", status]));
    expect(judge(spec, found(...tests)).get(feature("S001"))?.verdict).toBe(verdict);
  });

  test("a feature's own test counts by itself, and a feature that nothing proves is open", () => {
    const proofs = judge(spec, found([feature("S001"), "passed"]));
    expect([proofs.get(feature("S001"))?.verdict, proofs.get(feature("X002"))?.verdict]).toEqual(["passed", "open"]);
  });

  test("a claim of a test that the spec does not have is reported with its file", () => {
    expect(unknownKeys(spec, found([`${id("flow.r9")} and ${bug("PB-none-99")}`, "passed"]))).toEqual([
      'a.test.ts: "outer › and" names flow.r9, which docs/spec does not have',
      `a.test.ts: "outer › and" names ${bug("PB-none-99")}, which docs/spec does not have`,
    ]);
  });
});

describe("the page", () => {
  const titles = /** @type {[string, string][]} */ ([
    [`${id("flow.r1")} keeps a|b <T> {{x}}`, "passed"],
    [`${id("flow.r2")} ${bug("PB-abort-01")} stops`, "failed"],
  ]);

  test("shows totals, tests and results, with titles that cannot break the table", () => {
    const pages = renderReport(spec, judge(spec, found(...titles)));
    expect(pages.get("index.md")).toContain("| claims | passed | failed | not run | open |");
    expect(pages.get("index.md")).toContain("| [Flow](./flow.md) | 2 | 1 | 1 | 0 | 0 |");
    expect(pages.get("flow.md")).toContain("(../spec/flow.md)");
    expect(pages.get("flow.md")).toContain(
      "| `flow.r1` | outer › keeps a\\|b &lt;T> &#123;&#123;x}} · `a.test.ts` | passed |",
    );
    expect(pages.get("field-bugs.md")).toContain(
      "| `PB-abort-01` | It stops | outer › stops · `a.test.ts` (failed) | failed |",
    );
    expect(pages.get("features.md")).toContain("| `S001` | stops | `run.stop.one` `flow.r1` |  | open |");
  });

  test("is the same in any order of the results", () => {
    const results = titles.map((title, index) => testsOfReport(report(`${index}.test.ts`, title), "/repo", families));
    const forwards = renderReport(spec, judge(spec, joinTests(results, [])));
    const backwards = renderReport(spec, judge(spec, joinTests(results.toReversed(), [])));
    expect([...backwards]).toEqual([...forwards]);
  });
});

test("claims that no test names are listed, features left out; a test that did not run names its claim", () => {
  const proofs = judge(spec, found([id("flow.r1"), "skipped"], [id("flow.r2"), "failed"]));
  expect(openClaims(proofs)).toEqual(["run.stop.one", "run.stop.two", bug("PB-abort-01")]);
});

import { expect, test } from "vitest";
import { call, coderOf, contentOf, openProject } from "./project.test.helper.ts";

/** A function, its wrong and its right body, a call, and the expected result. */
type Bug = readonly [name: string, wrong: string, right: string, use: string, result: string];

const bugs: readonly Bug[] = [
  ["add", "a - b", "a + b", "add(1, 2)", "3"],
  ["max", "a < b ? a : b", "a > b ? a : b", "max(1, 2)", "2"],
  ["last", "a[a.length]", "a[a.length - 1]", "last([1, 2])", "2"],
  ["isEven", "a % 2 === 1", "a % 2 === 0", "isEven(4)", "true"],
  ["greet", '"Hello " + a', '"Hello, " + a', 'greet("Ada")', '"Hello, Ada"'],
  ["sum", "a.reduce((x, y) => x + y)", "a.reduce((x, y) => x + y, 0)", "sum([])", "0"],
  ["trim", "a.trimStart()", "a.trim()", 'trim(" x ")', '"x"'],
  ["price", '"$" + a', '"$" + a.toFixed(2)', "price(5)", '"$5.00"'],
  ["first", "a[1]", "a[0]", "first([7, 8])", "7"],
  ["abs", "a", "a < 0 ? -a : a", "abs(-3)", "3"],
];

/** Three layouts of a project. */
const layouts: readonly ((bug: Bug) => {
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  readonly run: string;
})[] = [
  ([name, wrong, , use, result]) => ({
    path: `${name}.js`,
    files: {
      "package.json": `{ "type": "module" }\n`,
      [`${name}.js`]: `export const ${name} = (a, b) => ${wrong};\n`,
      "test.js": `import { ${name} } from "./${name}.js";\nif (${use} !== ${result}) throw new Error("wrong");\n`,
    },
    run: "node test.js",
  }),
  ([name, wrong, , use, result]) => ({
    path: `lib/${name}.cjs`,
    files: {
      [`lib/${name}.cjs`]: `exports.${name} = (a, b) => ${wrong};\r\n`,
      "test/all.test.cjs": `const test = require("node:test");\nconst { ${name} } = require("../lib/${name}.cjs");\ntest("it", () => { if (${use} !== ${result}) throw new Error("wrong"); });\n`,
    },
    run: "node --test test/all.test.cjs",
  }),
  ([name, wrong, , use, result]) => ({
    path: `src/${name}.js`,
    files: {
      [`src/${name}.js`]: `const ${name} = (a, b) => ${wrong};\n`,
      "check.sh": `cat src/${name}.js > /tmp/all.cjs\necho 'if (${use} !== ${result}) process.exit(1)' >> /tmp/all.cjs\nnode /tmp/all.cjs\n`,
    },
    run: "sh check.sh",
  }),
];

const all = bugs.flatMap((bug) =>
  layouts.map((layout, index) => ({ title: `${bug[0]} ${index}`, bug, ...layout(bug) })),
);
const day = Math.floor(Date.now() / 86_400_000);
/** Two of the thirty in CI, chosen by the day; all at night. */
const chosen =
  process.env["BAILIWICK_WHOLE"] === undefined ? [0, 1].map((offset) => all[(day * 2 + offset) % all.length]!) : all;

test.each(chosen)(
  "an honest repair has exactly one question: $title [workspace.apply]",
  async ({ bug, files, path, run }) => {
    const { folder, ws } = await openProject(files);
    const [, wrong, right] = bug;
    const { coder } = coderOf(ws, [
      call("bash", { command: run }),
      call("read", { file_path: path }),
      call("edit", { file_path: path, old_string: wrong, new_string: right }),
      call("bash", { command: run }),
      call("apply_changes", { summary: "It is repaired." }),
      "Done.",
    ]);
    const asked = await coder.run("The test fails. Fix it.");
    expect(String(asked.toolCalls[0]?.output)).toContain("[exit code 1]");
    expect(String(asked.toolCalls[3]?.output)).not.toContain("[exit code 1]");
    expect(asked.interruptions).toHaveLength(1);
    const done = await coder.resume(asked.runId, [asked.interruptions[0]!.approve()]);
    expect([done.status, done.interruptions.length]).toEqual(["completed", 0]);
    expect(contentOf(folder)).toEqual({ ...files, [path]: files[path]!.replace(wrong, right) });
  },
);

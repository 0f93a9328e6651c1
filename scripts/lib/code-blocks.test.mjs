import { expect, test } from "vitest";
import { blocksOfMarkdown, blocksOfSource } from "./code-blocks.mjs";

const fence = "```";

test("blocks of other languages are left alone, lines are counted from 1", () => {
  const page = `# Page\n\n${fence}sh\nnpm start\n${fence}\n\n${fence}ts\nconst a = 1;\n${fence}\n`;
  expect(blocksOfMarkdown("a.md", page)).toEqual([
    {
      file: "a.md",
      line: 8,
      code: "const a = 1;",
      language: "ts",
      name: undefined,
      runs: false,
      isKilled: false,
      beside: [],
      files: {},
      prints: [],
      model: undefined,
    },
  ]);
});

test("a mark before a block names its file or makes it run twice, and applies to this block only", () => {
  const code = `${fence}ts\nconst a = 1;\n${fence}\n`;
  const page = `<!-- file: payments.ts -->\n\n${code}\n<!-- killed -->\n\n${code}\n${code}`;
  expect(blocksOfMarkdown("a.md", page)).toMatchObject([
    { name: "payments.ts", runs: false, isKilled: false },
    { name: undefined, runs: true, isKilled: true },
    { name: undefined, runs: false, isKilled: false },
  ]);
});

test("a mark names the processes that run beside a block", () => {
  const code = `${fence}ts\nconst a = 1;\n${fence}\n`;
  expect(
    blocksOfMarkdown("a.md", `<!-- beside: web.ts, worker.ts -->\n<!-- runs -->\n\n${code}\n${code}`),
  ).toMatchObject([
    { runs: true, beside: ["web.ts", "worker.ts"] },
    { runs: false, beside: [] },
  ]);
});

test("a block that runs has the script of its model", () => {
  const page = `<!-- model: ["Hello."] -->\n<!-- runs -->\n\n${fence}ts\nawait 1;\n${fence}\n`;
  expect(blocksOfMarkdown("a.md", page)).toMatchObject([{ runs: true, model: ["Hello."], line: 5 }]);
});

test("a script that is not valid JSON is reported with its location", () => {
  const page = `<!-- model: Hello. -->\n<!-- runs -->\n${fence}ts\n${fence}\n`;
  expect(() => blocksOfMarkdown("a.md", page)).toThrow("a.md:4");
});

test("examples are taken from doc comments only", () => {
  const source = `/**\n * Adds.\n *\n * @example\n * ${fence}ts\n * add(1);\n * ${fence}\n */\nconst text = "\\n${fence}ts";\n`;
  expect(blocksOfSource("a.ts", source)).toMatchObject([{ line: 6, code: "add(1);" }]);
});

test("the comments after console.log are the expected output of a block, if the page marks them", () => {
  const code = `${fence}ts\nconsole.log(1 + 1); // 2\nconst a = 1; // one\n${fence}\n`;
  expect(blocksOfMarkdown("a.md", `<!-- prints -->\n\n${code}${code}`).map(({ prints }) => prints)).toEqual([
    ["2"],
    [],
  ]);
});

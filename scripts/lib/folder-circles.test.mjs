import { expect, test } from "vitest";
import { folderCircles } from "./folder-circles.mjs";

/** @type {(files: Record<string, string>) => string[]} */
const circles = (files) => folderCircles(Object.entries(files).map(([path, text]) => ({ path, text })));

test("files and folders that import downwards only are not a circle", () => {
  expect(
    circles({
      "p/src/index.ts": 'export * from "./a/one.ts";\nexport * from "./b.ts";',
      "p/src/a/one.ts": 'import { two } from "./two.ts";\nimport { b } from "../b.ts";',
      "p/src/a/two.ts": 'import { b } from "../b.ts";\nimport "outside";',
      "p/src/b.ts": "",
    }),
  ).toEqual([]);
});

test("two folders that import each other are reported with an import of each, types included", () => {
  expect(
    circles({
      "p/src/a/one.ts": 'import { x } from "../b/x.ts";',
      "p/src/a/two.ts": "",
      "p/src/b/x.ts": "",
      "p/src/b/y.ts": 'import type { Two } from "../a/two.ts";',
    }),
  ).toEqual([
    "p/src: a, b import each other\n  p/src/a/one.ts imports p/src/b/x.ts\n  p/src/b/y.ts imports p/src/a/two.ts",
  ]);
});

test("a circle of files inside a folder is reported, however many take part", () => {
  const [told, ...others] = circles({
    "p/src/a/one.ts": 'import "./two.ts";',
    "p/src/a/two.ts": 'export * from "./three.ts";',
    "p/src/a/three.ts": 'const one = await import("./one.ts");',
    "p/src/a/four.ts": 'import "./one.ts";',
  });
  expect(told).toContain("p/src/a: one.ts, three.ts, two.ts import each other");
  expect(others).toEqual([]);
});

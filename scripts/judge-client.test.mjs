import { expect, test } from "vitest";
import { judgeClient } from "./lib/judge-client.mjs";

const results = [
  { name: "one", passed: true },
  { name: "two", passed: false, detail: "no answer" },
];

test("a client passes if exactly its listed failures fail", () => {
  expect(judgeClient(results, { two: "The extension is not offered." }).problems).toEqual([]);
});

test("an unlisted failure, a listed pass, a listed name that did not run, and a missing reason are problems", () => {
  expect(judgeClient(results, {}).problems).toEqual(["two failed.\nno answer"]);
  const reason = "The extension is not offered.";
  expect(judgeClient(results, { one: reason, two: reason }).problems.join()).toContain("one passes");
  expect(judgeClient(results, { two: reason, three: reason }).problems.join()).toContain(
    "three is an expected failure and did not run",
  );
  expect(judgeClient(results, { two: "" }).problems.join()).toContain("without a reason");
  expect(judgeClient([], {}).problems).toEqual(["There are no results."]);
});

import { expect, test } from "vitest";
import { isRecordKey } from "./lookup-keys.ts";

test("a record's key is a number or a short word without blanks, but not an address [questions.selected]", () => {
  const accepted = ["FH-10191", "a", 10_191];
  const refused = [
    null,
    true,
    {},
    "FH 10191",
    "x".repeat(65),
    "https://evil.example",
    "//evil.example",
    "http:evil.example",
    "http:\\evil.example",
  ];
  expect(accepted.filter((value) => !isRecordKey("orderId", value))).toEqual([]);
  expect(refused.filter((value) => isRecordKey("orderId", value))).toEqual([]);
  expect(isRecordKey("note", "FH-10191")).toBe(false);
});

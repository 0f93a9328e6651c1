import { expect, test } from "vitest";
import { isLookalike } from "./lookalike.ts";

test("a value resembles another one in letters of other scripts, in I and l, and in one character of a destination or a long word [questions.level]", () => {
  for (const [value, known] of [
    ["аnna", "anna"],
    ["pauI", "paul"],
    ["o0", "00"],
    ["anna@kontor.example", "anna@kontcr.example"],
    ["https://kontor.example/a", "https://kontor.example/b"],
    ["kontaor", "kontoar"],
  ] as const)
    expect([value, known, isLookalike(value, known)]).toEqual([value, known, true]);
});

test("equal values, other words, and other endings of a word do not resemble each other [questions.level]", () => {
  for (const [value, known] of [
    ["anna", "Anna"],
    ["", "anna"],
    ["anna", ""],
    ["anna", "otto"],
    ["kabnord", "kcanord"],
    ["refund", "refunds"],
    ["7", "8"],
  ] as const)
    expect([value, known, isLookalike(value, known)]).toEqual([value, known, false]);
});

import { expect, test } from "vitest";

import { matchesTemplate } from "./match-template.ts";

const field = { ref: { tool: "get", path: "x" } };
const none = (): undefined => undefined;

test("texts between holes are taken literally, and only a text can be a template [grants.template]", () => {
  const hi = { template: "Hi (a.b)* {x}!", holes: { x: { words: 2 } } };
  expect(matchesTemplate("Hi (a.b)* dear Ann!", hi, none)).toBe(true);
  expect(matchesTemplate("Hi (aXb)* dear Ann!", hi, none)).toBe(false);
  expect(matchesTemplate("Hi (a.b)* dear Ann! And more", hi, none)).toBe(false);
  expect(matchesTemplate(7, { template: "7", holes: {} }, none)).toBe(false);
  expect(matchesTemplate(["Hi"], { template: "Hi", holes: {} }, none)).toBe(false);
  expect(matchesTemplate("Hi", { template: "Hi", holes: {} }, none)).toBe(true);
});

test("a hole without a description matches nothing, regardless of its name [grants.template]", () => {
  expect(matchesTemplate("Hi Ann", { template: "Hi {x}", holes: {} }, none)).toBe(false);
  expect(matchesTemplate("Hi Ann", { template: "Hi {toString}", holes: {} }, none)).toBe(false);
  expect(matchesTemplate("Hi ", { template: "Hi {constructor}", holes: {} }, () => "")).toBe(false);
});

test("a hole takes the value of its field, unless the value is a link, a long text or empty [grants.template]", () => {
  const paid = { template: "Paid {x}.", holes: { x: field } };
  const fits = (text: string, value: string | undefined): boolean => matchesTemplate(text, paid, () => value);
  expect(fits("Paid 12.50 (net).", "12.50 (net)")).toBe(true);
  expect(fits("Paid 13.", "12")).toBe(false);
  expect(fits("Paid undefined.", undefined)).toBe(false);
  expect(fits("Paid .", undefined)).toBe(false);
  expect(fits("Paid https://a.example.", "https://a.example")).toBe(false);
  expect(fits("Paid a@b.example.", "a@b.example")).toBe(false);
  const long = (length: number): boolean => fits(`Paid ${"x".repeat(length)}.`, "x".repeat(length));
  expect([long(200), long(201)]).toEqual([true, false]);
});

test("words fill their hole up to their number and length [grants.template]", () => {
  const two = { template: "{a}: {b}", holes: { a: { words: 1 }, b: { words: 2 } } };
  expect(matchesTemplate("Ann: one two", two, none)).toBe(true);
  expect(matchesTemplate("Ann Bob: one two", two, none)).toBe(false);
  expect(matchesTemplate("Ann: one two three", two, none)).toBe(false);
  const one = { template: "{a}", holes: { a: { words: 1 } } };
  expect([24, 25].map((length) => matchesTemplate("x".repeat(length), one, none))).toEqual([true, false]);
});

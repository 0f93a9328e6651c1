import { expect, test } from "vitest";

import { extractEach, extractForm } from "./extract-form.ts";

const iban = "DE89370400440532013000";

test("an invalid form gives no value, alone or before another; a text without a form is skipped [grants.extraction]", () => {
  expect(extractForm("iban", [`To ${iban}.`])).toBe(iban);
  expect(extractForm("iban", ["Hello.", `To ${iban}.`])).toBe(iban);
  expect(extractForm("iban", ["To DE88370400440532013000.", `To ${iban}.`])).toBeUndefined();
  expect(extractForm("iban", ["Hello."])).toBeUndefined();
  expect(extractForm("iban", [])).toBeUndefined();
});

test("a repeated value counts once; a second value in another text makes the extraction fail [grants.extraction]", () => {
  expect(extractForm("email", ["a@b.example", "Write to a@b.example!"])).toBe("a@b.example");
  expect(extractForm("email", ["a@b.example", "c@b.example"])).toBeUndefined();
  expect(extractForm("amount", ["12.50", "12.50"])).toBe(12.5);
  expect(extractForm("date", ["2026-03-01", "2026-03-02"])).toBeUndefined();
});

test("each value of a form parses, without the sentence's punctuation [grants.extraction.each]", () => {
  const texts = ["See www.a.example, and https://b.example/x?y=1.", "c (dot) example", "Again www.a.example!"];
  expect(extractForm("url", texts)).toBeUndefined();
  expect(new Set(extractEach("url", texts))).toEqual(new Set(["www.a.example", "https://b.example/x?y=1"]));
  expect(extractEach("iban", [`${iban} and DE88370400440532013000`])).toEqual([iban]);
  expect(extractEach("amount", ["12.50 and 3"])).toEqual([12.5, 3]);
  expect(extractEach("email", ["anna (at) firma.de"])).toEqual([]);
});

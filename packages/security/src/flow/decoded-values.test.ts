import { expect, test } from "vitest";

import { decodes } from "./decoded-values.ts";

const iban = "DE89370400440532013000";
const hex = [...iban].map((letter) => letter.charCodeAt(0).toString(16)).join("");

test.each([
  ["Base64", btoa(iban)],
  ["Base64 for URLs", btoa(`${iban}?>`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")],
  ["hexadecimal digits", hex],
  ["percent signs", `%44%45${iban.slice(2)}`],
  ["reversed letters", [...iban].toReversed().join("")],
  ["rotated letters", `QR${iban.slice(2)}`],
])("a value in %s is the argument of a decoder [questions.selected]", (_how, written) => {
  expect(decodes(iban, written)).toBe(true);
  expect(decodes("DE89370400440532013001", written)).toBe(false);
});

test("input that is not an encoding, or not text, decodes to nothing [questions.selected]", () => {
  expect(decodes(250, btoa("250"))).toBe(true);
  expect(decodes("", "")).toBe(false);
  expect(decodes(250, 250)).toBe(false);
  expect(decodes("x", "////")).toBe(false);
  expect(decodes("x", "ffff")).toBe(false);
  expect(decodes("card-ada", "FH-10191")).toBe(false);
});

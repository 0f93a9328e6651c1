import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { piiKinds, type PiiKind } from "./detectors.ts";
import { findPii, replacePii } from "./find-pii.ts";

const all: ReadonlySet<PiiKind> = new Set(piiKinds);
const found = (text: string): readonly (readonly [PiiKind, string])[] =>
  findPii(text, all).map(({ kind, value }) => [kind, value] as const);

describe("personal data is found by its form [guardrails.pii.kinds]", () => {
  const cases: readonly (readonly [PiiKind, string])[] = [
    ["email", "ada.lovelace+mail@example.co.uk"],
    ["email", "jürgen@müller.example"],
    ["phone", "+49 30 901820"],
    ["phone", "+1-555-010-9999"],
    ["phone", "(555) 010-9999"],
    ["phone", "555-010-9999"],
    ["phone", "020 7946 0958"],
    ["iban", "DE89 3704 0044 0532 0130 00"],
    ["iban", "GB82WEST12345698765432"],
    ["iban", "no93 8601 1117 947"],
    ["credit-card", "4111 1111 1111 1111"],
    ["credit-card", "378282246310005"],
    ["credit-card", "5555-5555-5555-4444"],
    ["ip-address", "203.0.113.7"],
    ["ip-address", "2001:db8::8a2e:370:7334"],
    ["ip-address", "::ffff:192.0.2.1"],
    ["us-ssn", "219-09-9999"],
    ["us-ssn", "219 09 9999"],
  ];
  for (const [kind, value] of cases) {
    test(`${kind}: ${value}`, () => {
      for (const text of [value, `It is ${value}.`, `(${value})`, `${value}, and more`, `a: "${value}"\nb`])
        expect(found(text)).toEqual([[kind, value]]);
    });
  }

  test("personal data is found in every spacing and spelling", () => {
    expect(found("４１１１ 1111\u00A01111\u20111111")).toEqual([["credit-card", "４１１１ 1111\u00A01111\u20111111"]]);
    expect(found("ada\u200B@example.com!")).toEqual([["email", "ada\u200B@example.com"]]);
  });

  test("text that only looks like personal data is unchanged", () => {
    for (const text of [
      "4111 1111 1111 1112",
      "DE89 3704 0044 0532 0130 02",
      "order 2026-11-21, 10:30",
      "on 2026-11-21 10",
      "invoice 100200300400500600700",
      "version 1.2.3, 300.1.1.1, 01.2.3.4",
      "std::vector a::b",
      "000-12-3456 666-12-3456 912-34-5678 219-00-1234 219-09-0000",
      "1042, 17, 99.50",
      "1700000000000",
      "user@localhost @example.com",
      "",
    ]) {
      expect(found(text)).toEqual([]);
    }
  });

  test("several kinds are found in one text, each once, and only the requested kinds", () => {
    const text = "ada@example.com, 203.0.113.7, IBAN DE89370400440532013000 OF ADA";
    expect(found(text).map(([kind]) => kind)).toEqual(["email", "ip-address", "iban"]);
    expect(replacePii(text, new Set<PiiKind>(["email"]), ({ kind }) => `<${kind}>`)).toBe(
      "<email>, 203.0.113.7, IBAN DE89370400440532013000 OF ADA",
    );
    expect(found("5555 4111111111111111 0").map(([kind]) => kind)).toEqual(["credit-card"]);
    expect(replacePii(text, all, ({ kind }) => `<${kind}>`)).toBe("<email>, <ip-address>, IBAN <iban> OF ADA");
  });
});

test("every card number with a right check digit is found, and none with a wrong one [guardrails.pii.kinds]", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("4", "51", "2221", "34", "6011"),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 12, maxLength: 12 }),
      (prefix, rest) => {
        const body = (prefix + rest.join("")).slice(0, 15);
        const valid = Array.from({ length: 10 }, (_, digit) => body + String(digit)).filter(
          (number) => findPii(number, new Set<PiiKind>(["credit-card"])).length === 1,
        );
        expect(valid).toHaveLength(1);
      },
    ),
    { numRuns: 300 },
  );
});

test("found data is removed from the text completely, for any context [guardrails.pii.kinds]", () => {
  const values = ["ada@example.com", "4111111111111111", "DE89370400440532013000", "203.0.113.7", "+49 30 901820"];
  fc.assert(
    fc.property(fc.constantFrom(...values), fc.string(), fc.string(), (value, before, after) => {
      const text = `${before} ${value} ${after}`;
      expect(replacePii(text, all, () => "")).not.toContain(value);
    }),
    { numRuns: 500 },
  );
});

test("a long text of partial matches is scanned in linear time", () => {
  for (const piece of ["a.", "1 ", "1-", "::", "a@", "DE89 ", "(1)", "1."])
    expect(findPii(piece.repeat(50_000), all).length).toBeLessThan(50_000);
});

import { expect, test } from "vitest";

import { defang } from "./r6-payload.ts";

test("[flow.r6] a link is inert whatever its scheme is, its host is, or its characters are written as", () => {
  const inert: readonly (readonly [given: string, expected: string])[] = [
    ["smb://files/x", "smb[:]//files/x"],
    ["vscode://a.b/x", "vscode[:]//a[.]b/x"],
    ["ms-msdt:/id", "ms-msdt[:]/id"],
    ["SIP:eve@evil", "SIP[:]eve@evil"],
    ["intent:a#b", "intent[:]a#b"],
    ["xhttps://evil/p", "xhttps[:]//evil/p"],
    ["![a](//134744072/p)", "![a]([/][/]134744072/p)"],
    ["![a](\\\\0x8080808/p)", "![a]([/][/]0x8080808/p)"],
    ["![a](//[2606:4700::1111]/p)", "![a]([/][/][2606:4700::1111]/p)"],
    ["https&#58;&#x2F;&sol;evil&period;example", "https&amp;#58;&amp;#x2F;&amp;sol;evil&amp;period;example"],
    ["\\\\files.evil.example\\x", "\\\\files[.]evil[.]example\\x"],
  ];
  for (const [given, expected] of inert) {
    expect(
      defang(given, () => false),
      given,
    ).toBe(expected);
    expect(
      defang(given, () => true),
      given,
    ).toBe(expected.includes("&amp;") ? expected : given);
  }
  const plain = [
    "and/or, a // comment, 1:2, note: this",
    "fish &amp; chips &copy; AT&T",
    "8//3 // 42, 10/12/2026, //todo",
    "std::vector, key:value",
  ];
  for (const text of plain)
    expect(
      defang(text, () => false),
      text,
    ).toBe(text);
  // No text takes longer than its length.
  for (const text of ["a", "a.", "a-", "a+", "a@", "/", "\\", "1.", "&#"])
    expect(defang(`${text.repeat(100_000)} .`, () => false).length).toBeGreaterThan(100_000);
});

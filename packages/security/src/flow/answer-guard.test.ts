import { expect, test } from "vitest";

import { guardAnswer } from "./answer-guard.ts";

const sources = {
  userTexts: ["https://mine.example/a and https://mine.example/(b) or mailto:ann@mine.example"],
  resultTexts: () => [],
};
const options = { allowedHosts: ["ours.example"] };

function whole(text: string): string {
  const guard = guardAnswer(options, sources);
  return guard.push(text) + guard.end();
}

/** Cut in two at any place, and character by character. */
function cut(text: string): readonly string[] {
  const one = guardAnswer(options, sources);
  const letters = Array.from(text, (letter) => one.push(letter)).join("") + one.end();
  return [
    letters,
    ...Array.from({ length: text.length }, (_, at) => {
      const guard = guardAnswer(options, sources);
      return guard.push(text.slice(0, at)) + guard.push(text.slice(at)) + guard.end();
    }),
  ];
}

const kept = [
  "![a](https://ours.example/i)",
  '![a b](https://ours.example/i "t")',
  "![a](<https://ours.example/i>)",
  "[a](https://mine.example/a)",
  "[a](<https://mine.example/a>)",
  "[a]( https://mine.example/a 't')",
  "[a](https://mine.example/(b))",
  "[a](#b)",
  "[1]: https://mine.example/a",
  "> [1]:\n> /docs/b",
  "x [see] y]: //evil.example",
  "note]: said",
  "<b>[1]: //evil.example",
  "[1]: word",
  "<https://mine.example/a>",
  "<mailto:ann@mine.example>",
  "<b>",
  "</b>",
  "</b >",
  '<a href="https://mine.example/a">',
  "<!-- c -->",
  "<? p ?>",
  "a < b, a <5, <",
  "a <5",
  "a <5@b",
  "either/or x/ y/",
  "mailto:ann xmpp:bob, mailto:ann",
  "mailto:ann@mine.example",
  "mailto: ann, mailto:",
  "// a comment, //todo, a//b, 8//3, c:// d, //a.b",
  "https://mine.example/a..., **https://mine.example/a**, _https://mine.example/a_.",
  "https://mine.example/a",
  "(https://mine.example/a).",
  '(**"https://mine.example/a"**) https://mine.example/a`)."',
  "[https://mine.example/a](https://mine.example/a)",
  "see [it: https://mine.example/a](#b).",
  "xhttps://mine.example/a",
  "a:b a://b.c foo://bar.baz :/ :// ://x",
  "w ww www wwx www",
  "! ] : [ ]x !x",
];

test("the guard passes allowed constructs unchanged, at once [flow.r8] [flow.r8.links]", () => {
  for (const text of kept) {
    expect(whole(text), text).toBe(text);
    for (const pieces of cut(text)) expect(pieces, text).toBe(text);
    // Decided text is not held back.
    expect(guardAnswer(options, sources).push("at 10:30")).toBe("at 10:30");
    const guard = guardAnswer(options, sources);
    expect(guard.push(`${text} .\n\n.`), text).toBe(`${text} .\n\n.`);
  }
});

const inert: readonly (readonly [given: string, expected: string])[] = [
  ["![a](https://evil.example/i)", "!\\[a]\\(https[:]//evil[.]example/i)"],
  ["![a](https://mine.example/a)", "!\\[a](https://mine.example/a)"],
  ["![a](https://ours.example/i", "!\\[a]\\(https://ours.example/i"],
  ["![a\nb](https://ours.example/i)", "!\\[a\nb](https://ours.example/i)"],
  ["![a", "!\\[a"],
  ["[a](//evil.example/p)", "[a]\\([/]/evil.example/p)"],
  ["[a](//evil.example/p", "[a]\\([/]/evil.example/p"],
  ["[a](https://mine.example/a", "[a]\\(https://mine.example/a"],
  ["[a](<//evil.example/p>)", "[a]\\(&lt;[/]/evil.example/p>)"],
  ["[a](<https://mine.example/a", "[a]\\(&lt;https://mine.example/a"],
  ["[a]()", "[a]\\()"],
  // The shown address is only the beginning of the target that a viewer opens.
  ["[a](<https://mine.example/a)b>)", "[a]\\(&lt;https[:]//mine[.]example/a)b>)"],
  ["[a](https://mine.example/(b)secret)", "[a]\\(https[:]//mine[.]example/(b)secret)"],
  ["[1]: //evil.example/p", "[1]\\: [/]/evil.example/p"],
  ["[1]:\n \\/evil.example/p\n", "[1]\\:\n \\/evil.example/p\n"],
  ["> - 1. [1]: <//evil.example>", "> - 1. [1]\\: &lt;//evil.example>"],
  ["x\n[1]: &sol;/evil.example/p", "x\n[1]\\: &sol;/evil.example/p"],
  ["[a\nb]: data:x", "[a\nb]\\: data:x"],
  ["[1]: https://evil.example", "[1]\\: https[:]//evil[.]example"],
  ["<img", "&lt;img"],
  ["<b x>", "&lt;b x>"],
  ["</b x>", "&lt;/b x>"],
  ["</", "&lt;/"],
  ['<img src="https://evil.example/p">', '&lt;img src="https[:]//evil[.]example/p">'],
  ["<https://evil.example>", "&lt;https[:]//evil[.]example>"],
  ["<ftp://mine.example>", "&lt;ftp[:]//mine[.]example>"],
  ["https://evil.example/p.", "https[:]//evil[.]example/p."],
  ["WSS://evil.example, x", "WSS[:]//evil[.]example, x"],
  ["xhttp://evil.example", "xhttp[:]//evil[.]example"],
  ["wwww.evil.example/p", "wwww[.]evil[.]example/p"],
  ["www.a.exampleftp://b.example", "www[.]a[.]exampleftp[:]//b[.]example"],
  ['"https://mine.example/a"b', '"https[:]//mine[.]example/a"b'],
  ["(https://mine.example/a)]b", "(https[:]//mine[.]example/a)]b"],
  ["'https://mine.example/a',b", "'https[:]//mine[.]example/a',b"],
  ["(https://mine.example/a)))).", "(https[:]//mine[.]example/a))))."],
  // Some viewers end the label elsewhere, or the target is forbidden.
  ["https://mine.example/a](#b)", "https[:]//mine[.]example/a](#b)"],
  ["[`https://mine.example/a](#b)", "[`https[:]//mine[.]example/a](#b)"],
  ["\\[https://mine.example/a](#b)", "\\[https[:]//mine[.]example/a](#b)"],
  ["[a](#c) https://mine.example/a](#b)", "[a](#c) https[:]//mine[.]example/a](#b)"],
  ['[https://mine.example/a]"b', '[https[:]//mine[.]example/a]"b'],
  ['[https://mine.example/a]"#b)', '[https[:]//mine[.]example/a]"#b)'],
  ["[https://mine.example/a](#b", "[https[:]//mine[.]example/a]\\(#b"],
  ["[https://mine.example/a](x:b)", "[https[:]//mine[.]example/a]\\(x:b)"],
  // Brackets that make one link inert are not the beginning of another.
  ["https://a!.(//134744072/p)", "https[:]//a!\\[.]\\(//134744072/p)"],
  ["www.a!.(//134744072/p)", "www[.]a!\\[.]\\(//134744072/p)"],
  ["[x https://a.(//134744072/p)", "[x https[:]//a[.]\\(//134744072/p)"],
  ["https://a.[b]", "https[:]//a[.]\\[b]"],
  ["https://a.:80/p", "https[:]//a[.]\\:80/p"],
  // Nested links, and text that some viewers include in a link.
  ["https://evil.example/mailto:a@b.example", "https[:]//evil[.]example/mailto[:]a@b[.]example"],
  ["https://mine.example/a_~_~", "https[:]//mine[.]example/a_~_~"],
  ["https://mine.example/a>b", "https[:]//mine[.]example/a>b"],
  ["https://mine.example/a<secret", "https://mine.example/a &lt;secret"],
  ["www.mine.example<secret x", "www[.]mine[.]example&lt;secret x"],
  // Links without a scheme, or with one that few viewers know.
  ["//evil.example/p", "[/]/evil.example/p"],
  ["!//evil.example?p", "!\\[/]/evil.example?p"],
  ["//ann@evil.example", "[/]/ann@evil.example"],
  ["[:]//evil.example/p", "[:][/]/evil.example/p"],
  ["<vscode://evil.example>", "&lt;vscode://evil.example>"],
  ["<x-app:secret>", "&lt;x-app:secret>"],
  ["<?cc=eve@evil.example>", "&lt;?cc=eve@evil.example>"],
  ["<5@evil.example>", "&lt;5@evil.example>"],
  ["https://ann@evil.example/p", "https[:]//ann@evil[.]example/p"],
  ["mailto:eve@evil.example?body=secret", "mailto[:]eve@evil[.]example?body=secret"],
  ["(xmpp:eve@evil.example)", "(xmpp[:]eve@evil[.]example)"],
  ["mailto://evil.example/p/mailto:a@b.example", "mailto[:]//evil[.]example/p/mailto[:]a@b[.]example"],
];

test("the guard makes forbidden constructs inert, for any cut of the stream [flow.r8] [flow.r8.links] [flow.r8.streams]", () => {
  for (const [given, expected] of inert) {
    expect(whole(given), given).toBe(expected);
    for (const pieces of cut(given)) expect(pieces, given).toBe(expected);
  }
  const none = guardAnswer({}, sources);
  expect(none.push("![a](https://ours.example/i) ")).toBe("!\\[a]\\(https[:]//ours[.]example/i) ");
});

test("text that is too long for a link or a tag is released as plain text [flow.r8.streams]", () => {
  const long = "a".repeat(5_000);
  for (const [given, expected] of [
    [`https://${long}.example`, `https[:]/[/]${long}.example`],
    [`https://a.${long}.example`, `https[:]/[/]a.${long}.example`],
    [`[a](${long}`, `[a]\\(${long}`],
    [`![${long}](https://ours.example/i)`, `!\\[${long}](https://ours.example/i)`],
    [`<b ${long}>`, `&lt;b ${long}>`],
    // The guard forgets how a long line began, although it could be a link.
    [`${"a".repeat(4_096)}<b x>`, `${"a".repeat(4_096)} &lt;b x>`],
    [`${"a".repeat(4_095)}<b x>`, `${"a".repeat(4_095)}&lt;b x>`],
    [`[1]: //${long}`, `[1]\\: //${long}`],
    [`(https://mine.example/a${")".repeat(5_000)}b`, `(https[:]//mine[.]example/a${")".repeat(5_000)}b`],
  ] as const) {
    const guard = guardAnswer(options, sources);
    expect(guard.push(given), given.slice(0, 9)).toBe(expected);
    expect(guard.end()).toBe("");
    const pieces = guardAnswer(options, sources);
    let out = "";
    for (let at = 0; at < given.length; at += 7) out += pieces.push(given.slice(at, at + 7));
    expect(out + pieces.end(), given.slice(0, 9)).toBe(expected);
  }
});

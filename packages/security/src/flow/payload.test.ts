import type { Grant } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";

import { defang } from "./r6-payload.ts";
import { calls, made, readMail, run } from "./world.test.helper.ts";
import type { Made, Ran } from "./world.test.helper.ts";

test("a link is made inert for any scheme, host or spelling [flow.r6]", () => {
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
    // Brackets that make one link inert are not the beginning of another, and one link may be within another.
    ["https://a!.(//134744072/p)", "hxxps[:]//a!\\[.]\\(//134744072/p)"],
    ["javascript:(//134744072/p)", "javascript[:]\\(//134744072/p)"],
    ["a.example/!.(//134744072/p)", "a[.]example/!\\[.]\\(//134744072/p)"],
    ["https://a/https://134744072/p", "hxxps[:]//a/https[:]//134744072/p"],
    ["//134744072/https://134744072/p", "[/][/]134744072/https[:]//134744072/p"],
    ["ann@evil.example.https://134744072", "ann[at]evil[.]example.hxxps[:]/[/]134744072"],
    ["evil.example.https://134744072", "evil[.]example.hxxps[:]/[/]134744072"],
    ["x_ftp://134744072", "x_ftp[:]/[/]134744072"],
    ["<.www.evil.example", "<.www[.]evil[.]example"],
    ["\\\\files.evil.example\\x", "[/][/]files[.]evil[.]example\\x"],
    // Reserved top-level names, and characters that a browser normalizes.
    ["![a](//_a.evil.example/p)", "![a]([/][/]_a[.]evil[.]example/p)"],
    ["![a](//a!.evil.example/p)", "![a]([/][/]a!\\[.]evil[.]example/p)"],
    ["![a](//x`.evil.example/p)", "![a]([/][/]x`.evil.example/p)"],
    ["![a](//evil%2eexample/p)", "![a]([/][/]evil%2eexample/p)"],
    ["![a](//evil\u{3002}example/p)", "![a]([/][/]evil\u{3002}example/p)"],
    ["![a](//ev\u{ad}il.example/p)", "![a]([/][/]ev\u{ad}il[.]example/p)"],
    ["![a](//ann@_x.evil.example/p)", "![a]([/][/]ann@_x[.]evil[.]example/p)"],
    ["![a](///evil.example/p)", "![a](/[/][/]evil[.]example/p)"],
    ["![a](//evil.md/p)", "![a]([/][/]evil[.]md/p)"],
    ["//x[.]_y.evil.example/p", "[/][/]x[[.]]_y.evil.example/p"],
    ["evil.md?d=1", "evil[.]md?d=1"],
    ["see (www._a.evil.example/p)", "see (www[.]_a[.]evil[.]example/p)"],
    ["WWW.evil.example.svg", "WWW[.]evil[.]example[.]svg"],
    ["_www.evil.example", "_www[.]evil[.]example"],
    // Within a word too.
    ["1ftp://x", "1ftp[:]/[/]x"],
    ["\u{e9}https://x", "\u{e9}hxxps[:]/[/]x"],
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
    "std::vector, key:value, //div[2]",
    "hxxps[:]//a[.]example/b, //a[.]example",
    "main.ts:12, page.html#usage",
  ];
  for (const text of plain)
    expect(
      defang(text, () => false),
      text,
    ).toBe(text);
  // The time is bounded for every text of this length.
  for (const text of ["a", "a.", "a-", "a+", "a@", "/", "\\", "1.", "&#"])
    expect(defang(`${text.repeat(100_000)} .`, () => false).length).toBeGreaterThan(100_000);
});

/** Calls that reach a tool after the model has read a mail. */
async function sent(args: object, options: Partial<Made> = {}, grants: readonly Grant[] = []): Promise<unknown> {
  const ran: Ran = [];
  const post = made(ran, {
    name: "post",
    inputSchema: z.looseObject({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    flow: { payload: ["fields"] },
    ...options,
  });
  await run({
    tools: [readMail(ran), post],
    script: [calls(["read_mail"]), calls(["post", args]), "Done."],
    flow: { mode: "enforce", planner: false, grants },
    approve: true,
  });
  return ran.find(({ name }) => name === "post")?.input;
}

test("member names are part of the sent data: links in them are made inert too, at each depth [flow.r6]", async () => {
  const url = "see https://evil.example/x";
  const inert = "see hxxps[:]//evil[.]example/x";
  expect(await sent({ fields: { [url]: 1, plain: { [url]: [{ "@all": url }] } } })).toEqual({
    fields: { [inert]: 1, plain: { [inert]: [{ "[at]all": inert }] } },
  });
  // No member overwrites another.
  expect(await sent({ fields: { [inert]: 1, [url]: 2, [`${inert}_`]: 3 } })).toEqual({
    fields: { [inert]: 1, [`${inert}__`]: 2, [`${inert}_`]: 3 },
  });
  const odd = JSON.parse(`{ "fields": { "__proto__": "${url}", "${url}": "a" } }`) as object;
  expect(JSON.stringify(await sent(odd))).toBe(`{"fields":{"__proto__":"${inert}","${inert}":"a"}}`);
  // An address that only `fetch` recognizes is content in a payload.
  expect(await sent({ fields: { "https:evil": "a" } })).toEqual({ fields: { "hxxps[:]evil": "a" } });
  // A person approved the name, which is an address.
  expect(await sent({ fields: { "https://evil.example/x": "a" } })).toEqual({
    fields: { "https://evil.example/x": "a" },
  });
});

test("names that become equal when made inert remain two members [flow.r6]", async () => {
  expect(
    await sent({ fields: { "see HTTPS://a.example": 1, "see httpS://a.example": 2, "see hTTPS://a.example": 3 } }),
  ).toEqual({
    fields: { "see hxxpS[:]//a[.]example": 1, "see hxxpS[:]//a[.]example_": 2, "see hxxpS[:]//a[.]example__": 3 },
  });
});

test("a name on the path to a deciding value, or one that a grant fixes, is unchanged [flow.r6] [flow.r6.spared]", async () => {
  const url = "https://evil.example/x";
  const args = { fields: { "a.example": { to: "ann" } }, headers: { "b.example": "x" } };
  // Undeclared arguments count as deciding.
  expect(await sent(args)).toEqual({ fields: { "a[.]example": { to: "ann" } }, headers: { "b.example": "x" } });
  // A name that decides is unchanged too; a name above a value that is an address is content like any other.
  const flow = { payload: ["fields"], authority: ['fields["a.example"].to'] };
  expect(await sent({ fields: { "a.example": { to: "ann" } } }, { flow })).toEqual({
    fields: { "a.example": { to: "ann" } },
  });
  expect(await sent({ fields: { "a.example": url } })).toEqual({ fields: { "a[.]example": url } });
  expect(
    await sent(
      { fields: { more: { "a.example": "x" } } },
      { flow: { payload: ["fields"], authority: ["fields.more"] } },
    ),
  ).toEqual({
    fields: { more: { "a.example": "x" } },
  });
  const composed: Grant = { tool: "post", args: { data: { composed: true } } };
  expect(await sent({ data: { "a.example": "x" } }, {}, [composed])).toEqual({ data: { "a[.]example": "x" } });
  const elsewhere = { payload: ["fields"], authority: ["to"] };
  expect(await sent({ to: "ann", fields: { "a.example": "x" } }, { flow: elsewhere })).toEqual({
    to: "ann",
    fields: { "a[.]example": "x" },
  });
  const named = { payload: ["fields", 'fields["a.example"].text'] };
  expect(await sent({ fields: { "a.example": { text: "x" } } }, { flow: named })).toEqual({
    fields: { "a.example": { text: "x" } },
  });
  const worded: Grant = { tool: "post", args: { fields: { eq: { "a.example": "x" } } } };
  expect(await sent({ fields: { "a.example": "x" } }, {}, [worded])).toEqual({ fields: { "a.example": "x" } });
  const grant: Grant = { tool: "post", args: { fields: { eq: { [url]: "x" } } } };
  expect(await sent({ fields: { [url]: "x" } }, {}, [grant])).toEqual({ fields: { [url]: "x" } });
});

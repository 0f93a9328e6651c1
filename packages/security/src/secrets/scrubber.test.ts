import { inspect } from "node:util";

import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createScrubber } from "./scrubber.ts";
import { secretForms } from "./secret-forms.ts";

const value = "sk-Live/7f3a+Q=é&x'y";

function knowing(secret: string = value): ReturnType<typeof createScrubber> {
  const scrubber = createScrubber();
  scrubber.add("KEY", secret);
  return scrubber;
}

test("a secret is found in maps, sets, headers, URLs, bytes, symbols and members under symbols [secrets.scrub]", () => {
  const scrubber = knowing("sk-live-7f3a");
  const secret = "sk-live-7f3a";
  const holders: Readonly<Record<string, unknown>> = {
    map: new Map([["a", { b: secret }]]),
    "key of a map": new Map([[secret, 1]]),
    set: new Set([secret]),
    headers: new Headers({ authorization: `Bearer ${secret}` }),
    "search parameters": new URLSearchParams({ key: secret }),
    url: new URL(`https://api.example/?key=${secret}`),
    buffer: new TextEncoder().encode(secret).buffer,
    "view of bytes": new DataView(new TextEncoder().encode(secret).buffer),
    "text object": new String(secret),
    symbol: Symbol(secret),
    "member under a symbol": { [Symbol("headers")]: [["authorization", secret]] },
    "symbol of a member": { [Symbol(secret)]: 1 },
    "member of a class": new (class Client {
      readonly key = secret;
    })(),
    "error of many": new AggregateError([new Error("a", { cause: { secret } })], "b"),
    "request of an error": Object.assign(new Error("failed"), {
      request: { [Symbol("kOutHeaders")]: { authorization: ["authorization", secret] } },
    }),
  };
  const text = (each: unknown): string =>
    inspect(each instanceof Uint8Array ? Buffer.from(each).toString("latin1") : each, { depth: 9 });
  for (const [name, holder] of Object.entries(holders)) {
    expect(scrubber.holds(holder), name).toBe(true);
    expect(text(scrubber.scrub({ holder })), name).not.toContain(secret);
    expect(text(scrubber.scrub(holder)), name).toContain("[secret KEY]");
  }
});

test("a value without a secret stays the same object, and a value that cannot be read does not fail [secrets.scrub]", () => {
  const scrubber = knowing("sk-live-7f3a");
  const clean = [
    new Map([["a", 1]]),
    new Set(["a"]),
    new Headers({ a: "b" }),
    new URL("https://a.example/"),
    new URLSearchParams("a=b"),
    new ArrayBuffer(4),
    new DataView(new ArrayBuffer(4)),
    new Float64Array([1, 2]),
    Symbol("a"),
    new Date(0),
    { [Symbol("a")]: "b" },
  ];
  for (const each of clean) expect(scrubber.scrub(each), inspect(each)).toBe(each);
  const guarded = {
    get broken(): string {
      throw new Error("not to be read");
    },
    note: "the key is sk-live-7f3a",
  };
  expect(scrubber.scrub(guarded)).toEqual({ broken: undefined, note: "the key is [secret KEY]" });
  const cyclic: { self?: unknown; key: string } = { key: "sk-live-7f3a" };
  cyclic.self = cyclic;
  expect(inspect(scrubber.scrub({ cyclic }), { depth: 1 })).not.toContain("sk-live");
});

const percent = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

test("a secret is found as each part of a URL, and in JSON and HTML encodings [secrets.scrub.encodings]", () => {
  const scrubber = knowing();
  const url = new URL(`https://api.example/${value}?q=${value}`);
  url.username = value;
  const forms: Readonly<Record<string, string>> = {
    encodeURI: encodeURI(value),
    strict: encodeURIComponent(value).replaceAll("'", "%27"),
    "every byte": percent(value),
    "every byte in capitals": percent(value).toUpperCase(),
    "path of a URL": url.pathname,
    "query of a URL": url.search,
    "user of a URL": url.username,
    "JSON with escaped slashes": JSON.stringify(value).replaceAll("/", String.raw`\/`),
    "HTML with &#x27;": value.replaceAll("&", "&amp;").replaceAll("'", "&#x27;"),
    "HTML with &#039;": value.replaceAll("&", "&amp;").replaceAll("'", "&#039;"),
    "HTML with &apos;": value.replaceAll("&", "&amp;").replaceAll("'", "&apos;"),
    "HTML with numbers": value.replaceAll("&", "&#38;").replaceAll("'", "&#39;"),
    decomposed: value.normalize("NFD"),
  };
  for (const [name, form] of Object.entries(forms)) {
    expect(scrubber.scrub(`x ${form} y`), name).toMatch(/^x .?.?.?\[secret KEY\]"? y$/u);
  }
});

test("a secret of many lines is found with other line ends, trimmed, and line by line [secrets.scrub.encodings]", () => {
  const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"];
  const key = `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
  const scrubber = knowing(key);
  for (const form of [
    key.trim(),
    key.replaceAll("\n", "\r\n"),
    JSON.stringify(key),
    ...lines.map((line) => `| ${line} |`),
  ]) {
    const shown = scrubber.scrub(form);
    for (const line of lines) expect(shown, form).not.toContain(line);
  }
  expect(scrubber.scrub("-----BEGIN PRIVATE KEY-----")).toBe("-----BEGIN PRIVATE KEY-----");
});

test("any secret is found in each of its forms, whole and in a stream cut anywhere [secrets.scrub.encodings] [secrets.scrub.streaming]", () => {
  const secret = fc.string({ unit: "binary", minLength: 8, maxLength: 24 });
  fc.assert(
    fc.property(secret, fc.nat(), fc.nat(), (given, which, cut) => {
      const scrubber = knowing(given);
      const forms = secretForms(given);
      const form = forms[which % forms.length] as string;
      expect(scrubber.scrub(form)).not.toContain(form);
      expect(scrubber.holds({ [form]: 1 })).toBe(true);
      const stream = scrubber.stream();
      const at = cut % (form.length + 1);
      expect(stream.push(form.slice(0, at)) + stream.push(form.slice(at)) + stream.end()).toBe(scrubber.scrub(form));
    }),
    { numRuns: 200 },
  );
});

const unicode = (text: string, at: (index: number) => boolean): string =>
  Array.from(text, (character, index) =>
    at(index) ? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}` : character,
  ).join("");

test("a secret is found in other case, with escapes anywhere in it, and broken over lines [secrets.scrub.disguised]", () => {
  const secret = "sk-Live-7f3a9Zq";
  const scrubber = knowing(secret);
  const entities = (radix: 10 | 16, at: (index: number) => boolean): string =>
    Array.from(secret, (character, index) =>
      at(index) ? `&#${radix === 16 ? "x" : ""}${(character.codePointAt(0) ?? 0).toString(radix)};` : character,
    ).join("");
  const forms: Readonly<Record<string, string>> = {
    "upper case": secret.toUpperCase(),
    "lower case": secret.toLowerCase(),
    "every character escaped": unicode(secret, () => true),
    "some characters escaped": unicode(secret, (index) => index % 3 === 1),
    "escapes with braces": secret.replace("L", String.raw`\u{4c}`),
    "escapes within JSON": JSON.stringify(unicode(secret, () => true)).slice(1, -1),
    "bytes as \\x": secret.replace("7", String.raw`\x37`),
    "some characters in percent": secret.replace("L", "%4c"),
    "characters as %u": secret.replaceAll(/[Lf]/gu, (one) => `%u00${one.charCodeAt(0).toString(16)}`),
    "escapes of 32 bits": secret.replaceAll(/[L7]/gu, (one) => `\\U000000${one.charCodeAt(0).toString(16)}`),
    "percent three times": secret.replace("L", "%25254c"),
    "a line break in HTML": `${secret.slice(0, 6)}<br/>\n  ${secret.slice(6)}`,
    "a line break in old HTML": `${secret.slice(0, 6)}<BR>${secret.slice(6)}`,
    "escapes, entities, case and a line break": `\\u0073K-&#76;I\n%56e${secret.slice(7).toUpperCase()}`,
    "base64 in a URL": encodeURIComponent(btoa(secret)),
    "base64 with escapes": unicode(btoa(secret), () => true),
    "decimal entities": entities(10, () => true),
    "some hexadecimal entities": entities(16, (index) => index % 2 === 0),
    "escaped entities": entities(10, () => true).replaceAll("&", "&amp;"),
    "a line break": `${secret.slice(0, 6)}\n${secret.slice(6)}`,
    "a line break with a margin": `${secret.slice(0, 6)}\r\n  > ${secret.slice(6)}`,
    "a line break in quoted-printable": `${secret.slice(0, 6)}=\n${secret.slice(6)}`,
    "an escaped line break": `${secret.slice(0, 6)}\\n${secret.slice(6)}`,
    "a continued line": `${secret.slice(0, 6)}\\\n${secret.slice(6)}`,
    "a zero-width character": `${secret.slice(0, 4)}\u200b${secret.slice(4)}`,
    "a break that a browser may use": `${secret.slice(0, 6)}<wbr>${secret.slice(6)}`,
    "a named entity without width": `${secret.slice(0, 6)}&shy;${secret.slice(6)}`,
    "a zero-width character as an entity": `${secret.slice(0, 6)}&#8203;${secret.slice(6)}`,
    "a zero-width character as an escape": `${secret.slice(0, 6)}\\u200b${secret.slice(6)}`,
    "a line break as an entity": `${secret.slice(0, 6)}&#10;${secret.slice(6)}`,
    "a line break in percent": `${secret.slice(0, 6)}%0A${secret.slice(6)}`,
    "base64 over lines": btoa(secret).replace(/(.{10})/, "$1\n"),
    "hexadecimal over lines": Buffer.from(secret)
      .toString("hex")
      .replace(/(.{9})/, "$1\n"),
  };
  for (const [name, form] of Object.entries(forms)) {
    expect(scrubber.scrub(`x ${form} y`), name).toMatch(/^x \[secret KEY\](?:=|==|[0-9A-Za-z]{0,3}=*)? y$/u);
    expect(scrubber.holds({ note: form }), name).toBe(true);
    for (let cut = 0; cut <= form.length; cut += 1) {
      const stream = scrubber.stream();
      const shown = stream.push(`x ${form.slice(0, cut)}`) + stream.push(`${form.slice(cut)} y`) + stream.end();
      expect(shown, `${name} cut at ${cut}`).toBe(scrubber.scrub(`x ${form} y`));
    }
  }
});

/** Characters, each before the name of its entity. */
const entitiesOf = (list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(list.split(" ").map((each) => [each.charAt(0), `&${each.slice(1)};`]));

test("a secret is found with punctuation as named entities, in any case [secrets.scrub.disguised]", () => {
  const secret = "Sk_7f3a/Q+9.x:B=@z!$*";
  const names = entitiesOf("_lowbar /sol +plus .period :colon =equals @commat !excl $dollar *ast");
  const form = Array.from(secret, (character) => names[character] ?? character).join("");
  const scrubber = knowing(secret);
  for (const each of [form, form.toLowerCase(), form.replaceAll("&", "&amp;")])
    expect(scrubber.scrub(`x ${each} y`)).toBe("x [secret KEY] y");
});

test("a secret is found with any invisible character inside [secrets.scrub.disguised]", () => {
  const secret = "sk-Live-7f3a9Zq";
  const scrubber = knowing(secret);
  const codes = [0, 7, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x202e, 0x2028, 0x2062, 0x2066, 0x3164];
  for (const code of [...codes, 0xfe0f, 0xfeff, 0xe0041, 0xe0100])
    expect(scrubber.scrub([...secret].join(String.fromCodePoint(code))), code.toString(16)).toBe("[secret KEY]");
});

test("short values are found as they are written only, and ordinary text passes at once [secrets.scrub.disguised]", () => {
  const scrubber = knowing("Pass");
  expect(scrubber.scrub("pass the Pass")).toBe("pass the [secret KEY]");
  const stream = knowing("sk-live-7f3a").stream();
  for (const text of ["Hello\n", "R&D at &unknown; ", "a 100% b", "C:\\new\\x ", "a & b\r\n", "1=2 ", "1 < 2<br"])
    expect(stream.push(text)).toBe(text);
});

test("any secret in any disguise is found, whole and in a stream cut anywhere [secrets.scrub.disguised] [secrets.scrub.streaming]", () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{8,20}$/);
  const disguises: readonly ((character: string) => string)[] = [
    (character) => character,
    (character) => character.toUpperCase(),
    (character) => character.toLowerCase(),
    (character) => unicode(character, () => true),
    (character) => `&#${character.charCodeAt(0)};`,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
    (character) => `%u00${character.charCodeAt(0).toString(16)}`,
    (character) => `\n${character}`,
    (character) => `<br>${character}`,
    (character) => `\u200b${character}`,
    (character) => `&zwnj;${character}`,
    (character) => `\\u2060${character}`,
  ];
  const ways = fc.array(fc.nat(disguises.length - 1), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(secret, ways, fc.array(fc.nat(200), { maxLength: 4 }), (given, chosen, cuts) => {
      const scrubber = knowing(given);
      const form = Array.from(given, (character, index) => disguises[chosen[index] ?? 0]?.(character) ?? "").join("");
      const text = `x ${form.trimStart()} y`;
      const shown = scrubber.scrub(text);
      expect(shown).toContain("[secret KEY]");
      expect(shown.length).toBeLessThan(25);
      const stream = scrubber.stream();
      const ends = [...cuts, 0, text.length].map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b);
      const pieces = ends.slice(1).map((end, index) => stream.push(text.slice(ends[index], end)));
      expect(pieces.join("") + stream.end()).toBe(shown);
    }),
    { numRuns: 300 },
  );
});

test.each([10_922, 10_923, 40_000])(
  "a secret of %i characters is found in each form [secrets.scrub.long]",
  (length) => {
    const secret = Array.from({ length }, (_, at) => (at * 2_654_435_761).toString(36).at(-3) ?? "x").join("");
    const scrubber = knowing(secret);
    for (const form of secretForms(secret)) expect(scrubber.scrub(`a ${form} b`)).toBe("a [secret KEY] b");
  },
);

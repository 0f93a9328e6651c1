import { Validator, format } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileJsonSchema } from "./json-schema-validator.ts";

const names = fc.constantFrom("a", "b", "ab", "__proto__", "toString");
const texts = fc.constantFrom("", "a", "ab", "abc", "😀", "1", "2024-02-29", "a@b.co", "10.0.0.1", "::1");
const primitive = fc.oneof(texts, fc.constantFrom(0, 1, 2.5, -3, 0.3, true, false, null), fc.integer());
const typeName = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");
const small = fc.nat(2);
const limit = fc.integer({ min: -3, max: 3 });

const flat: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  type: fc.oneof(typeName, fc.array(typeName, { minLength: 1, maxLength: 2 })),
  enum: fc.array(fc.oneof(primitive, fc.constant({ a: [1] })), { minLength: 1, maxLength: 3 }),
  const: fc.oneof(primitive, fc.constant({ a: 1, b: [] })),
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: fc.constantFrom(0.1, 1, 2, 1.5),
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom("^a", "b$", "."),
  format: fc.constantFrom("date", "email", "ipv4", "ipv6", "date-time", "uuid", "not-a-format"),
  minItems: small,
  maxItems: small,
  uniqueItems: fc.boolean(),
  minProperties: small,
  maxProperties: small,
  required: fc.uniqueArray(names, { maxLength: 2 }),
  dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2 }),
  $ref: fc.constantFrom("#", "#/$defs/a", "#/$defs/a~1b%25", "#here", "other.json#/$defs/a", "other.json"),
};

/** Schemas with every keyword. */
function schemas(depth: number): fc.Arbitrary<Record<string, unknown>> {
  const inner = depth === 0 ? fc.constant({}) : fc.oneof(schemas(depth - 1), fc.boolean());
  const list = fc.array(inner, { minLength: 1, maxLength: 2 });
  const map = fc.dictionary(names, inner, { maxKeys: 2 });
  const nested: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    properties: map,
    patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), inner, { maxKeys: 2 }),
    additionalProperties: inner,
    unevaluatedProperties: fc.boolean(),
    propertyNames: inner,
    dependentSchemas: map,
    prefixItems: list,
    items: inner,
    contains: inner,
    minContains: fc.integer({ min: 1, max: 2 }),
    maxContains: small,
    dependencies: fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(inner, fc.uniqueArray(names, { maxLength: 2 })), {
      maxKeys: 2,
    }),
    unevaluatedItems: fc.boolean(),
    anyOf: list,
    allOf: list,
    oneOf: list,
    not: inner,
    ...Object.fromEntries(["if", "then", "else"].map((name) => [name, inner])),
  };
  const keyword = fc.oneof(
    ...Object.entries(depth === 0 ? flat : { ...flat, ...nested }).map(([name, content]) =>
      fc.tuple(fc.constant(name), content),
    ),
  );
  return fc.array(keyword, { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Record<string, unknown>);
}

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    primitive,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** Definitions for the references above. */
const rooted = fc
  .record({ schema: schemas(2), defined: schemas(1), other: schemas(1) })
  .map(({ schema, defined, other }) => ({
    ...schema,
    $defs: {
      a: { type: "string" },
      "a/b%": { ...defined, $ref: "#/$defs/a" },
      c: { ...other, $ref: "#/$defs/a", $anchor: "here" },
      d: { $id: "other.json", type: ["object", "string"], $defs: { a: { minLength: 1 } } },
    },
  }));

test("values are valid and invalid as for another validator, for schemas of every keyword [tool.field.input-schema]", async () => {
  const seen = { true: 0, false: 0 };
  await fc.assert(
    fc.asyncProperty(rooted, value, async (schema, tried) => {
      let expected: boolean;
      try {
        expected = new Validator(structuredClone(schema) as never, "2020-12", false).validate(tried).valid;
      } catch (error) {
        // References that never end.
        expect(error).toBeInstanceOf(RangeError);
        return;
      }
      const { ok } = await compileJsonSchema(schema, "The schema").validate(tried);
      expect(ok).toBe(expected);
      seen[`${expected}`] += 1;
    }),
    { numRuns: 1_500 },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100);
});

/** Texts of each format; small edits of them are tried too. */
const samples: Readonly<Record<string, readonly string[]>> = {
  date: ["2024-02-29", "2023-02-29", "2020-11-31", "1998-1-20"],
  time: ["08:30:06.283185Z", "23:59:60Z", "01:29:60+01:30", "15:59:60-08:00", "12:00:00-05:00"],
  "date-time": ["1963-06-19T08:30:06.283185Z", "1990-12-31T15:59:60-08:00", "1990-02-31 15:59:59Z"],
  duration: ["P4DT12H30M5S", "P1Y1D", "P1W", "PT36H", "P2S", "P1YT", "PT0S"],
  "uri-template": ["http://a.b/{term:1}/{term}", "{a,b*}{?q}", "{"],
  email: ["te.s.t@example.com", '"joe bloggs"@example.com', "joe@[127.0.0.1]", "joe@[IPv6:::1]", "a@b"],
  hostname: ["www.example.com", "-a.b", "xn--4gbwdl.xn--wgbh1c", "a_b"],
  ipv4: ["192.168.0.1", "256.1.1.1", "087.10.0.1"],
  ipv6: ["::1", "1::d6:192.168.0.1", "1:2:3:4:5:6:7:8", "fe80::a%eth1", "::"],
  regex: ["^a[b-c]+$", "(", "a\\Z"],
  uuid: ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
  "json-pointer": ["/foo/bar~0/baz~1/%a", "/a~", ""],
  "json-pointer-uri-fragment": ["#/c%25d/~0", "#", "#/e^f"],
  "relative-json-pointer": ["0/foo/bar", "10#", "01/a"],
};

test.each(Object.entries(samples))(
  "the format %s accepts the texts that another validator accepts",
  async (name, texts) => {
    const { validate } = compileJsonSchema({ format: name }, "The schema");
    const edit = fc.tuple(fc.nat(40), fc.constantFrom("", ..."a9Z:./-+#%@ ~{\\ä😀"), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), edit, async (sample, [at, added, replaces]) => {
        const text = sample.slice(0, at) + added + sample.slice(replaces ? at + 1 : at);
        expect((await validate(text)).ok, text).toBe(Reflect.get(format, name)(text));
      }),
      { numRuns: 500 },
    );
  },
);

test("addresses are checked by RFC 3986", async () => {
  const wrong = ["http:// a.b", "http://a.b/<>", "http://[::1", "https://[@a.b/t", "a%zz:", "#a#b", "\\\\a\\b"];
  const valid = ["http://a.b/?q=x%20y#f", "ldap://[2001:db8::7]/c=GB?one", "mailto:a@b.co", "urn:a:b", "tel:+1-816"];
  const relative = ["//a.b/c", "/abc", "abc", "#f", "?q=1", ""];
  for (const [name, accepted, refused] of [
    ["uri", valid, [...wrong, ...relative]],
    ["uri-reference", [...valid, ...relative], wrong],
    ["url", ["https://a.b/c", "ftp://a.b", "http://localhost:3000"], ["mailto:a@b.co", "a.b", "http://a b"]],
  ] as const) {
    const { validate } = compileJsonSchema({ format: name }, "The schema");
    for (const text of accepted) expect((await validate(text)).ok, `${name} ${text}`).toBe(true);
    for (const text of refused) expect((await validate(text)).ok, `${name} ${text}`).toBe(false);
  }
});

test("each problem names its place and is a predicate", async () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 2 },
      lines: { type: "array", items: { $ref: "#/$defs/line" }, uniqueItems: true },
      kind: { enum: ["a", "b"] },
      choice: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
    required: ["id"],
    additionalProperties: false,
    $defs: { line: { type: "object", properties: { amount: { type: ["number", "null"], exclusiveMinimum: 0 } } } },
  };
  const { validate } = compileJsonSchema(schema, "The schema");
  expect(
    await validate({ name: "x", lines: [{ amount: 0 }, { amount: "1" }], kind: "c", choice: 1, "b.c": undefined }),
  ).toEqual({
    ok: false,
    issues: [
      { path: "", message: '"id" is missing' },
      { path: "name", message: "String is too short (1 < 2)" },
      { path: "lines[0].amount", message: "0 is less than or equal to 0" },
      { path: "lines[1].amount", message: "has to be number or null, not string" },
      { path: "kind", message: 'has to be one of ["a","b"]' },
      { path: "choice", message: "fits none of the alternatives" },
      { path: "choice", message: "has to be string, not number" },
      { path: "choice", message: "has to be null, not number" },
      { path: '["b.c"]', message: "is not allowed here" },
    ],
  });
});

test("members are unevaluated if only their names were checked", async () => {
  const schema = { propertyNames: { minLength: 1 }, contains: { type: "null" } };
  const { validate } = compileJsonSchema({ ...schema, unevaluatedProperties: false, unevaluatedItems: false }, "It");
  expect([(await validate({ a: 1 })).ok, (await validate([null])).ok, (await validate([null, 1])).ok]).toEqual([
    false,
    true,
    false,
  ]);
});

test("drafts 4 to 7 ignore keywords beside a reference, and draft 4 has exclusive limits as flags", async () => {
  const $defs = { text: { type: "string" } };
  const beside = { $ref: "#/$defs/text", minLength: 3, $defs };
  const valid = async (schema: object): Promise<boolean> =>
    (await compileJsonSchema({ ...schema }, "It").validate("a")).ok;
  expect(await valid({ ...beside, $schema: "http://json-schema.org/draft-07/schema#" })).toBe(true);
  expect(await valid(beside)).toBe(false);
  const old = compileJsonSchema({ minimum: 1, exclusiveMinimum: true, format: "none" }, "It");
  expect([(await old.validate(1)).ok, (await old.validate(1.5)).ok]).toEqual([false, true]);
});

test("$recursiveRef leads to the outermost schema with $recursiveAnchor", async () => {
  const tree = { $id: "tree", $recursiveAnchor: true, properties: { child: { $recursiveRef: "#" } } };
  const strict = { $recursiveAnchor: true, $ref: "tree", unevaluatedProperties: false, $defs: { tree } };
  const { validate } = compileJsonSchema({ ...strict, $schema: "https://json-schema.org/draft/2019-09/schema" }, "It");
  expect((await validate({ child: { child: {} } })).ok).toBe(true);
  expect(await validate({ child: { childs: {} } })).toMatchObject({
    ok: false,
    issues: expect.arrayContaining([{ path: "child.childs", message: "is not allowed here" }]) as unknown,
  });
});

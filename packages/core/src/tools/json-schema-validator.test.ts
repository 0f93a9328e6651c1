import { expect, test } from "vitest";
import { compileJsonSchema } from "./json-schema-validator.ts";

test("addresses are checked by RFC 3986", async () => {
  const wrong = ["http:// a.b", "http://a.b/<>", "http://[::1", "https://[@a.b/t", "a%zz:", "#a#b", "\\\\a\\b"];
  const valid = ["http://a.b/?q=x%20y#f", "ldap://[2001:db8::7]/c=GB?one", "mailto:a@b.co", "urn:a:b", "tel:+1-816"];
  const relative = ["//a.b/c", "/abc", "abc", "#f", "?q=1", ""];
  for (const [name, accepted, refused] of [
    ["uri", valid, [...wrong, ...relative]],
    ["uri-reference", [...valid, ...relative], wrong],
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

test("a schema that refers to itself without end refuses every value in words", async () => {
  const { validate } = compileJsonSchema({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "The schema");
  expect(await validate(1)).toEqual({
    ok: false,
    issues: [{ path: "", message: "cannot be checked: its schema refers to itself without end" }],
  });
});

test("a schema that the validator cannot read is refused when it is given", () => {
  const twice = { $defs: { a: { $id: "x", type: "string" }, b: { $id: "x", type: "number" } } };
  for (const schema of [twice, { $ref: "#/$defs/a" }]) {
    expect(() => compileJsonSchema(schema, "The schema")).toThrow(
      expect.objectContaining({ code: "INVALID_JSON_SCHEMA" }) as Error,
    );
  }
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

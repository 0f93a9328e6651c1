import { removeAddedNulls, strictSchema } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { z } from "zod";

const reason = (schema: Record<string, unknown>) => {
  const strict = strictSchema(schema);
  return strict.ok ? "expressible" : strict.reason;
};

test("every key is required, optional ones may be null, and no other key is accepted [providers.rule.strict-schemas]", () => {
  const schema = z.toJSONSchema(
    z.object({
      id: z.string(),
      note: z.string().optional(),
      size: z.enum(["s", "m"]).optional(),
      lines: z.array(z.object({ sku: z.string(), count: z.number().optional() })),
      link: z.url().optional(),
    }),
    { io: "input" },
  );
  expect(strictSchema(schema)).toMatchObject({
    ok: true,
    schema: {
      required: ["id", "note", "size", "lines", "link"],
      additionalProperties: false,
      properties: {
        id: { type: "string" },
        note: { type: ["string", "null"] },
        size: { type: ["string", "null"], enum: ["s", "m", null] },
        lines: { items: { required: ["sku", "count"], additionalProperties: false } },
        link: { type: ["string", "null"], description: "(format: uri)" },
      },
    },
  });
});

test("a nested discriminated union becomes a union that strict mode accepts [providers.rule.strict-schemas] [field-bug:PB-schema-01]", () => {
  const schema = z.toJSONSchema(
    z.object({
      shape: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), x: z.number().optional() }),
        z.object({ kind: z.literal("b") }),
      ]),
    }),
  );
  const strict = strictSchema(schema);
  expect(strict.ok).toBe(true);
  expect(JSON.stringify(strict)).not.toContain("oneOf");
  const value = { shape: { kind: "a", x: null } };
  expect(removeAddedNulls(value, schema)).toEqual({ shape: { kind: "a" } });
});

test("the error for a schema that cannot be expressed names its path [providers.rule.strict-schemas] [field-bug:PB-schema-05]", () => {
  expect(reason({ type: "object", additionalProperties: { type: "string" } })).toContain("keys that are not named");
  expect(reason({ type: "object", properties: { a: { type: "object", patternProperties: {} } } })).toContain('"a"');
  expect(reason({ type: "object", properties: { a: {} } })).toContain("no type");
  expect(reason({ anyOf: [{ type: "object" }] })).toContain("root");
  expect(reason({ type: "array", items: { type: "string" } })).toContain("root");
  expect(reason({ type: "object", properties: { a: { allOf: [{ type: "string" }, { minLength: 1 }] } } })).toContain(
    "allOf",
  );
});

test("only the added nulls are removed [providers.rule.strict-schemas.nulls-stripped]", () => {
  const schema = z.toJSONSchema(
    z.object({
      a: z.string().optional(),
      b: z.string().nullable(),
      c: z.string().nullable().optional(),
      d: z.array(z.object({ e: z.number().optional() })).optional(),
    }),
  );
  expect(removeAddedNulls({ a: null, b: null, c: null, d: [{ e: null }, { e: 1 }], f: null }, schema)).toEqual({
    b: null,
    c: null,
    d: [{}, { e: 1 }],
    f: null,
  });
});

test("a recursive schema keeps its references [providers.rule.strict-schemas]", () => {
  const tree: z.ZodType = z.object({
    name: z.string().optional(),
    get children() {
      return z.array(tree);
    },
  });
  const schema = z.toJSONSchema(tree);
  expect(strictSchema(schema)).toMatchObject({ ok: true });
  expect(removeAddedNulls({ name: null, children: [{ name: null, children: [] }] }, schema)).toEqual({
    children: [{ children: [] }],
  });
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defaultsOf } from "./fill-defaults.ts";
import { compileSchema } from "./standard-schema.ts";

const schema = {
  type: "object",
  properties: {
    scale: { type: "string", default: "css" },
    note: { type: ["string", "null"], default: "none" },
    area: { type: "object", properties: { unit: { type: "string", default: "px" } }, required: ["unit"] },
    shots: { type: "array", items: { type: "object", properties: { delay: { type: "number", default: 0 } } } },
    url: { type: "string" },
  },
  required: ["scale"],
};

test("a default fills a missing argument, also one that is required, and leaves what is there [tool.defaults]", () => {
  const { validate } = compileSchema(schema, { what: "The inputSchema" });
  expect(validate({})).toEqual({ ok: true, value: { scale: "css", note: "none" } });
  const given = { scale: "device", note: null, area: {}, shots: [{}, { delay: 7 }] };
  expect(validate(given)).toEqual({
    ok: true,
    value: { scale: "device", note: null, area: { unit: "px" }, shots: [{ delay: 0 }, { delay: 7 }] },
  });
  expect(given).toEqual({ scale: "device", note: null, area: {}, shots: [{}, { delay: 7 }] });
});

test("a default that does not fit its schema is refused like any argument [tool.defaults]", async () => {
  const odd = { type: "object", properties: { scale: { type: "string", default: 7 } }, required: ["scale"] };
  expect(await compileSchema(odd, { what: "The inputSchema" }).validate({})).toMatchObject({ ok: false });
});

test("an output is checked as it is [tool.defaults]", async () => {
  expect(await compileSchema(schema, { what: "The outputSchema", side: "output" }).validate({})).toMatchObject({
    ok: false,
  });
});

test("for any value, defaults are filled in once and only where nothing is [tool.defaults]", () => {
  const fill = defaultsOf(schema);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = fill?.(value);
      expect(fill?.(once)).toEqual(once);
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        for (const name of ["scale", "note", "url"])
          if (Object.hasOwn(value, name)) expect(once).toHaveProperty([name], value[name]);
    }),
  );
  expect(defaultsOf({ type: "object", properties: { url: { type: "string" } } })).toBeUndefined();
});

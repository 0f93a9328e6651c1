import { expect, test } from "vitest";
import { z } from "zod";
import { limitWords, numberLimits, type NumberSchema } from "./number-limits.ts";

const schemaOf = (type: z.ZodType): NumberSchema => z.toJSONSchema(type) as NumberSchema;

/** True if an input field with these limits accepts the value, as HTML defines it. */
function accepts({ min, max, step }: ReturnType<typeof numberLimits>, value: number): boolean {
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) return false;
  if (step === "any") return true;
  const steps = (value - (min ?? 0)) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

test("a field accepts the numbers that the schema accepts", () => {
  const types = [
    z.number().min(1).max(500),
    z.int().min(3).max(9),
    z.number().min(3).max(31).multipleOf(5),
    z.int().positive().lt(8),
    z.number().gt(0).lt(1).multipleOf(0.05),
    z.number().min(-7).max(-2).multipleOf(2),
    z.int(),
  ];
  for (const type of types) {
    const limits = numberLimits(schemaOf(type));
    for (let value = -20; value <= 520; value += value < 40 ? 0.25 : 1)
      expect([value, accepts(limits, value)], JSON.stringify(limits)).toEqual([value, type.safeParse(value).success]);
  }
});

test("limits are named in words, without the largest safe integers", () => {
  expect(limitWords(schemaOf(z.number().min(0).max(120).multipleOf(5)))).toBe("from 0 to 120 in steps of 5");
  expect(limitWords(schemaOf(z.number().positive()))).toBe("more than 0");
  expect(limitWords(schemaOf(z.number().max(3)))).toBe("up to 3");
  expect(limitWords(schemaOf(z.int().min(1)))).toBe("from 1");
  expect(limitWords(schemaOf(z.int()))).toBe("");
});

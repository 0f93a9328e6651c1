// A result that is too long for the model is shortened to its limit, and what is left out is counted.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../contracts/tool.ts";
import { tool } from "../../tools/tool.ts";
import { harness, toolTexts } from "../tool-call/call-harness.test.helper.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The text that the model reads of a result. */
async function shown(value: unknown, limits: Pick<Partial<Tool>, "maxResultTokens" | "truncationStrategy"> = {}) {
  const giving = tool({
    name: "t",
    description: "Gives a value.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => value,
    ...limits,
  });
  const self = await harness({ tools: [giving], calls: [{ name: "t" }] });
  await self.drive();
  return toolTexts(self)[0] ?? "";
}

describe("the limit", () => {
  test.each([
    { maxResultTokens: 100, bytes: 400 },
    { maxResultTokens: undefined, bytes: 65_536 },
  ])("is four bytes a token: a result of $bytes bytes is whole, one more is shortened", async (limits) => {
    const { maxResultTokens, bytes } = limits;
    expect(await shown("a".repeat(bytes), { maxResultTokens })).toBe("a".repeat(bytes));
    const shortened = await shown("a".repeat(bytes + 1), { maxResultTokens });
    expect(shortened).toContain(`of ${bytes + 1} characters left out`);
    expect(bytesOf(shortened)).toBeLessThanOrEqual(bytes);
    // Characters of several bytes count by their bytes.
    expect(await shown("é".repeat(bytes / 2), { maxResultTokens })).toBe("é".repeat(bytes / 2));
    expect(await shown(`${"é".repeat(bytes / 2)}a`, { maxResultTokens })).toContain("left out");
  });

  test("is never exceeded, nothing is counted wrong, and no character is halved", async () => {
    const characters = fc.constantFrom("a", "é", "日", "👍", "\n", '"');
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: characters, minLength: 400, maxLength: 4_000 }),
        fc.constantFrom("middle" as const, "tail" as const),
        fc.integer({ min: 64, max: 300 }),
        async (text, truncationStrategy, maxResultTokens) => {
          const read = await shown(text, { truncationStrategy, maxResultTokens });
          expect(bytesOf(read)).toBeLessThanOrEqual(maxResultTokens * 4);
          expect(read.isWellFormed()).toBe(true);
          const note = /(?:^|\n)\[… (\d+) of (\d+) characters left out\. Ask [^\]]+ …\]\n/u.exec(read);
          if (note === null) {
            expect(read).toBe(text);
            return;
          }
          const head = read.slice(0, note.index);
          const tail = read.slice(note.index + note[0].length);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect(truncationStrategy === "tail" && head !== "").toBe(false);
          expect(Number(note[1])).toBe(text.length - head.length - tail.length);
          expect(Number(note[2])).toBe(text.length);
          // Everything that fits is kept: the note takes the rest, and a character has at most four bytes on each side.
          expect(bytesOf(read)).toBeGreaterThan(maxResultTokens * 4 - 16);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("is never exceeded by a value with a structure, which stays JSON", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: fc.nat(), name: fc.string({ maxLength: 300 }), tags: fc.array(fc.string()) }), {
          minLength: 8,
          maxLength: 60,
        }),
        fc.integer({ min: 100, max: 400 }),
        async (rows, maxResultTokens) => {
          const read = await shown({ rows }, { maxResultTokens, truncationStrategy: "middle" });
          expect(bytesOf(read)).toBeLessThanOrEqual(maxResultTokens * 4);
          const [json = "", note] = read.split("\n[Shortened: ");
          expect(typeof JSON.parse(json)).toBe("object");
          if (note === undefined) expect(JSON.parse(json)).toEqual({ rows });
          else expect(note).toContain(`the whole has ${JSON.stringify({ rows }).length} characters`);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a value with a structure", () => {
  const read = async (value: object, maxResultTokens = 4_000) =>
    JSON.parse(
      (await shown(value, { maxResultTokens, truncationStrategy: "middle" })).split("\n[Shortened: ")[0] ?? "",
    );

  test("keeps the first 256 items and members, and counts the others", async () => {
    const long = "x".repeat(20_000);
    const items = Array.from({ length: 300 }, (_, index) => index);
    expect((await read({ items, long })).items).toEqual([...items.slice(0, 256), "… 44 more items"]);
    const members = Object.fromEntries(items.map((index) => [`m${index}`, index]));
    const kept = (await read({ members, long })).members;
    expect(Object.keys(kept)).toHaveLength(257);
    expect(kept["…"]).toBe("44 more members");
    const all = { items: items.slice(0, 256), members: Object.fromEntries(Object.entries(members).slice(0, 256)) };
    expect(await read({ ...all, long })).toMatchObject(all);
  });

  test("keeps the first 4,096 characters of a text, and counts the others", async () => {
    const kept = await read({ one: "x".repeat(4_096), two: "y".repeat(4_097), long: "z".repeat(10_000) });
    expect(kept).toEqual({
      one: "x".repeat(4_096),
      two: `${"y".repeat(4_096)}… 1 more characters`,
      long: `${"z".repeat(4_096)}… 5904 more characters`,
    });
  });

  test("keeps twelve levels, and describes what is below them", async () => {
    const nested = (levels: number): object => (levels === 0 ? { end: [1, 2] } : { inner: nested(levels - 1) });
    const long = "z".repeat(20_000);
    const at = (value: unknown, levels: number): unknown =>
      levels === 0 ? value : at((value as { inner: unknown }).inner, levels - 1);
    expect(at((await read({ inner: nested(10), long })).inner, 10)).toEqual({ end: "… array of 2 items" });
    expect(at((await read({ inner: nested(11), long })).inner, 11)).toBe("… object of 1 members");
    expect(at((await read({ inner: nested(9), long })).inner, 9)).toEqual({ end: [1, 2] });
  });

  test("is halved until it fits: items, characters, and one level at a time", async () => {
    const rows = Array.from({ length: 256 }, (_, id) => ({ id, text: "t".repeat(30) }));
    const kept: unknown[] = (await read({ rows }, 2_000)).rows;
    // 256 rows have about 13,600 bytes and 128 rows half of it.
    expect(kept).toEqual([...rows.slice(0, 128), "… 128 more items"]);
  });
});

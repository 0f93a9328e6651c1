import type { Grant, GrantReference, ResolvedTool } from "@bailiwick/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import type { RecordedCall } from "./flow-state.ts";
import { resolveReference, type Resolved } from "./references.ts";
import { calls, made, readMail, run } from "./world.test.helper.ts";

interface Row {
  readonly id: string;
  readonly sender: string;
  readonly name: string;
  readonly amount: number;
}

/** Signs by which a tool tells that its page leaves rows out. */
type Sign = "none" | "total" | "cursor";

/** The newest rows of a list, as a tool with fixed-size pages returns them. */
function pageOf(rows: readonly Row[], length: number, sign: Sign): unknown {
  const page = rows.slice(0, length);
  if (sign === "none") return { rows: page };
  return sign === "total"
    ? { rows: page, total: rows.length }
    : { rows: page, next_cursor: rows.length > length ? "c1" : null };
}

const paths = ["id", "sender", "name", "amount"].map((field) => `rows[].${field}`);
const declared = Object.fromEntries(paths.map((path) => [path, { integrity: "verified" as const }]));

function resolve(output: unknown, reference: Partial<GrantReference>, isDeclared: boolean): Resolved {
  const tool = {
    name: "list",
    output: { integrity: "untrusted", ...(isDeclared && { fields: declared }) },
  } as unknown as ResolvedTool;
  const call: RecordedCall = {
    id: "t1/c1",
    toolName: "list",
    args: {},
    ran: true,
    succeeded: true,
    userMessages: 1,
    output,
  };
  return resolveReference({ tool: "list", path: "rows[].id", ...reference }, { calls: [call], findTool: () => tool });
}

const names = ["Seeblick", "Central", "Astoria"];
const people = ["ann", "bob", "cem"];
const row = fc.record({
  sender: fc.constantFrom(...people),
  name: fc.constantFrom(...names),
  amount: fc.constantFrom(10, 20, 30),
});
const condition = fc.record(
  { sender: fc.constantFrom(...people), name: fc.constantFrom(...names), amount: fc.constantFrom(10, 20, 30) },
  { requiredKeys: [] },
);
/** Position of an attacker's row among the others. */
const place = fc.integer({ min: 0, max: 60 });

test("a flood of records selects no other record: the same one is granted, or a person is asked [grants.whole-list]", () => {
  let granted = 0;
  let displaced = 0;
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 30 }),
      fc.array(fc.record({ row, place }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 4, max: 60 }),
      fc.constantFrom<Sign>("none", "total", "cursor"),
      condition,
      fc.boolean(),
      (genuine, flood, length, sign, where, isDeclared) => {
        const rows = genuine.map((one, at): Row => ({ id: `g-${at}`, ...one }));
        const before = resolve(pageOf(rows, length, sign), { where }, isDeclared);
        if ("problem" in before) return;
        granted += 1;
        const attacked = [...rows];
        // The host verifies the author of a record; the attacker chooses everything else.
        for (const [at, { row: forged, place: to }] of flood.entries())
          attacked.splice(to, 0, { ...forged, id: `m-${at}`, sender: "mallory" });
        const after = resolve(pageOf(attacked, length, sign), { where }, isDeclared);
        if ("problem" in after) displaced += 1;
        else expect(after.value).toBe(before.value);
      },
    ),
    { numRuns: 3_000, seed: 26 },
  );
  expect(granted).toBeGreaterThan(100);
  expect(displaced).toBeGreaterThan(100);
});

test("a flood cannot make another record of the same author the last, the largest or the only one [grants.whole-list]", () => {
  const compared = fc.constantFrom<Partial<GrantReference>>(
    { by: { field: "amount", pick: "max" } },
    { by: { field: "amount", pick: "min" } },
    { of: "count" },
    { pick: "first" },
    { pick: "last" },
  );
  let granted = 0;
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 12 }),
      fc.array(fc.record({ row, place }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 4, max: 40 }),
      fc.constantFrom<Sign>("none", "total", "cursor"),
      compared,
      (genuine, flood, length, sign, comparison) => {
        const rows = genuine.map((one, at): Row => ({ id: `g-${at}`, ...one }));
        const reference = { where: { sender: "ann" }, ...comparison };
        const before = resolve(pageOf(rows, length, sign), reference, true);
        if ("problem" in before) return;
        granted += 1;
        const attacked = [...rows];
        for (const [at, { row: forged, place: to }] of flood.entries())
          attacked.splice(to, 0, { ...forged, id: `m-${at}`, sender: "mallory" });
        const after = resolve(pageOf(attacked, length, sign), reference, true);
        if (!("problem" in after)) expect(after.value).toBe(before.value);
      },
    ),
    { numRuns: 3_000, seed: 26 },
  );
  expect(granted).toBeGreaterThan(100);
});

const hotels = [
  { hotel_id: "h-40", name: "Seeblick" },
  { hotel_id: "h-666", name: "Seeblick" },
];
const hotelFields = { "[].hotel_id": { integrity: "verified" }, "[].name": { integrity: "verified" } } as const;
const search = made([], {
  name: "find_hotels",
  inputSchema: z.object({ city: z.string(), text: z.string().nullish(), limit: z.number().optional() }),
  sideEffectClass: "read-only",
  output: { integrity: "untrusted", fields: hotelFields },
});
const find = (isFlooded: boolean) => ({
  ...search,
  execute: (input: unknown) =>
    (input as { text?: string | null }).text === "mallory" ? hotels.slice(1) : isFlooded ? hotels : hotels.slice(0, 1),
});
const reserve = made([], {
  name: "reserve",
  inputSchema: z.object({ hotel_id: z.string() }),
  sideEffectClass: "external-stateful",
});
const grants: readonly Grant[] = [
  {
    tool: "reserve",
    args: { hotel_id: { ref: { tool: "find_hotels", path: "[].hotel_id", where: { name: "Seeblick" } } } },
    from: [{ tool: "find_hotels" }],
  },
];

/** The questions of a run that reads a mail, searches hotels and reserves one. */
async function asked(args: object, hotel: string, reads: "first" | "last" = "first"): Promise<number> {
  const mail = calls(["read_mail"]);
  const list = calls(["find_hotels", args]);
  const result = await run({
    tools: [readMail([]), find(false), reserve],
    script: [...(reads === "first" ? [mail, list] : [list, mail]), calls(["reserve", { hotel_id: hotel }]), "Done."],
    input: "Reserve the Seeblick in Bern, as the mail says.",
    options: { grants },
  });
  return result.asked.length;
}

test("a list that the model narrowed after it had read untrusted text selects no record [grants.whole-list]", async () => {
  expect(await asked({ city: "Bern" }, "h-40")).toBe(0);
  expect(await asked({ city: "Bern", text: "mallory" }, "h-666")).toBe(1);
  expect(await asked({ city: "Bern", text: "lake" }, "h-40")).toBe(1);
  expect(await asked({ city: "Bern", text: "reserved" }, "h-40")).toBe(0);
  expect(await asked({ city: "Bern", text: "reserved by mallory" }, "h-40")).toBe(1);
  expect(await asked({ city: "Bern", text: "***" }, "h-40")).toBe(1);
  // No text is searched for.
  expect(await asked({ city: "Bern", text: null }, "h-40")).toBe(0);
  // A limit above the length of the list leaves nothing out.
  expect(await asked({ city: "Bern", limit: 50 }, "h-40")).toBe(0);
  expect(await asked({ city: "Bern", limit: 1 }, "h-40")).toBe(1);
  // Before it reads the mail, the model only follows the user.
  expect(await asked({ city: "Bern", text: "lake" }, "h-40", "last")).toBe(0);
});

const many = Array.from({ length: 6 }, (_, at) => ({
  hotel_id: `h-4${at}`,
  name: at === 0 ? "Seeblick" : `Inn ${at}`,
}));

/** The remedies of the questions of a run that reads a mail and reserves a hotel of a longer list. */
async function remedies(list: typeof search, path = "[]", earlier: readonly Grant[] = []): Promise<readonly string[]> {
  const ref = { tool: "find_hotels", path: `${path}.hotel_id`, where: { name: "Seeblick" } };
  const from = [{ tool: "find_hotels" }, { tool: "find_inns" }];
  const result = await run({
    tools: [readMail([]), list, { ...list, name: "find_inns" }, reserve],
    script: [
      calls(["read_mail"]),
      calls(["find_inns", { city: "Bern" }], ["find_hotels", { city: "Bern" }]),
      calls(["reserve", { hotel_id: "h-40" }]),
      "Done.",
    ],
    input: "Reserve the Seeblick in Bern, as the mail says.",
    options: { grants: [...earlier, { tool: "reserve", args: { hotel_id: { ref } }, from }] },
  });
  return result.asked.map(({ question }) => question.developer.remedy);
}

test("the remedy of a call that needs a whole list names maxRows and total, and both help [questions.remedy] [grants.whole-list]", async () => {
  const bare = { ...search, execute: () => many };
  const other: Grant = {
    tool: "reserve",
    args: { hotel_id: { ref: { tool: "find_inns", path: "[].hotel_id", where: { name: "Inn 2" } } } },
  };
  // A grant for another inn, from another list, does not fit: it does not name its list.
  const [remedy = "", ...more] = await remedies(bare, "[]", [other]);
  expect(more).toEqual([]);
  expect(remedy).toContain('the list of "find_hotels" is complete');
  expect(remedy).toContain('Declare "output: { maxRows }" there');
  expect(remedy).toContain('as "total"');
  expect(await remedies({ ...bare, output: { ...search.output, maxRows: 50 } })).toEqual([]);
  const fields = Object.fromEntries(Object.entries(hotelFields).map(([path, one]) => [`rows${path}`, one]));
  const counted = { ...search, output: { integrity: "untrusted", fields }, execute: () => ({ rows: many, total: 6 }) };
  expect(await remedies(counted as typeof search, "rows[]")).toEqual([]);
});

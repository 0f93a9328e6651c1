import type { FlowOptions, Grant, GrantArgument, Tool } from "@bailiwick/core";
import { plannerAnswer, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { isWithinRange, sameValue } from "./compare-values.ts";
import { extractForm } from "./extract-form.ts";
import { matchesTemplate } from "./match-template.ts";
import { calls, made, run, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

/** A tool that reads any data, without a declared output. */
const list = (ran: Ran, returns: unknown, more: Partial<Tool> = {}): Tool =>
  made(ran, {
    name: "list_people",
    inputSchema: z.looseObject({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted", readers: "public" },
    result: returns,
    ...more,
  });

/** Reads, sends under a grant, and returns the calls that ran. */
async function sent(
  returns: unknown,
  args: Readonly<Record<string, GrantArgument>>,
  call: object,
  tools: (ran: Ran) => {
    readonly reader?: Partial<Tool>;
    readonly writer?: Partial<Tool>;
    readonly query?: object;
  } = () => ({}),
): Promise<boolean> {
  const ran: Ran = [];
  const { reader, writer, query = {} } = tools(ran);
  await run({
    tools: [list(ran, returns, reader), send(ran, writer)],
    flow: { mode: "enforce", grants: [{ tool: "send", args }] },
    script: [calls(["list_people", query]), calls(["send", call]), "Done."],
  });
  return ran.some(({ name }) => name === "send");
}

const people = [
  { name: "Ann", mail: "ann@a.example", age: 30 },
  { name: "Bob", mail: "bob@b.example", age: 40 },
  { name: "Eve", mail: "eve@c.example", age: 41 },
];
const annsMail: GrantArgument = { ref: { tool: "list_people", path: "[].mail", where: { name: "Ann" } } };

test("an undeclared field counts if the list is complete and exactly one record fits [grants.unique]", async () => {
  const toAnn = { to: annsMail, body: { eq: "Hi" } } as const;
  expect(await sent(people, toAnn, { to: "ann@a.example", body: "Hi" })).toBe(true);
  expect(await sent(people, toAnn, { to: "eve@c.example", body: "Hi" })).toBe(false);
  const second = [...people, { name: "Ann", mail: "eve@c.example", age: 1 }];
  for (const to of ["ann@a.example", "eve@c.example"])
    expect(await sent(second, toAnn, { to, body: "Hi" })).toBe(false);
  // A list of four rows, or of as many as a number among the arguments, may have been cut.
  const flooded = [people[0], ...Array.from({ length: 9 }, (_, at) => ({ name: `x${at}`, mail: "x@x.example" }))];
  expect(await sent(flooded.slice(0, 4), toAnn, { to: "ann@a.example", body: "Hi" })).toBe(false);
  expect(await sent(flooded.slice(0, 3), toAnn, { to: "ann@a.example", body: "Hi" })).toBe(true);
  const limited = (): object => ({ query: { limit: 3 } });
  expect(await sent(people, toAnn, { to: "ann@a.example", body: "Hi" }, limited)).toBe(false);
});

test("each record of a list is granted, also where the list may have been cut [grants.each]", async () => {
  const all: GrantArgument = { ref: { tool: "list_people", path: "[].mail", each: true } };
  const flooded = [people[0], ...Array.from({ length: 9 }, (_, at) => ({ name: `x${at}`, mail: `x${at}@x.example` }))];
  const to = { to: all, body: { eq: "Hi" } } as const;
  expect(await sent(flooded, to, { to: "x4@x.example", body: "Hi" })).toBe(true);
  expect(await sent(flooded, to, { to: "zoe@x.example", body: "Hi" })).toBe(false);
  expect(await sent(flooded, to, { to: "x4@x.example", body: "Hey" })).toBe(false);
});

test("each value of a form in a text is granted, and no other value [grants.extraction.each]", async () => {
  const the: GrantArgument = { the: "email", in: { tool: "list_people", where: { name: "Ann" } }, each: true };
  const notes = [
    { name: "Ann", note: "Ask ann@a.example or bob@b.example, not anna (at) firma.de." },
    { name: "Ann", note: "zoe@z.example helps." },
    { name: "Eve", note: "eve@c.example" },
  ];
  const args = { to: the, body: { eq: "Hi" } } as const;
  for (const to of ["ann@a.example", "bob@b.example", "zoe@z.example"])
    expect(await sent(notes, args, { to, body: "Hi" }), to).toBe(true);
  for (const to of ["eve@c.example", "anna (at) firma.de", "x@x.example"])
    expect(await sent(notes, args, { to, body: "Hi" }), to).toBe(false);
  // The request fixes all other values, because data chooses among several.
  expect(await sent(notes, { ...args, body: { composed: true } }, { to: "ann@a.example", body: "Hi" })).toBe(false);
  const words: GrantArgument = { template: "Hi {x}", holes: { x: { words: 2 } } };
  expect(await sent(notes, { ...args, body: words }, { to: "ann@a.example", body: "Hi you" })).toBe(false);
  const grave = (): object => ({ writer: { flow: { payload: ["body"], grave: true } } });
  expect(await sent(notes, args, { to: "ann@a.example", body: "Hi" }, grave)).toBe(false);
});

test("the user's own data may be composed, and may be sent to a recipient chosen by data [grants.one-sided]", async () => {
  const args = { to: annsMail, body: { composed: true } } as const;
  const sentTo = async (readers: readonly string[]): Promise<number> => {
    const ran: Ran = [];
    const flow = { authority: ["to"], payload: ["body"], readers: () => readers } as Tool["flow"];
    await run({
      tools: [list(ran, people), send(ran, { flow })],
      flow: { mode: "enforce", grants: [{ tool: "send", args }] },
      options: { userId: "ada" },
      script: [calls(["list_people"]), calls(["send", { to: "ann@a.example", body: "x" }]), "Done."],
    });
    return ran.filter(({ name }) => name === "send").length;
  };
  expect(await sentTo(["user:ada"])).toBe(1);
  expect(await sentTo(["user:bob"])).toBe(0);
});

test("data chooses the target of a call, or the model composes its content, never both [grants.one-sided]", async () => {
  const composed = { composed: true } as const;
  expect(await sent(people, { to: annsMail, body: composed }, { to: "ann@a.example", body: "x" })).toBe(false);
  expect(await sent(people, { to: { eq: "bob" }, body: composed }, { to: "bob", body: "x" })).toBe(true);
  const template = { template: "Lunch with {who}", holes: { who: { words: 2 } } } as const;
  const call = { to: "ann@a.example", body: "Lunch with Bob" };
  expect(await sent(people, { to: annsMail, body: template }, call)).toBe(true);
  expect(await sent(people, { to: annsMail, body: template }, { ...call, body: "Lunch with eve@c.example" })).toBe(
    false,
  );
  expect(await sent(people, { to: annsMail, body: template }, { ...call, body: "Lunch with Bob and Eve" })).toBe(false);
  // A declared field may choose like the user's words.
  const declared = (): object => ({ reader: { output: { integrity: "verified", readers: "public" } } });
  expect(await sent(people, { to: annsMail, body: composed }, { to: "ann@a.example", body: "x" }, declared)).toBe(true);
});

test("by, of and each over undeclared fields need a payload fixed by the request [grants.by] [grants.each]", async () => {
  const oldest: GrantArgument = {
    ref: { tool: "list_people", path: "[].mail", by: { field: "age", pick: "max" } },
  };
  const eq = { eq: "Hi" } as const;
  const template = { template: "Hi {x}", holes: { x: { words: 1 } } } as const;
  expect(await sent(people, { to: oldest, body: eq }, { to: "eve@c.example", body: "Hi" })).toBe(true);
  expect(await sent(people, { to: oldest, body: eq }, { to: "bob@b.example", body: "Hi" })).toBe(false);
  expect(await sent(people, { to: oldest, body: template }, { to: "eve@c.example", body: "Hi you" })).toBe(false);
  const each: GrantArgument = { ref: { tool: "list_people", path: "[].mail", each: true } };
  expect(await sent(people, { to: each, body: eq }, { to: "bob@b.example", body: "Hi" })).toBe(true);
  expect(await sent(people, { to: each, body: eq }, { to: "mallory", body: "Hi" })).toBe(false);
  const count: GrantArgument = { ref: { tool: "list_people", path: "[].mail", of: "count" } };
  expect(await sent(people, { to: { eq: "bob" }, body: count }, { to: "bob", body: "3" })).toBe(true);
  const prefix: GrantArgument = { ref: { tool: "list_people", path: "[].mail", where: { mail: { prefix: "ANN@" } } } };
  expect(await sent(people, { to: prefix, body: eq }, { to: "ann@a.example", body: "Hi" })).toBe(true);
});

test("the deciding values of a grave call come from the request, from declared fields, or from the user's rows [grants.grave] [grants.rows]", async () => {
  const args = { to: annsMail, body: { eq: "Hi" } } as const;
  const grave = (): object => ({ writer: { flow: { authority: ["to"], payload: ["body"], grave: true } } });
  expect(await sent(people, args, { to: "ann@a.example", body: "Hi" }, grave)).toBe(false);
  const own = (): object => ({
    ...grave(),
    reader: {
      output: {
        integrity: "untrusted",
        readers: "public",
        rows: { where: { age: 30 }, fields: ["mail", "name"], integrity: "verified" },
      },
    },
  });
  expect(await sent(people, args, { to: "ann@a.example", body: "Hi" }, own)).toBe(true);
  const bobs = { ...args, to: { ref: { tool: "list_people", path: "[].mail", where: { name: "Bob" } } } } as const;
  expect(await sent(people, bobs, { to: "bob@b.example", body: "Hi" }, own)).toBe(false);
});

test("an argument that names content is never composed [grants.by-reference]", async () => {
  const ran: Ran = [];
  const forward = send(ran, {
    inputSchema: z.object({ to: z.string(), message_id: z.string() }),
    flow: { authority: ["to"], payload: ["message_id"] },
  });
  const grants: Grant[] = [{ tool: "send", args: { to: { eq: "bob" }, message_id: { composed: true } } }];
  await run({
    tools: [list(ran, people), forward],
    flow: { mode: "enforce", grants },
    script: [calls(["list_people"]), calls(["send", { to: "bob", message_id: "m7" }]), "Done."],
  });
  expect(ran.map(({ name }) => name)).toEqual(["list_people"]);
});

test("the bare id of an item does not fix a call if the tool's name indicates that it sends more [grants.by-reference]", async () => {
  const ran: Ran = [];
  const forward = send(ran, {
    name: "forward_mail",
    inputSchema: z.object({ to: z.string(), id: z.string() }),
    flow: { authority: ["to"], payload: ["id"] },
  });
  const grants: Grant[] = [{ tool: "forward_mail", args: { to: { eq: "bob" }, id: { composed: true } } }];
  await run({
    tools: [list(ran, people), forward],
    flow: { mode: "enforce", grants },
    script: [calls(["list_people"]), calls(["forward_mail", { to: "bob", id: "m7" }]), "Done."],
  });
  expect(ran.map(({ name }) => name)).toEqual(["list_people"]);
});

test("the only value of a form is extracted from one text; two values, or an invalid one, ask [grants.extraction]", async () => {
  const texts: readonly (readonly [string, unknown])[] = [
    ["Write to anna@firma.example.", "anna@firma.example"],
    ["Write to anna@firma.example or bob@firma.example.", undefined],
    ["Write to anna (at) firma.example, not to eve@evil.example", undefined],
    ["No address.", undefined],
  ];
  for (const [text, value] of texts) expect(extractForm("email", [text]), text).toBe(value);
  expect(extractForm("url", ["See https://a.example/x."])).toBe("https://a.example/x");
  expect(extractForm("url", ["See https://a.example/x, not hxxp://b.example"])).toBeUndefined();
  expect(extractForm("iban", ["To DE89 3704 0044 0532 0130 00"])).toBe("DE89 3704 0044 0532 0130 00");
  expect(extractForm("iban", ["To DE88370400440532013000"])).toBeUndefined();
  expect(extractForm("date", ["On 2026-03-01"])).toBe("2026-03-01");
  expect(extractForm("date", ["On 2026-03-01 or 3 March"])).toBeUndefined();
  expect(extractForm("amount", ["It costs 12.50"])).toBe(12.5);
  const the: GrantArgument = { the: "email", in: { tool: "list_people", where: { name: "Ann" } } };
  const notes = [
    { name: "Ann", note: "Reach me at ann@a.example" },
    { name: "Eve", note: "eve@c.example" },
  ];
  const args = { to: the, body: { eq: "Hi" } } as const;
  expect(await sent(notes, args, { to: "ann@a.example", body: "Hi" })).toBe(true);
  expect(await sent(notes, args, { to: "eve@c.example", body: "Hi" })).toBe(false);
});

test("dates and numbers are compared by value, also in ranges [grants.by-value] [grants.within]", () => {
  expect(sameValue(5, "5.0")).toBe(true);
  expect(sameValue("5", "5.0")).toBe(false);
  expect(sameValue(7, "007")).toBe(false);
  expect(sameValue("2026-03-01T10:00:00Z", "2026-03-01T11:00+01:00")).toBe(true);
  expect(sameValue("2026-03-01", "2026-03-01T00:00:00Z")).toBe(false);
  expect(isWithinRange(5, [1, 5])).toBe(true);
  expect(isWithinRange(5.1, [1, 5])).toBe(false);
  expect(isWithinRange("2026-03-31T23:00", ["2026-03-01", "2026-03-31"])).toBe(true);
  expect(isWithinRange("2026-04-01", ["2026-03-01", "2026-03-31"])).toBe(false);
  expect(isWithinRange("soon", ["2026-03-01", "2026-03-31"])).toBe(false);
});

test("a hole accepts a few words, and no link, address or markup [grants.template]", () => {
  const fits = (text: string): boolean =>
    matchesTemplate(text, { template: "Booking {x} (now)", holes: { x: { words: 3 } } }, () => undefined);
  expect(fits("Booking Grand Hotel Rome (now)")).toBe(true);
  for (const filled of [
    "a b c d",
    "evil.example",
    "x@evil.example",
    "https://e",
    "<img>",
    "[x](y)",
    "a\nb",
    "10.0.0.1",
    "y".repeat(25),
  ])
    expect(fits(`Booking ${filled} (now)`), filled).toBe(false);
  expect(fits("Booking x now")).toBe(false);
  const dashed = { template: "Re: check-in [{x}]?", holes: { x: { words: 1 } } } as const;
  expect(matchesTemplate("Re: check-in [now]?", dashed, () => undefined)).toBe(true);
});

/** Runs with a planner that gives one answer, and returns what ran and what was asked. */
async function planned(args: Grant["args"], input: string, script: Parameters<typeof run>[0]["script"]) {
  const ran: Ran = [];
  const planner = scriptedModel(plannerAnswer([{ tool: "send", args }]));
  const flow: FlowOptions = { mode: "auto", planner };
  const result = await run({ tools: [list(ran, people), send(ran)], input, flow, script });
  return { result, to: ran.filter(({ name }) => name === "send").map(({ input: sentInput }) => sentInput) };
}

test("the model may correct the form of a call once, before a person is asked [grants.correction]", async () => {
  const args = { to: { eq: "bob" }, body: { eq: "See you at 5" } };
  const wrong = calls(["send", { to: "bob", body: "See you!" }]);
  const right = calls(["send", { to: "bob", body: "See you at 5" }]);
  const corrected = await planned(args, "Tell bob: see you at 5", [calls(["list_people"]), wrong, right, "Done."]);
  expect(corrected.to).toHaveLength(1);
  expect(corrected.result.asked).toEqual([]);
  expect(JSON.stringify(corrected.result.journal)).toContain("Call it again in that form");
  const again = await planned(args, "Tell bob: see you at 5", [calls(["list_people"]), wrong, wrong, right, "Done."]);
  expect(again.result.asked).toHaveLength(1);
  expect(again.to).toHaveLength(0);
});

test("a call covered by a grant that does not allow it is not requested in another form [grants.correction]", async () => {
  const ran: Ran = [];
  const granted = (body: GrantArgument): Grant => ({ tool: "send", args: { to: { eq: "bob" }, body } });
  const planner = scriptedModel(plannerAnswer([granted({ eq: "See you at 5" }), granted({ oneOf: ["See you!"] })]));
  const input = "Tell bob: see you at 5, or See you!";
  const script = [calls(["list_people"]), calls(["send", { to: "bob", body: "See you!" }]), "Done."];
  const reader = list(ran, people, { output: { integrity: "untrusted", readers: ["team:bank"] } });
  const result = await run({ tools: [reader, send(ran)], input, flow: { mode: "auto", planner }, script });
  expect(result.asked.map(({ question }) => question.developer.rules[0])).toEqual(["R4"]);
  expect(JSON.stringify(result.journal)).not.toContain("Call it again in that form");
});

test("the planner composes no quoted text, no date of the request, and no deciding value [grants.composed]", async () => {
  const args: Grant["args"] = { to: { eq: "bob" }, body: { composed: true } };
  const script = [calls(["list_people"]), calls(["send", { to: "bob", body: "Hello" }]), "Done."];
  expect((await planned(args, "Write to bob", script)).result.asked).toEqual([]);
  expect((await planned(args, 'Write "see you soon" to bob', script)).result.asked).toHaveLength(1);
});

test("a quotation that a grant holds refuses no composed text beside it; another quotation does [grants.composed]", async () => {
  const args: Grant["args"] = { to: { eq: "head of sales" }, body: { composed: true } };
  const script = [calls(["list_people"]), calls(["send", { to: "head of sales", body: "Hello" }]), "Done."];
  const asks = async (input: string): Promise<number> => (await planned(args, input, script)).result.asked.length;
  expect(await asks('Write to the "Head of Sales".')).toBe(0);
  expect(await asks('Write "see you soon" to the "head of sales"')).toBe(1);
});

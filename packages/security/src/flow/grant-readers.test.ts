import { tool } from "@bailiwick/core";
import type { Grant, GrantArgument, Tool } from "@bailiwick/core";
import { plannerAnswer, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { calls, made, run, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

/** A tool that reads private records, without declared fields. */
const reader = (ran: Ran, name: string, returns: unknown): Tool =>
  made(ran, {
    name,
    inputSchema: z.looseObject({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted" },
    result: returns,
  });

const people = [
  { name: "Ann", mail: "ann@a.example" },
  { name: "Bob", mail: "bob@b.example" },
];
const ann: GrantArgument = { ref: { tool: "list_people", path: "[].mail", where: { name: "Ann" } } };
const toAnn = { to: "ann@a.example", body: "Hi" };
const both = [{ tool: "list_people" }, { tool: "list_notes" }];

/** Reads people and notes, then sends under a grant. Returns true if the call ran. */
async function sent(grant: Omit<Grant, "tool">, call: object): Promise<boolean> {
  const ran: Ran = [];
  await run({
    tools: [reader(ran, "list_people", people), reader(ran, "list_notes", [{ code: "991", note: "x" }]), send(ran)],
    flow: { mode: "auto", grants: [{ tool: "send", ...grant }] },
    script: [calls(["list_people"], ["list_notes"]), calls(["send", call]), "Done."],
  });
  return ran.some(({ name }) => name === "send");
}

test("a destination chosen by data gets the request's own text, although private data was read [grants.one-sided.readers]", async () => {
  const args = { to: ann, body: { eq: "Hi" } } as const;
  expect(await sent({ args, from: both }, toAnn)).toBe(true);
  expect(await sent({ args, from: both.slice(0, 1) }, toAnn)).toBe(false);
  expect(await sent({ args }, toAnn)).toBe(false);
});

test("such a destination receives no other content: no template, no choice, no field of another reader [grants.one-sided.readers]", async () => {
  const code: GrantArgument = { ref: { tool: "list_notes", path: "[].code" } };
  const template: GrantArgument = {
    template: "Code {code}",
    holes: { code: { ref: { tool: "list_notes", path: "[].code" } } },
  };
  expect(await sent({ args: { to: ann, body: template }, from: both }, { ...toAnn, body: "Code 991" })).toBe(false);
  expect(await sent({ args: { to: ann, body: code }, from: both }, { ...toAnn, body: "991" })).toBe(false);
  expect(await sent({ args: { to: ann, body: { oneOf: ["Hi", "Hey"] } }, from: both }, toAnn)).toBe(false);
  const words: GrantArgument = { template: "Hi {who}", holes: { who: { words: 3 } } };
  expect(await sent({ args: { to: ann, body: words }, from: both }, { ...toAnn, body: "Hi Ann 991" })).toBe(false);
});

test("a grant may refer to several calls [grants.ref]", async () => {
  const note: GrantArgument = { ref: { tool: "list_notes", path: "[].note" } };
  const ran: Ran = [];
  const trusted = { integrity: "verified", readers: "public" } as const;
  await run({
    tools: [
      { ...reader(ran, "list_people", people), output: trusted },
      { ...reader(ran, "list_notes", [{ note: "x" }]), output: trusted },
      reader(ran, "read_mail", "Hello."),
      send(ran),
    ],
    flow: { mode: "auto", grants: [{ tool: "send", args: { to: ann, body: note }, from: [{ tool: "read_mail" }] }] },
    script: [calls(["list_people"], ["list_notes"], ["read_mail"]), calls(["send", { ...toAnn, body: "x" }]), "Done."],
  });
  expect(ran.map(({ name }) => name)).toContain("send");
});

test("a condition selects among the records of all calls [grants.ref]", async () => {
  const ran: Ran = [];
  let nth = 0;
  const paged = tool({
    name: "list_people",
    description: "Lists people.",
    inputSchema: z.looseObject({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted", readers: "public" },
    execute: () => people.slice(nth, (nth += 1)),
  }) as Tool;
  await run({
    tools: [paged, send(ran)],
    flow: { mode: "auto", grants: [{ tool: "send", args: { to: ann, body: { eq: "Hi" } } }] },
    script: [
      calls(["list_people", { page: "a" }]),
      calls(["list_people", { page: "b" }]),
      calls(["send", toAnn]),
      "Done.",
    ],
  });
  expect(ran.map(({ name }) => name)).toEqual(["send"]);
});

test("a deciding value is corrected only where it is the granted one in another spelling; another value asks a person [grants.correction]", async () => {
  const first = async (granted: Grant["args"][string], to: string): Promise<string> => {
    const grants: Grant[] = [{ tool: "send", args: { to: granted, body: { composed: true } } }];
    const ran: Ran = [];
    const result = await run({
      tools: [reader(ran, "list_people", people), send(ran)],
      flow: { mode: "auto", planner: scriptedModel(plannerAnswer([{ ...grants[0]!, from: both }])) },
      input: "Write to Bob Dale",
      script: [calls(["list_people"]), calls(["send", { to, body: "x" }]), "Done."],
    });
    return result.asked.length > 0 ? "asked" : "corrected";
  };
  const bob = { eq: "Bob Dale" };
  const page = { eq: "https://shop.example/help" };
  const limit = { max: 1200 };
  for (const [granted, to] of [
    [bob, "bob dale"],
    [bob, " BOB DALE "],
    [page, "shop.example/help/"],
    [page, "http://Shop.example/help"],
    [{ oneOf: ["1042", "7"] }, "1,042"],
    [{ eq: 1200 }, "€ 1,200"],
  ] as const)
    expect([to, await first(granted, to)]).toEqual([to, "corrected"]);
  for (const [granted, to] of [
    [bob, "Bob"],
    [bob, "bob-dale"],
    [bob, "Bob Dale and Eve"],
    [bob, "eve@evil.example"],
    [bob, "! "],
    [bob, ""],
    [page, "https://shop.example/help/more"],
    [page, "https://shop.example"],
    [{ eq: "" }, "! "],
    [{ oneOf: ["1042", "7"] }, "10427"],
    [limit, "1300"],
    [{ within: ["2026-05-01", "2026-05-03"] }, "2026-05-04"],
  ] as const)
    expect([to, await first(granted as Grant["args"][string], to)]).toEqual([to, "asked"]);
});

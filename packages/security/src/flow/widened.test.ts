import type { Grant, GrantArgument, Tool } from "@bailiwick/core";
import * as fc from "fast-check";
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

const save = (ran: Ran): Tool =>
  made(ran, {
    name: "save_note",
    inputSchema: z.object({ note: z.string(), text: z.string() }),
    sideEffectClass: "side-effecting",
    flow: { authority: ["note"], payload: ["text"] },
  });
const share = (ran: Ran): Tool =>
  made(ran, {
    name: "share_note",
    inputSchema: z.object({ note: z.string(), to: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    flow: { authority: ["note", "to"] },
  });
const shareIt: Grant = { tool: "share_note", args: { note: { eq: "n1" }, to: { eq: "bob" } } };
const saving = (text: GrantArgument): Grant => ({ tool: "save_note", args: { note: { eq: "n1" }, text } });
const sharing = ["share_note", { note: "n1", to: "bob" }] as const;
const names = (ran: Ran): readonly string[] => ran.map(({ name }) => name);

test("stored data cannot be sent by its name, however the calls are spread over turns [flow.r4.grant-words.stored]", async () => {
  const text = { eq: "Hello" } as const;
  const stores = async (grant: Grant, value: string, isOneTurn: boolean): Promise<readonly string[]> => {
    const ran: Ran = [];
    const write = ["save_note", { note: "n1", text: value }] as const;
    await run({
      tools: [reader(ran, "read_codes", "991"), save(ran), share(ran)],
      flow: { mode: "enforce", grants: [grant, shareIt] },
      script: [
        calls(["read_codes"]),
        ...(isOneTurn ? [calls(write, sharing)] : [calls(write), calls(sharing)]),
        "Done.",
      ],
    });
    return names(ran);
  };
  for (const isOneTurn of [false, true]) {
    expect(await stores(saving({ composed: true }), "The code is 991", isOneTurn)).not.toContain("share_note");
    expect(await stores(saving(text), "Hello", isOneTurn)).toContain("share_note");
  }
});

test("a call that did not run stored nothing [flow.r4.grant-words.stored]", async () => {
  const ran: Ran = [];
  await run({
    tools: [reader(ran, "read_codes", "991"), save(ran), share(ran)],
    flow: { mode: "enforce", grants: [shareIt] },
    agent: { approval: { onApproval: () => ({ approved: false }) } },
    script: [calls(["read_codes"]), calls(["save_note", { note: "n1", text: "991" }]), calls(sharing), "Done."],
  });
  expect(names(ran)).toEqual(["read_codes", "share_note"]);
});

/** Reads a private list and private notes, then sends. Returns true if the call ran. */
async function sent(grant: Omit<Grant, "tool">, call: object, list: unknown, notes = true): Promise<boolean> {
  const ran: Ran = [];
  const to = z.union([z.string(), z.array(z.string())]);
  const body = z.union([z.string(), z.number()]);
  await run({
    tools: [
      reader(ran, "list_people", list),
      reader(ran, "list_notes", [{ code: "991" }]),
      send(ran, { inputSchema: z.object({ to, body }) }),
    ],
    flow: { mode: "enforce", grants: [{ tool: "send", ...grant }] },
    script: [calls(["list_people"], ...(notes ? [["list_notes"] as const] : [])), calls(["send", call]), "Done."],
  });
  return names(ran).includes("send");
}

const both = [{ tool: "list_people" }, { tool: "list_notes" }];
const to: GrantArgument = { the: "email", in: { tool: "list_people" }, each: true };

test("text that outsiders add does not let a choice from it reveal other private results [grants.extraction.readers]", async () => {
  const added = fc.array(fc.nat(9999), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(added, fc.nat(11), async (numbers, at) => {
      const list = numbers.map((number) => ({ mail: `x${number}@evil.example` }));
      const call = { to: list[at % list.length]?.mail, body: "Hi" };
      const grant = { args: { to, body: { eq: "Hi" } }, from: both };
      expect(await sent(grant, call, list)).toBe(false);
      // If the agent has read only the list, the choice is allowed.
      expect(await sent(grant, call, list, false)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test("another notation of a value, or its repetition, may say more than the request [flow.r4.grant-words]", async () => {
  const fixed = (to: string, body: string | number): Omit<Grant, "tool"> => ({
    args: { [to]: { eq: "bob" }, body: { eq: body } },
  });
  const day = "2026-03-01T10:00:00Z";
  expect(await sent(fixed("to", day), { to: "bob", body: day }, [])).toBe(true);
  for (const body of ["2026-03-01T10:00:00.000Z", "2026-03-01T10:00:00.000000991Z", "2026-03-01T11:00:00+01:00"])
    expect(await sent(fixed("to", day), { to: "bob", body }, []), body).toBe(false);
  expect(await sent(fixed("to", 5), { to: "bob", body: 5 }, [])).toBe(true);
  for (const body of ["5", "5.00", "5.00000000000000000991"])
    expect(await sent(fixed("to", 5), { to: "bob", body }, []), body).toBe(false);
  expect(await sent(fixed("to[]", "Hi"), { to: ["bob"], body: "Hi" }, [])).toBe(true);
  expect(await sent(fixed("to[]", "Hi"), { to: ["bob", "bob", "bob"], body: "Hi" }, [])).toBe(false);
});

import { toolReturn } from "@bailiwick/core";
import type { Principal, Tool } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";

import { calls, made, readMail, run, rulesOf, send } from "./world.test.helper.ts";
import type { Made, Ran, Result } from "./world.test.helper.ts";

/** A read-only tool whose result the given principals may see. */
const notes = (ran: Ran, readers: unknown, more: Partial<Made> = {}): Tool =>
  made(ran, {
    name: "get_notes",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified", readers: readers as "public" },
    ...more,
  });

test.each([
  [["public"], 'has "public" in a list'],
  [["user:emma", "public"], 'has "public" in a list'],
  [["emma"], 'has "emma", a name without a kind'],
  [["team:shop", "user:"], 'has "user:", a name without a kind'],
  [[":emma"], "a name without a kind"],
  [["user emma"], "a name without a kind"],
  [[""], "a name without a kind"],
  [[7], "a name without a kind"],
  ["everyone", "is not a list of readers"],
])(
  "a tool that declares the readers %j is refused, with what to write instead [flow.readers.names]",
  (readers, why) => {
    expect(() => notes([], readers)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining(why) as unknown }) as Error,
    );
    expect(() => notes([], readers)).toThrow('Write "public" for everyone, or a list of names with their kind');
    expect(() => toolReturn({ output: 1, label: { readers: readers as "public" } })).toThrow(why);
  },
);

test("readers with their kind, everyone and an empty list are accepted [flow.readers.names]", () => {
  for (const readers of ["public", [], ["user:emma"], ["source:mcp:tracker", "team:shop"]] as const) {
    expect(notes([], readers).output?.readers).toEqual(readers);
    expect(toolReturn({ output: 1, label: { readers } }).label?.readers).toEqual(readers);
  }
});

test("a writer whose function returns names without a kind shows its content to everyone, so that private data asks [flow.readers.names]", async () => {
  const write = async (readers: readonly string[]): Promise<Result> => {
    const ran: Ran = [];
    const writer = send(ran, {
      flow: { authority: ["to"], payload: ["body"], readers: () => readers as readonly Principal[] },
    });
    return run({
      tools: [notes(ran, ["user:emma"]), writer],
      script: [calls(["get_notes"]), calls(["send", { to: "bob", body: "x" }]), "Done."],
    });
  };
  expect(rulesOf(await write(["user:emma"]))).toEqual([]);
  for (const readers of [["public"], ["emma"]]) expect(rulesOf(await write(readers))).toEqual(["R4"]);
});

/** A run that reads a value that no one may see, and then makes the calls. */
async function afterSecret(...script: readonly (readonly [string, object?])[]): Promise<Result> {
  const ran: Ran = [];
  return run({
    tools: [notes(ran, []), send(ran), readMail(ran)],
    script: [calls(["get_notes"]), ...script.map((one) => calls(one)), "I sent it."],
  });
}

const refused = { toolName: "send", rule: "R4", readers: "public" };

test("a call that no grant and no approval can allow is in the output, with tool, rule and readers [flow.refusals]", async () => {
  const { output, asked } = await afterSecret(["send", { to: "bob", body: "x" }], ["read_mail"]);
  expect(asked).toEqual([]);
  expect(output.refusals).toMatchObject([refused]);
  expect(output.refusals[0]?.explanation).toContain("No grant and no approval lifts that.");
  // The model continued after it.
  expect([output.status, output.toolCalls.map(({ toolName }) => toolName)]).toEqual([
    "completed",
    ["get_notes", "send", "read_mail"],
  ]);
});

test("a run whose last call was refused ends as policy_denied, whatever its answer says [flow.refusals]", async () => {
  const { output, journal } = await afterSecret(["send", { to: "bob", body: "x" }]);
  expect([output.status, output.stopReason, output.text]).toEqual(["stopped", "policy_denied", "I sent it."]);
  expect(output.refusals).toMatchObject([refused]);
  expect(journal.at(-1)).toMatchObject({ type: "run.end", stopReason: "policy_denied" });
});

test("calls that are corrected, asked about, rejected or only recorded are not refusals [flow.refusals]", async () => {
  const ran: Ran = [];
  const script = [calls(["read_mail"]), calls(["send", { to: "eve", body: "x" }]), "Done."];
  const tools = [readMail(ran), send(ran)];
  for (const approve of [true, false, undefined])
    expect((await run({ tools, script, approve })).output.refusals).toEqual([]);
  const shadow = await run({
    tools: [notes(ran, []), send(ran)],
    flow: "shadow",
    script: [calls(["get_notes"]), calls(["send", { to: "bob" }]), "Done."],
  });
  expect([shadow.output.status, shadow.output.refusals]).toEqual(["completed", []]);
});

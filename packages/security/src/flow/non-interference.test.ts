import { tool } from "@bailiwick/core";
import { withSource } from "@bailiwick/core/extension";
import type { Grant, JournalEvent, Tool } from "@bailiwick/core";
import { plannerAnswer, scriptedModel } from "@bailiwick/testing";
import type { ScriptStep } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { mcpServer } from "./resolved.test.helper.ts";
import { made, run } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

/** Source and readers of the results of a random tool. */
const sources = {
  page: { integrity: "untrusted", readers: "public" },
  mail: { integrity: "untrusted" },
  ledger: { integrity: "verified" },
  news: { integrity: "verified", readers: "public" },
} as const;

type Source = keyof typeof sources;

/** Text that a model reads without a call: answers given to the run, and a server's tool definitions. */
const told = ["earlier", "definition"] as const;

type Told = (typeof told)[number];

type Texts = Readonly<Record<Source | Told, string>>;

const isTold = (name: Source | Told): name is Told => told.some((one) => one === name);

/** Argument of a step: a fixed word, or a part of the last result. */
type Piece = { readonly said: string } | { readonly read: "all" | "first word" | "length" | "reversed" };

/** A step of a random program: a read, or a call that changes or sends something. */
type Step =
  | { readonly reads: Source | Told }
  | { readonly calls: "send" | "note" | "tell" | "visit" | "look_up"; readonly to: Piece; readonly body: Piece };

const said = fc.constantFrom("bob", "ann", "bob", "https://own.example/a").map((word): Piece => ({ said: word }));
const parts = ["all", "first word", "length", "reversed"] as const;
const read = fc.constantFrom(...parts).map((part): Piece => ({ read: part }));
const piece = fc.oneof(said, read);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .constantFrom<Source | Told>("page", "mail", "ledger", "news", "page", "mail", "ledger", "news", ...told)
    .map((source): Step => ({ reads: source })),
  fc.record({ calls: fc.constantFrom("send", "note", "tell", "visit", "look_up"), to: piece, body: piece }),
);
const program = fc.array(step, { minLength: 2, maxLength: 9 });

/** Texts of outsiders: they share no word with a grant or the program. */
const text = fc.string({ minLength: 1, maxLength: 40 }).map((words) => `!${words}`);

const grantFor = (tool: string, to: string): fc.Arbitrary<Grant> =>
  fc.record({
    tool: fc.constant(tool),
    args: fc.constant<Grant["args"]>({ to: { eq: to }, body: { composed: true } }),
    count: fc.integer({ min: 1, max: 3 }),
  });
const grants = fc.array(
  fc.oneof(grantFor("send", "bob"), grantFor("note", "ann"), grantFor("tell", "bob"), grantFor("send", "ann")),
  { minLength: 1, maxLength: 4 },
);

/** Result of a run: calls, and the grants that they used. */
interface Seen {
  readonly ran: Ran;
  readonly journal: readonly JournalEvent[];
  readonly asked: readonly unknown[];
}

/** Runs a program whose model copies text that it read to the places that the program names. */
async function perform(
  steps: readonly Step[],
  texts: Texts,
  leave: { readonly given?: readonly Grant[]; readonly planned?: readonly Grant[] },
): Promise<Seen> {
  const ran: Ran = [];
  const input = z.object({ to: z.string(), body: z.string() });
  const writer = (name: string, more: Partial<Tool>): Tool =>
    made(ran, {
      name,
      inputSchema: input,
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      flow: { authority: ["to"], payload: ["body"] },
      output: { integrity: "verified", readers: "public" },
      ...more,
    });
  const tools: Tool[] = [
    ...Object.entries(sources).map(([name, output]) =>
      made(ran, {
        name,
        inputSchema: z.object({}),
        sideEffectClass: "read-only",
        output,
        result: texts[name as Source],
      }),
    ),
    writer("send", {}),
    // Stays with the first party and does not decide anything.
    writer("note", { sideEffectClass: "side-effecting", flow: {} }),
    // Readable by the people that it names.
    writer("tell", {
      flow: {
        authority: ["to"],
        payload: ["body"],
        readers: (args) => [`user:${(args as { readonly to: string }).to}`],
      },
    }),
    made(ran, {
      name: "visit",
      inputSchema: z.object({ to: z.string(), body: z.string() }),
      sideEffectClass: "read-only",
      flow: { egress: ["to"] },
      output: { integrity: "untrusted", readers: "public" },
    }),
    // Member names contain its destination.
    made(ran, {
      name: "look_up",
      inputSchema: z.object({ pages: z.record(z.string(), z.boolean()) }),
      sideEffectClass: "read-only",
      flow: { egress: ["pages"] },
      output: { integrity: "untrusted", readers: "public" },
    }),
  ];
  const reads = (name: Told): boolean => steps.some((one) => "reads" in one && one.reads === name);
  if (reads("definition")) {
    const served = tool({
      name: "served",
      description: texts.definition,
      inputSchema: z.object({}),
      execute: () => "nothing",
    }) as Tool;
    tools.push(withSource(served, mcpServer));
  }
  let at = 0;
  let last = "nothing";
  const model = scriptedModel((request): ScriptStep | string => {
    last = request.toolResults.find(({ toolName }) => toolName in sources)?.text ?? last;
    let next = steps[at];
    at += 1;
    while (next !== undefined && "reads" in next && isTold(next.reads)) {
      last = texts[next.reads];
      next = steps[at];
      at += 1;
    }
    if (next === undefined) return "Done.";
    if ("reads" in next) return { toolCalls: [{ name: next.reads, arguments: {} }] };
    const args = { to: valueOf(next.to, last), body: valueOf(next.body, last) };
    const named = { pages: { [args.to]: true } };
    return { toolCalls: [{ name: next.calls, arguments: next.calls === "look_up" ? named : args }] };
  });
  const planner = scriptedModel(plannerAnswer(leave.planned ?? []));
  const result = await run({
    tools,
    script: () => "Done.",
    input: "Compare with https://own.example/a and tell bob.",
    flow: { mode: "enforce", planner, grants: leave.given ?? [], serverDefinitions: "untrusted" },
    options: reads("earlier") ? { messages: [{ role: "assistant", content: texts.earlier }] } : {},
    agent: { model, maxTurns: 20 },
    approve: false,
  });
  return { ran: ran.filter(({ name }) => !(name in sources)), journal: result.journal, asked: planner.requests };
}

function valueOf(from: Piece, last: string): string {
  if ("said" in from) return from.said;
  switch (from.read) {
    case "all":
      return last;
    case "first word":
      return last.split(" ", 1)[0] ?? "";
    case "length":
      return `n${last.length}`;
    default:
      return [...last].toReversed().join("");
  }
}

/** Calls without their free text, as declared by the tool or allowed by a grant. */
const decided = (ran: Ran, grants: readonly Grant[]): readonly unknown[] =>
  ran.map(({ name, input }) => {
    if (name === "look_up") return [name, input];
    const isFree = name !== "note" || grants.some(({ tool }) => tool === "note");
    return [name, isFree ? (input as { readonly to: string }).to : input];
  });

const ordersOf = (journal: readonly JournalEvent[]): readonly unknown[] =>
  journal.flatMap((event) => (event.type === "flow.grants" ? [[event.source, event.grants]] : []));

const usesOf = (journal: readonly JournalEvent[]): readonly unknown[] =>
  journal.flatMap((event) =>
    event.type === "flow.decided" ? [[event.toolName, event.verdict, event.rule, event.grant]] : [],
  );

/** Edits of the policy are found by the other tests; see scripts/policy-mutations.mjs. */
const few = process.env["BAILIWICK_MUTANT"] !== undefined;
const numRuns = few ? 40 : 100;

test("random programs: runs that differ only in untrusted text have the same effects, with the same grants [proof.non-interference.untrusted]", async () => {
  let acted = 0;
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(program, text, text, text, text, grants, grants, async (steps, a, b, c, d, given, planned) => {
      const own = { ledger: "balance 12", news: "sunny" };
      const one = await perform(steps, { ...own, page: a, mail: b, earlier: b, definition: a }, { given, planned });
      const two = await perform(steps, { ...own, page: c, mail: d, earlier: d, definition: c }, { given, planned });
      expect(decided(one.ran, [...given, ...planned])).toEqual(decided(two.ran, [...given, ...planned]));
      expect(ordersOf(one.journal)).toEqual(ordersOf(two.journal));
      expect(usesOf(one.journal)).toEqual(usesOf(two.journal));
      expect(one.asked.map((each) => (each as { readonly messages: unknown }).messages)).toEqual(
        two.asked.map((each) => (each as { readonly messages: unknown }).messages),
      );
      acted += one.ran.length;
      granted += one.journal.filter((event) => event.type === "flow.decided" && event.grant !== undefined).length;
    }),
    { numRuns },
  );
  // Few programs do not reach a granted call.
  if (!few) expect([acted, granted]).not.toContain(0);
});

test("a text of an outsider that is nothing but signs asks like any other: it is no spelling of a granted value [proof.non-interference.untrusted] [grants.correction]", async () => {
  const steps: readonly Step[] = [
    { reads: "earlier" },
    { calls: "send", to: { read: "all" }, body: { read: "all" } },
    { calls: "send", to: { said: "bob" }, body: { said: "bob" } },
  ];
  const planned: Grant[] = [{ tool: "send", args: { to: { eq: "bob" }, body: { composed: true } } }];
  const decisions = async (earlier: string): Promise<readonly unknown[]> => {
    const texts = { ledger: "balance 12", news: "sunny", page: "! ", mail: "! ", definition: "! ", earlier };
    return usesOf((await perform(steps, texts, { planned })).journal);
  };
  const [first, ...others] = await Promise.all(["! ", "!0", "!", "!bo", "!bob and ann"].map(decisions));
  for (const other of others) expect(other).toEqual(first);
});

/** Sinks whose readers may not see what is private. */
const outside = (ran: Ran): Ran => {
  const sent = ran.filter(({ name }) => name === "send" || name === "tell");
  // The frame around read text has a nonce of the run, which a program may reverse.
  return JSON.parse(JSON.stringify(sent).replaceAll(/[0-9a-f]{16}/gu, "")) as Ran;
};

test("random programs: runs that differ only in private data show others the same [proof.non-interference.secret]", async () => {
  let acted = 0;
  await fc.assert(
    fc.asyncProperty(program, text, text, text, text, grants, async (steps, a, b, c, d, given) => {
      const open = { page: "!page", news: "sunny", earlier: "!earlier", definition: "!definition" };
      const one = await perform(steps, { ...open, ledger: a, mail: b }, { given });
      const two = await perform(steps, { ...open, ledger: c, mail: d }, { given });
      expect(outside(one.ran)).toEqual(outside(two.ran));
      acted += outside(one.ran).length;
    }),
    { numRuns },
  );
  if (!few) expect(acted).toBeGreaterThan(0);
});

test("private data is shown if a person approves, or a grant names the private call [proof.non-interference.secret]", async () => {
  const steps: readonly Step[] = [{ reads: "ledger" }, { calls: "send", to: { said: "bob" }, body: { read: "all" } }];
  const texts = { page: "", mail: "", news: "", ledger: "!private", earlier: "", definition: "" };
  const to: Grant = { tool: "send", args: { to: { eq: "bob" }, body: { composed: true } } };
  expect((await perform(steps, texts, { given: [to] })).ran).toEqual([]);
  const named = { ...to, from: [{ tool: "ledger" }] };
  expect((await perform(steps, texts, { given: [named] })).ran).toEqual([
    { name: "send", input: { to: "bob", body: "!private" } },
  ]);
});

import { memoryStore, tool, type RunStore, type Tool } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { openAgent } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** A field whose schema may make another value of what is given, and arguments for it; `undefined` leaves it out. */
interface Field {
  readonly schema: z.ZodType;
  readonly given: unknown;
}

const text = fc.string({ maxLength: 8 });
const field: fc.Arbitrary<Field> = fc.oneof(
  text.map((given) => ({ schema: z.string(), given })),
  fc.option(fc.boolean(), { nil: undefined }).map((given) => ({ schema: z.boolean().default(true), given })),
  fc.integer().map((given) => ({ schema: z.coerce.number(), given: String(given) })),
  text.map((given) => ({ schema: z.string().transform((one) => `${one.trim().toUpperCase()}!`), given })),
  fc.oneof(text, fc.integer()).map((given) => ({ schema: z.number().catch(7), given })),
  fc
    .date({ noInvalidDate: true })
    .map((given) => ({ schema: z.string().transform((one) => new Date(one)), given: given.toISOString() })),
  fc.option(text, { nil: undefined }).map((note) => ({
    schema: z.object({ note: z.string().default("none"), deep: z.boolean().default(false) }).prefault({}),
    given: note === undefined ? undefined : { note },
  })),
  fc.oneof(text, fc.integer()).map((given) => ({ schema: z.union([z.number(), z.string().default("")]), given })),
  fc
    .array(text, { maxLength: 3 })
    .map((given) => ({ schema: z.array(z.string().transform((one) => one.length)), given })),
);
const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/u), field, { minKeys: 1, maxKeys: 4 });

/** An agent that calls `act` once with the given arguments, alone or inside another agent. */
function acting(
  given: unknown,
  act: Tool,
  { store, inside = false, sign }: { readonly store: RunStore; readonly inside?: boolean; readonly sign?: string },
): Agent {
  const once = (name: string, args: unknown) =>
    scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Done." : ({ toolCalls: [{ name, arguments: args }] } as ScriptStep),
    );
  const shared = { ...openAgent, store, ...(sign !== undefined && { keys: { sign } }) };
  const own = new Agent({ ...shared, model: once("act", given), tools: [act] });
  if (!inside) return own;
  return new Agent({ ...shared, name: "desk", model: once("agent", { input: "Act." }), tools: [own.asTool()] });
}

const acts = (ran: unknown[], inputSchema: z.ZodType, more: Partial<Tool> = {}): Tool => ({
  ...tool({
    name: "act",
    description: "Acts.",
    inputSchema: inputSchema as z.ZodObject,
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: (input: unknown) => void ran.push(input),
  }),
  ...more,
});

/** The values in the records of the calls of `act`, in all runs of a store. */
async function journaled(store: RunStore): Promise<readonly unknown[]> {
  const runs = await Promise.all((await store.listRuns({})).map(({ id }) => store.load(id)));
  return runs.flat().flatMap((event) => (event.type === "tool.call" && event.toolName === "act" ? [event.args] : []));
}

const variants = [false, true].flatMap((inside) => [undefined, "k".repeat(32)].map((sign) => ({ inside, sign })));

test.each(variants)(
  "what a person is shown is bound, journaled and executed, byte for byte, for every schema (inside an agent: $inside, signed: $sign) [run.one-value]",
  async (variant) => {
    await fc.assert(
      fc.asyncProperty(fields, async (made) => {
        const schema = z.object(Object.fromEntries(Object.entries(made).map(([name, one]) => [name, one.schema])));
        const given = Object.fromEntries(
          Object.entries(made).flatMap(([name, one]) => (one.given === undefined ? [] : [[name, one.given]])),
        );
        const [store, ran]: [RunStore, unknown[]] = [memoryStore(), []];
        const options = { ...variant, store } as Parameters<typeof acting>[2];
        const first = await acting(given, acts(ran, schema), options).run("go");
        const [question] = first.interruptions;
        // Another process has the answer.
        const output = await acting(given, acts(ran, schema), options).resume(first.runId, [question!.approve()]);
        expect(output.status).toBe("completed");
        const shown = JSON.stringify(question?.args);
        expect(JSON.stringify(ran)).toBe(`[${shown}]`);
        expect(JSON.stringify(await journaled(store))).toBe(`[${shown}]`);
        if (!variant.inside) expect(JSON.stringify(output.toolCalls[0]?.input)).toBe(shown);
        const payload = question?.question.payload;
        expect(canonicalJson(payload)).toBe(canonicalJson(question?.args));
      }),
      { numRuns: 15 },
    );
  },
);

const paths = { path: "/tmp/x" };
const before = z.object({ path: z.string() });
const drifts: Readonly<Record<string, { readonly now: Partial<Tool>; readonly says: string }>> = {
  "its description": { now: { description: "Deletes everything." }, says: "its description" },
  "a new default": {
    now: { inputSchema: z.object({ path: z.string(), recursive: z.boolean().default(true) }) },
    says: "recursive: absent before, true now",
  },
  "its schema": { now: { inputSchema: z.object({ path: z.string().min(1) }) }, says: "its input schema" },
  "its class": { now: { sideEffectClass: "side-effecting" }, says: "its side-effect class" },
};

test.each(variants.flatMap((variant) => Object.keys(drifts).map((drift) => ({ ...variant, drift }))))(
  "after a change of $drift a person is asked again, and told what changed (inside an agent: $inside, signed: $sign) [people.binding]",
  async ({ drift, ...variant }) => {
    const { now, says } = drifts[drift]!;
    const [store, ran]: [RunStore, unknown[]] = [memoryStore(), []];
    const options = { ...variant, store } as Parameters<typeof acting>[2];
    const first = await acting(paths, acts(ran, before), options).run("go");
    const second = acting(paths, acts(ran, before, now), options);
    const again = await second.resume(first.runId, [first.interruptions[0]!.approve()]);
    expect([again.status, ran]).toEqual(["suspended", []]);
    const [fact] = again.interruptions[0]!.question.unusual;
    expect(fact).toMatchObject({ kind: "tool_changed" });
    expect(fact?.text).toContain("The tool was changed since you were asked: ");
    expect(fact?.text).toContain(says);
    expect((await second.resume(first.runId, [again.interruptions[0]!.approve()])).status).toBe("completed");
    expect(ran).toEqual([again.interruptions[0]!.args]);
  },
);

test("a value that only the schema set is shown as set by the tool [run.one-value] [questions.origin]", async () => {
  const schema = z.object({ path: z.string(), recursive: z.boolean().default(true) });
  const { interruptions } = await acting(paths, acts([], schema), { store: memoryStore() }).run("go");
  expect(interruptions[0]?.question.values).toMatchObject([
    { name: "path", origin: { from: "model" } },
    { name: "recursive", shown: "true", origin: { from: "schema", text: "set by the tool", trusted: true } },
  ]);
});

test("an edit runs as it was typed; one that the schema changes is asked again, and one that it refuses leaves the question open [people.edits.one-value]", async () => {
  const schema = z.object({ amount: z.coerce.number().max(1_000), note: z.string().trim() });
  const [store, ran]: [RunStore, unknown[]] = [memoryStore(), []];
  const agent = acting({ amount: "5", note: "a" }, acts(ran, schema), { store });
  const { runId, interruptions } = await agent.run("go");
  const [question] = interruptions;
  expect(question?.args).toEqual({ amount: 5, note: "a" });
  const refused = agent.resume(runId, [question!.approve({ args: { amount: 5_000, note: "a" } })]);
  await expect(refused).rejects.toMatchObject({ code: "EDIT_INVALID" });
  const changed = await agent.resume(runId, [question!.approve({ args: { amount: "700", note: " b" } })]);
  expect([changed.status, ran]).toEqual(["suspended", []]);
  const [next] = changed.interruptions;
  expect(next?.args).toEqual({ amount: 700, note: "b" });
  expect(next?.question.unusual[0]?.text).toContain('amount: "700" before, 700 now');
  const output = await agent.resume(runId, [next!.approve({ args: { amount: 800, note: "b" } })]);
  expect([output.status, ran]).toEqual(["completed", [{ amount: 800, note: "b" }]]);
});

test("an approver of this process is asked again about the value that the schema makes of its edit [people.edits.one-value]", async () => {
  const [shown, ran]: [unknown[], unknown[]] = [[], []];
  const act = acts(ran, z.object({ note: z.string().trim() }));
  const model = scriptedModel([{ toolCalls: [{ name: "act", arguments: { note: "a" } }] }, "Done."]);
  const onApproval = ({ args }: { readonly args: unknown }): object => {
    shown.push(args);
    return { approved: true, args: { note: " b " } };
  };
  await new Agent({ ...openAgent, model, tools: [act], approval: { onApproval } as never }).run("go");
  expect([shown, ran]).toEqual([[{ note: "a" }, { note: "b" }], [{ note: "b" }]]);
});

test("a schema that makes another value each time is asked about three times, then the call is refused [run.one-value.unstable]", async () => {
  let made = 0;
  const schema = z.object({ id: z.string().transform((id) => `${id}-${(made += 1)}`) });
  const [store, ran]: [RunStore, unknown[]] = [memoryStore(), []];
  const agent = acting({ id: "a" }, acts(ran, schema), { store });
  let output = await agent.run("go");
  const shown: unknown[] = [];
  for (let round = 0; output.status === "suspended" && round < 9; round += 1) {
    shown.push(output.interruptions[0]?.args);
    output = await agent.resume(output.runId, [output.interruptions[0]!.approve()]);
  }
  expect(shown).toHaveLength(3);
  expect(output.toolCalls).toMatchObject([{ isError: true, error: { code: "ARGUMENTS_UNSTABLE" } }]);
  expect(ran).toEqual([]);
});

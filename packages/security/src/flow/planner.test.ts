import { plannerAnswer } from "@bailiwick/testing";
import type { Grant, ResolvedTool, ToolSource } from "@bailiwick/core";
import type { OperatorTerms } from "@bailiwick/core/extension";
import { expect, test } from "vitest";

import { emptyFlowState } from "./flow-state.ts";
import type { FlowState, RecordedCall } from "./flow-state.ts";
import { planGrants, plannerPrompt } from "./planner.ts";
import { rolesIn } from "./guessed-roles.ts";
import { rolesOf } from "./tool-roles.ts";
import { mcpServer, resolved, webSearch } from "./resolved.test.helper.ts";

const schema = {
  type: "object",
  description: "WORDS",
  properties: {
    title: { type: "string", title: "WORDS" },
    tags: { type: "array", items: [{ default: "WORDS" }] },
    properties: { type: "string", title: "WORDS" },
  },
  patternProperties: { title: { examples: ["WORDS"] } },
  $defs: { title: { $comment: "WORDS" } },
  required: ["title"],
  additionalProperties: { type: "string", title: "WORDS" },
  minProperties: 1,
  const: null,
};

function facts(tool: ResolvedTool, roles: FlowState["roles"] = rolesOf): Readonly<Record<string, unknown>> {
  const { tools } = JSON.parse(plannerPrompt("", { userWords: [], roles }, [tool])) as {
    tools: [Record<string, unknown>];
  };
  return tools[0];
}

test("the planner does not read a server's own texts, but the names and types of its schemas [grants.planner.sees-only]", () => {
  const server = { ...resolved({}, mcpServer), __inputJsonSchema: schema, __outputJsonSchema: schema } as ResolvedTool;
  expect(JSON.stringify(facts(server))).not.toContain("WORDS");
  const bare = {
    type: "object",
    properties: {
      title: { type: "string" },
      tags: { type: "array", items: [{}] },
      properties: { type: "string" },
    },
    patternProperties: { title: {} },
    $defs: { title: {} },
    required: ["title"],
    additionalProperties: { type: "string" },
    minProperties: 1,
    const: null,
  };
  expect(facts(server)).toMatchObject({ input: bare, output: bare });
  expect(facts(server)).not.toHaveProperty("description");
  const own = {
    ...resolved({ description: "WORDS" }),
    __inputJsonSchema: schema,
    __outputJsonSchema: schema,
  } as ResolvedTool;
  expect(facts(own)).toMatchObject({ description: "WORDS", input: schema, output: schema });
});

test("the planner reads what a tool declares [grants.planner.sees-only]", () => {
  const flow = { authority: ["to"], payload: ["body"], egress: ["host"] };
  expect(facts({ ...resolved(), flow })).toMatchObject(flow);
  expect(facts(resolved({ output: { integrity: "verified" } }))).toMatchObject({ trustedFields: "all" });
  expect(facts({ ...resolved(), output: undefined })).toMatchObject({ trustedFields: [] });
  const fields = { id: { integrity: "verified" }, note: { integrity: "untrusted" } };
  const mixed = { ...resolved(), output: { integrity: "untrusted", fields } } as unknown as ResolvedTool;
  expect(facts(mixed)).toMatchObject({ trustedFields: ["id"] });
});

test("the planner treats a tool that is guessed to read as a reader, and no other tool [grants.planner.sees-only]", () => {
  const search = resolved({ name: "search_mails", description: "Searches the mails." });
  const send = resolved({ name: "send_mail", description: "Sends a mail." });
  const guessed = (tool: ResolvedTool): unknown => facts(tool, (one) => rolesIn([search, send], one, {}))["effect"];
  expect([guessed(search), guessed(send)]).toEqual(["read-only", "side-effecting"]);
  expect(facts(search)["effect"]).toBe("side-effecting");
});

test("a tool's description is read if the developer wrote it [grants.planner.sees-only]", () => {
  const told = (source?: ToolSource, operator?: OperatorTerms, more?: Partial<ResolvedTool>): unknown =>
    facts({ ...resolved({ description: "WORDS", sideEffectClass: "read-only" }, source, operator), ...more })[
      "description"
    ];
  expect(told()).toBe("WORDS");
  expect(told({ kind: "built-in", subsystem: "memory" })).toBe("WORDS");
  const skill = { kind: "skill", skillName: "mail", trustLevel: "trusted" } as const;
  expect(told(skill, { allowUnsandboxed: true })).toBe("WORDS");
  // Without a sandbox no tool of an untrusted skill can be made here.
  const untrusted = { __source: { ...skill, trustLevel: "untrusted" }, __trustClass: "skill-untrusted" } as const;
  expect(told(skill, { allowUnsandboxed: true }, untrusted)).toBeUndefined();
  expect(told(webSearch)).toBeUndefined();
});

test("a tool without an output schema has none, from any source [grants.planner.sees-only]", () => {
  for (const source of [undefined, mcpServer]) {
    expect(facts(resolved({ sideEffectClass: "read-only" }, source))).not.toHaveProperty("output");
  }
});

test("the planner reads which message is the newest [grants.planner.sees-only]", () => {
  const prompt = (...said: readonly string[][]): unknown =>
    JSON.parse(
      plannerPrompt("Be brief.", { userWords: said.map((texts) => ({ id: "u", texts })), roles: rolesOf }, []),
    );
  const rest = { developer: "Be brief.", tools: [] };
  expect(prompt()).toEqual({ ...rest, earlierUserMessages: [], newestUserMessage: "" });
  expect(prompt(["a", "b"], ["c"])).toEqual({ ...rest, earlierUserMessages: ["a\nb"], newestUserMessage: "c" });
});

const pay = resolved({
  name: "pay",
  sideEffectClass: "side-effecting",
  inputSchema: {
    type: "object",
    properties: {
      to: { type: "string" },
      note: { type: "string" },
      date: { type: "string" },
      colour: { type: "string" },
      wish: { type: "object", properties: { shade: { type: "string" } } },
    },
  },
  flow: { authority: ["to"], payload: ["note", "wish"] },
});
const sum = resolved({ name: "sum", sideEffectClass: "pure" });

/** Grants of the planner that remain in a session's second message, after these calls. */
async function planned(
  grants: readonly Grant[],
  ...calls: readonly Partial<RecordedCall>[]
): Promise<readonly Grant[]> {
  const state = emptyFlowState();
  state.userWords.push({ id: "u0", texts: ["Pay bob."] }, { id: "u1", texts: ["And now?"] });
  calls.forEach((given, index) => {
    const call = { id: `t0/c${index}`, toolName: "pay", args: { to: "bob" }, ran: true, userMessages: 1, ...given };
    state.calls.set(call.id, call);
    state.callsById.set(call.id, call);
  });
  const tools = [sum, pay];
  const callModel = (): Promise<unknown> => Promise.resolve(JSON.parse(plannerAnswer(grants)));
  const start = { callModel, instructions: () => "", tools: () => tools };
  const findTool = (name: string): ResolvedTool | undefined => tools.find((one) => one.name === name);
  return (await planGrants({ state, start, model: undefined, findTool })).grants;
}

const payBob: Grant = { tool: "pay", args: { to: { eq: "bob" } } };

test("a grant that a developer cannot give is refused from the planner too [grants.planner]", async () => {
  const composed: Grant = { tool: "pay", args: { to: { composed: true } } };
  const unknown: Grant = { tool: "sell", args: {} };
  expect(await planned([composed, payBob, unknown])).toEqual([payBob]);
});

test("a call that ran for an earlier message is not granted again [grants.planner.newest-message]", async () => {
  expect(await planned([payBob])).toEqual([payBob]);
  expect(await planned([payBob], { ran: false }, {})).toEqual([]);
  // The newest message asks for it, it did not run, or it was another call.
  for (const other of [{ userMessages: 2 }, { ran: false }, { toolName: "sum" }, { args: { to: "eve" } }]) {
    expect([other, await planned([payBob], other)]).toEqual([other, [payBob]]);
  }
  // An address must not be composed in the arguments of this tool: a person approved that call, not such a grant.
  const composed: Grant = { tool: "pay", args: { note: { composed: true } } };
  expect(await planned([composed], { args: { note: "Rent" } })).toEqual([]);
  expect(await planned([composed], { args: { note: "https://shop.example/bill" } })).toEqual([composed]);
});

test("a date may be composed if the request has none [grants.composed]", async () => {
  const composed: Grant = { tool: "pay", args: { date: { composed: true } } };
  expect(await planned([composed])).toEqual([composed]);
});

test("an argument that a tool declares as content may be composed, under any name [grants.composed]", async () => {
  const composing = (path: string): Grant => ({ tool: "pay", args: { [path]: { composed: true } } });
  expect(await planned([composing("wish.shade")])).toEqual([composing("wish.shade")]);
  expect(await planned([composing("colour")])).toEqual([]);
});

test("a stored plan replaces the model call, and a new plan is stored if it has grants [grants.planner.kept]", async () => {
  const kept: unknown[] = [];
  let asked = 0;
  const plan = (
    answer: readonly Grant[],
    ttlMs: number | undefined,
    found?: { readonly answer: unknown; readonly runId: string },
    model?: `${string}/${string}`,
  ): ReturnType<typeof planGrants> => {
    const state = emptyFlowState();
    state.userWords.push({ id: "u0", texts: ["Pay bob."] });
    const keptPlans = {
      find: (prompt: string) =>
        Promise.resolve(found === undefined || !prompt.includes("Pay bob.") ? undefined : found),
      keep: (...given: unknown[]) => (kept.push(given), Promise.resolve()),
    };
    const callModel = (): Promise<unknown> => ((asked += 1), Promise.resolve(JSON.parse(plannerAnswer(answer))));
    const start = { callModel, instructions: () => "", tools: () => [sum, pay], keptPlans: () => keptPlans };
    return planGrants({ state, start, model, findTool: (name) => [sum, pay].find((one) => one.name === name), ttlMs });
  };
  const found = { answer: JSON.parse(plannerAnswer([payBob])) as unknown, runId: "r1" };
  expect([await plan([payBob], undefined, found), asked, kept]).toEqual([{ grants: [payBob] }, 1, []]);
  expect([await plan([], 9, found), asked, kept]).toEqual([{ grants: [payBob], plannedBy: "r1" }, 1, []]);
  expect([await plan([], 9), asked, kept]).toEqual([{ grants: [] }, 2, []]);
  expect([await plan([payBob], 9), asked, kept.length]).toEqual([{ grants: [payBob] }, 3, 1]);
  await plan([payBob], 9, undefined, "a/b");
  const [[first, answer, ttl], [second]] = kept as [[string, unknown, number], [string]];
  expect([answer, ttl]).toEqual([found.answer, 9]);
  // Another model makes a new plan.
  expect(second).not.toBe(first);
});

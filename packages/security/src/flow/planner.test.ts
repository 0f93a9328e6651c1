import { plannerAnswer } from "@bailiwick/testing";
import type { PlannedCall } from "@bailiwick/testing";
import type { Grant, ResolvedTool, ToolSource } from "@bailiwick/core";
import type { OperatorTerms } from "@bailiwick/core/extension";
import { expect, test } from "vitest";

import { emptyFlowState } from "./flow-state.ts";
import type { FlowState, RecordedCall } from "./flow-state.ts";
import { planTool, plannerPrompt } from "./planner.ts";
import type { Planned, PlannerCall } from "./planner.ts";
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
  return (JSON.parse(plannerPrompt("", [], tool, roles(tool))) as { readonly tool: Record<string, unknown> }).tool;
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
  expect(facts(server)).toMatchObject({ input: bare });
  expect(facts(server)).not.toHaveProperty("description");
  const own = {
    ...resolved({ description: "WORDS" }),
    __inputJsonSchema: schema,
    __outputJsonSchema: schema,
  } as ResolvedTool;
  expect(facts(own)).toMatchObject({ description: "WORDS", input: schema });
});

test("the planner reads what a tool declares [grants.planner.sees-only]", () => {
  const flow = { authority: ["to"], payload: ["body"], egress: ["host"] };
  expect(facts({ ...resolved(), flow })).toMatchObject(flow);
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

test("the planner reads which message is the newest, the same words once, and one tool [grants.planner.sees-only]", () => {
  const prompt = (...words: readonly string[]): unknown => {
    const { tool: _tool, ...rest } = JSON.parse(plannerPrompt("Be brief.", words, resolved(), rolesOf(resolved()))) as {
      readonly tool: unknown;
    };
    return rest;
  };
  const rest = { developer: "Be brief." };
  expect(prompt()).toEqual({ ...rest, earlierUserMessages: [], newestUserMessage: "" });
  expect(prompt("a", "b")).toEqual({ ...rest, earlierUserMessages: ["a"], newestUserMessage: "b" });
  expect(prompt("b", "a", "b")).toEqual({ ...rest, earlierUserMessages: ["a"], newestUserMessage: "b" });
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

/** The planner's answer about `pay` in a session's second message, after these calls. */
async function answered(
  grants: readonly PlannedCall[],
  more: Partial<PlannerCall> = {},
  ...calls: readonly Partial<RecordedCall>[]
): Promise<Planned> {
  const state = emptyFlowState();
  const words = ["Pay bob.", "And now?"];
  state.userWords.push(...words.map((text, at) => ({ id: `u${at}`, texts: [text] })));
  calls.forEach((given, index) => {
    const call = { id: `t0/c${index}`, toolName: "pay", args: { to: "bob" }, ran: true, userMessages: 1, ...given };
    state.calls.set(call.id, call);
    state.callsById.set(call.id, call);
  });
  const tools = [sum, pay];
  const callModel: PlannerCall["start"]["callModel"] = ({ prompt }) =>
    Promise.resolve(JSON.parse(plannerAnswer(grants)({ messages: [{ text: prompt }] })));
  const start = { callModel, instructions: () => "", tools: () => tools };
  const findTool = (name: string): ResolvedTool | undefined => tools.find((one) => one.name === name);
  return planTool({ state, start, model: undefined, findTool, tool: pay, words, ...more });
}

/** The grants that remain. */
const planned = async (
  grants: readonly PlannedCall[],
  ...calls: readonly Partial<RecordedCall>[]
): Promise<readonly Grant[]> => (await answered(grants, {}, ...calls)).grants;

const payBob: Grant = { tool: "pay", args: { to: { eq: "bob" } } };

test("a grant that a developer cannot give is refused from the planner too [grants.planner]", async () => {
  const composed: Grant = { tool: "pay", args: { to: { composed: true } } };
  expect(await planned([composed, payBob])).toEqual([payBob]);
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

test("an earlier message may be quoted, for a grave call only if the newest one continues it [grants.planner.quote]", async () => {
  const earlier = { ...payBob, quote: "Pay bob." };
  const grave = { ...pay, flow: { ...pay.flow, grave: true } } as ResolvedTool;
  expect((await answered([earlier])).grants).toHaveLength(1);
  const refused = await answered([earlier], { tool: grave });
  expect([refused.mandates, refused.grants, refused.dropped]).toEqual([
    [],
    [],
    [{ tool: "pay", problem: 'quotes "Pay bob.", which is in an earlier message only.' }],
  ]);
  expect((await answered([earlier], { tool: grave, continues: true })).grants).toHaveLength(1);
  const older = await answered([earlier], { tool: grave, continues: true, words: ["Pay bob.", "Wait.", "And now?"] });
  expect(older.grants).toEqual([]);
});

test("the planner's request has one size for any number of tools, at most 2.3 kB with short words [grants.planner.sees-only]", async () => {
  const sizes: number[] = [];
  for (const more of [0, 200]) {
    const tools = [pay, ...Array.from({ length: more }, (_, at) => ({ ...sum, name: `sum${at}` }))];
    const callModel: PlannerCall["start"]["callModel"] = (request) => {
      sizes.push(request.system.length + request.prompt.length + JSON.stringify(request.schema).length);
      return Promise.resolve({ asked: false, quote: "" });
    };
    await answered([], { start: { callModel, instructions: () => "", tools: () => tools } });
  }
  expect(sizes[0]).toBe(sizes[1]);
  expect(sizes[0]).toBeLessThanOrEqual(2_300);
});

test("a kept answer replaces the model call; one that asks for nothing is kept for an hour at most [grants.planner.kept]", async () => {
  const kept: [asked: string, answer: unknown, ttlMs: number][] = [];
  let requests = 0;
  const plan = (answer: unknown, more: Partial<PlannerCall>, found?: unknown): Promise<Planned> =>
    answered([], {
      start: {
        callModel: () => ((requests += 1), Promise.resolve(answer)),
        instructions: () => "",
        tools: () => [sum, pay],
        keptPlans: () => ({
          find: (asked) =>
            Promise.resolve(
              found !== undefined && asked.includes("Pay bob.") ? { answer: found, runId: "r1" } : undefined,
            ),
          keep: (...given) => (kept.push(given), Promise.resolve()),
        }),
      },
      ...more,
    });
  const asking = { asked: true, quote: "Pay bob.", args: payBob.args };
  const found = await plan(undefined, {}, asking);
  expect([found.grants, found.plannedBy, requests, kept]).toEqual([[payBob], "r1", 0, []]);
  await plan(asking, { ttlMs: 9 });
  await plan(asking, { model: "a/b" });
  await plan({ asked: false, quote: "" }, {});
  expect((await plan("no", {})).failed).toBe(true);
  expect(kept.map(([, answer, ttlMs]) => [answer, ttlMs])).toEqual([
    [asking, 9],
    [asking, 86_400_000],
    [{ asked: false, quote: "" }, 3_600_000],
  ]);
  // Another model is asked again.
  expect(kept[0]?.[0]).not.toBe(kept[1]?.[0]);
});

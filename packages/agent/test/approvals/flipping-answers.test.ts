import { memoryStore, tool, type Extension, type LookupResult, type Tool } from "@bailiwick/core";
import { checkedCaller } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, type AgentOptions } from "../../src/index.ts";

type Members = Readonly<Record<string, unknown>>;

/** Number of reads of each member. */
type Reads = Map<string, number>;

/** Answers whose members count their reads, and have another value at each later one. */
const kinds: Readonly<Record<string, (members: Members, later: Members, reads: Reads) => object>> = {
  "own getters": (members, later, reads) =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Object.keys(members).map((name) => [
          name,
          { enumerable: true, get: () => valueOf(name, members, later, reads) },
        ]),
      ),
    ),
  "getters of a class": (members, later, reads) => {
    const prototype = {};
    for (const name of Object.keys(members))
      Object.defineProperty(prototype, name, { get: () => valueOf(name, members, later, reads) });
    return Object.create(prototype) as object;
  },
  "a proxy": (members, later, reads) =>
    new Proxy(
      { ...members },
      {
        get: (target, name) =>
          typeof name === "string" && Object.hasOwn(members, name)
            ? valueOf(name, members, later, reads)
            : (Reflect.get(target, name) as unknown),
      },
    ),
};

function valueOf(name: string, members: Members, later: Members, reads: Reads): unknown {
  const count = (reads.get(name) ?? 0) + 1;
  reads.set(name, count);
  return count === 1 ? members[name] : later[name];
}

interface Row {
  /** The answer as it is when it is read first: the call does not run. */
  readonly members: Members;
  /** The answer at a later read: it would allow the call. */
  readonly later: Members;
  readonly options: (answer: () => never) => Partial<AgentOptions>;
}

const ended = { stop: "Enough." };
const gate = (hook: Partial<Extension>): Partial<AgentOptions> => ({
  extensions: [{ name: "guard", ...hook }],
});

/** Each function whose answer refuses the call, or ends the run before it. */
const refusing: Readonly<Record<string, Row>> = {
  "approval.onApproval": {
    members: { approved: false, reason: "No." },
    later: { approved: true },
    options: (onApproval) => ({ approval: { policy: "all", onApproval } }),
  },
  "guardrails.input": {
    members: { pass: false, reason: "No." },
    later: { pass: true },
    options: (validate) => ({ guardrails: { input: [{ name: "guard", validate }] } }),
  },
  "guardrails.toolInput": {
    members: { pass: false, reason: "No." },
    later: { pass: true },
    options: (validate) => ({ guardrails: { toolInput: [{ name: "guard", validate }] } }),
  },
  "extension.gate": {
    members: { refuse: "No." },
    later: {},
    options: (hook) => gate({ gate: hook }),
  },
  "loopHooks.beforeToolExec": {
    members: { skip: true, result: "skipped" },
    later: { skip: false },
    options: (beforeToolExec) => ({ loopHooks: { beforeToolExec } }),
  },
};

/** Each other function whose answer decides something, with an answer that it may give. */
const deciding: Readonly<Record<string, Row>> = {
  "approval.onApproval, edited": {
    members: { approved: true, args: { line: "edited" } },
    later: { approved: false, args: { line: "later" } },
    options: (onApproval) => ({ approval: { policy: "all", onApproval } }),
  },
  "guardrails.output": {
    members: { pass: true, replace: "replaced" },
    later: { pass: false, replace: "later" },
    options: (validate) => ({ guardrails: { output: [{ name: "guard", validate }] } }),
  },
  "guardrails.toolOutput": {
    members: { pass: true, replace: "replaced" },
    later: { pass: false, replace: "later" },
    options: (validate) => ({ guardrails: { toolOutput: [{ name: "guard", validate }] } }),
  },
  "extension.result": {
    members: { replaceResult: "replaced" },
    later: { replaceResult: 7 },
    options: (hook) => gate({ result: hook }),
  },
  "extension.beforeModel": {
    members: { insert: [{ text: "inserted" }] },
    later: { insert: 7 },
    options: (hook) => gate({ beforeModel: hook }),
  },
  "extension.afterTurn": { members: ended, later: { stop: 7 }, options: (hook) => gate({ afterTurn: hook }) },
  "loopHooks.onRoundtripComplete": {
    members: { stop: true },
    later: { stop: false },
    options: (onRoundtripComplete) => ({ loopHooks: { onRoundtripComplete } }),
  },
  toolUseBehavior: {
    members: { isFinalOutput: true, finalOutput: "final" },
    later: { isFinalOutput: false, finalOutput: 7 },
    options: (toolUseBehavior) => ({ toolUseBehavior }),
  },
};

function writer(ran: unknown[]): Tool {
  return tool({
    name: "write",
    description: "Writes.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    execute: (input) => void ran.push(input),
  });
}

const agentWith = (options: Partial<AgentOptions>, ran: unknown[]): Agent =>
  new Agent({
    name: "agent",
    logger: quiet,
    flow: "off",
    model: scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: "write", arguments: { line: "a" } }] } : "Done.",
    ),
    tools: [writer(ran)],
    ...options,
  });

const most = (reads: Reads): number => Math.max(...reads.values());

describe.each(Object.entries(kinds))("an answer with %s", (kind, make) => {
  test.each(Object.entries({ ...refusing, ...deciding }))(
    "of %s is read once, and what was checked counts [hooks.answer.once]",
    async (name, { members, later, options }) => {
      const reads: Reads = new Map();
      const answers: object[] = [];
      const ran: unknown[] = [];
      const agent = agentWith(
        options(() => {
          reads.clear();
          const made = make(members, later, reads);
          answers.push(made);
          return made as never;
        }),
        ran,
      );
      const output = await agent.run("Go.").catch((error: { readonly output?: unknown }) => error.output);
      expect([kind, name, answers.length > 0, most(reads)]).toEqual([kind, name, true, 1]);
      if (Object.hasOwn(refusing, name)) expect(ran).toEqual([]);
      if (name === "approval.onApproval, edited") expect(ran).toEqual([{ line: "edited" }]);
      if (name === "toolUseBehavior") expect(output).toMatchObject({ text: "final" });
      if (name === "guardrails.output") expect(output).toMatchObject({ text: "replaced" });
    },
  );

  test("of lookup is read once, and an effect that did not happen is not reported as one that did [hooks.answer.once]", async () => {
    const reads: Reads = new Map();
    const store = memoryStore();
    const members = { status: "done", output: "found" };
    const agent = agentWith(
      {
        store,
        tools: [
          {
            ...writer([]),
            idempotencyKey: "call",
            lookup: async () => make(members, { status: "absent", output: "later" }, reads) as LookupResult,
          },
        ],
      },
      [],
    );
    const { runId } = await agent.run("Go.");
    const atSeq = (await store.load(runId)).find(({ type }) => type === "tool.intent")?.seq ?? 0;
    const { runId: forkId } = await agent.fork(runId, { atSeq });
    await agent.resume(forkId);
    expect(most(reads)).toBe(1);
  });

  test("of authorize is read once: the caller that was checked is the caller [server.authorize.answer]", () => {
    const reads: Reads = new Map();
    const first = { userId: "eve", tenantId: "acme", allTenants: false };
    const given = make(first, { userId: "ada", tenantId: "other", allTenants: true }, reads) as {
      readonly userId: string;
    };
    const caller = checkedCaller(given, "the routes", ["allTenants"]);
    for (let read = 0; read < 3; read += 1) expect(caller).toMatchObject(first);
    expect(most(reads)).toBe(1);
  });
});

test("a caller of a class keeps its methods, also those that use private members [server.authorize.answer]", () => {
  class Session {
    readonly #id = "eve";
    get userId(): string {
      return this.#id;
    }
    can(action: string): string {
      return `${this.#id} may ${action}`;
    }
  }
  const caller = checkedCaller(new Session(), "the routes");
  expect([caller?.userId, caller?.can("read")]).toEqual(["eve", "eve may read"]);
});

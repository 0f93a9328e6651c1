import {
  agentTool,
  memoryStore,
  tool,
  type AgentOptions,
  type Clock,
  type Decision,
  type RunStore,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { add, openAgent } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

type Definition = Readonly<Record<string, unknown>>;

const writer = { sideEffectClass: "external-stateful" } as const;

/** The tool as declared by the version that crashed. */
const before: Readonly<Record<string, Definition>> = {
  "a reader": { sideEffectClass: "read-only" },
  "an undeclared tool": {},
  "a writer with a key of the call": { ...writer, idempotencyKey: "call" },
  "a writer with a key of the order": { ...writer, idempotencyKey: ({ order }: { readonly order: string }) => order },
  "a writer": writer,
  "an approved writer": { ...writer, needsApproval: true },
  "an approved writer with a key": { ...writer, needsApproval: true, idempotencyKey: "call" },
};

const without = (definition: Definition, ...names: readonly string[]): Definition =>
  Object.fromEntries(Object.entries(definition).filter(([name]) => !names.includes(name)));

/** One change of the next version. */
interface Upgrade {
  readonly tool?: (definition: Definition) => Definition;
  readonly agent?: Partial<AgentOptions>;
  /** Options of the outer agents of the one that has the tool. */
  readonly around?: Partial<AgentOptions>;
  /** The outer agents no longer have a tool for the inner agent. */
  readonly alone?: true;
  readonly name?: string;
  readonly decisions?: readonly Decision[];
  /** The change adds a gate: the call waits for a person unless a person already approved it. */
  readonly gates?: true;
  /** The change adds a gate that refuses the call: a repetition is asked about, also if a person approved it. */
  readonly refuses?: true;
  /** The same call under the same key: a writer with a key is repeated. */
  readonly same?: true;
  /** The definition is another one: an approval does not cover it. */
  readonly redefined?: true;
  /** The same call for a tool that had this key before. */
  readonly sameOf?: "call";
  /** The tool writes: a call that may have run as a reader is asked about. */
  readonly writes?: true;
}

const schema = (inputSchema: unknown): Upgrade => ({ tool: (definition) => ({ ...definition, inputSchema }) });

const upgrades: Readonly<Record<string, Upgrade>> = {
  nothing: { same: true },
  "a description": {
    tool: (definition) => ({ ...definition, description: "Acts, once." }),
    same: true,
    redefined: true,
  },
  "another name of the agent": { name: "renamed", same: true },
  "an optional field": {
    ...schema(z.object({ order: z.string(), note: z.string().optional() })),
    same: true,
    redefined: true,
  },
  "another key": { tool: (definition) => ({ ...definition, idempotencyKey: () => "another" }) },
  "a key that throws": {
    tool: (definition) => ({
      ...definition,
      idempotencyKey: () => {
        throw new Error("no key");
      },
    }),
  },
  "no key": { tool: (definition) => without(definition, "idempotencyKey") },
  "the class of a reader": {
    tool: (definition) => ({ ...without(definition, "idempotencyKey"), sideEffectClass: "read-only" }),
  },
  "the class of a pure function": {
    tool: (definition) => ({ ...without(definition, "idempotencyKey"), sideEffectClass: "pure" }),
  },
  "the class of a writer": {
    tool: (definition) => ({ ...without(definition, "idempotencyKey"), sideEffectClass: "external-stateful" }),
    writes: true,
  },
  "the class of a writer with a key of the call": {
    tool: (definition) => ({ ...definition, sideEffectClass: "external-stateful", idempotencyKey: "call" }),
    writes: true,
    sameOf: "call",
  },
  "a transforming schema": schema(z.object({ order: z.string().transform((order) => `#${order}`) })),
  "a field with a default": schema(z.object({ order: z.string(), count: z.number().default(2) })),
  "a schema that takes other arguments": schema(z.object({ order: z.number() })),
  "an approval that the tool needs": {
    tool: (definition) => ({ ...definition, needsApproval: true }),
    gates: true,
    same: true,
  },
  "an approval policy by name": { agent: { approval: { policy: ["act"] } }, gates: true, same: true },
  "an approval policy for all": { agent: { approval: { policy: "all" } }, gates: true, same: true },
  "an approval policy that is a function": { agent: { approval: { policy: () => true } }, gates: true, same: true },
  "a guardrail that refuses": {
    agent: { guardrails: { toolInput: [{ name: "closed", validate: () => ({ pass: false, reason: "closed" }) }] } },
    refuses: true,
    same: true,
  },
  "an extension that refuses": {
    agent: { extensions: [{ name: "closed", gate: () => ({ refuse: "closed" }) }] },
    refuses: true,
    same: true,
  },
  "an extension that asks": {
    agent: { extensions: [{ name: "asking", gate: () => ({ ask: "Is this right?" }) }] },
    gates: true,
    same: true,
  },
  "an approval policy that fails": {
    agent: {
      approval: {
        policy: () => {
          throw new Error("no policy");
        },
      },
    },
    gates: true,
    same: true,
  },
};

const depths = [0, 1, 2] as const;

/** A run whose process died in the tool, after its effect. */
async function diedInTool(declared: Definition, depth: (typeof depths)[number]) {
  let now = 1_000;
  const stopped: Clock = { now: () => now, setTimer: () => () => undefined };
  /** A clock whose timers fire at once. */
  const ticking: Clock = {
    now: () => now,
    setTimer(callback, delayMs) {
      const timer = setTimeout(() => {
        now += delayMs;
        callback();
      }, 1);
      return () => clearTimeout(timer);
    },
  };
  const store: RunStore = memoryStore({ clock: ticking });
  const effects: (string | undefined)[] = [];
  let acted = (): void => undefined;
  let dies = true;
  const inTool = new Promise<void>((resolve) => (acted = resolve));
  const act = (definition: Definition): Tool =>
    tool({
      name: "act",
      description: "Acts.",
      inputSchema: z.object({ order: z.string() }),
      execute: (_input: unknown, ctx: { readonly idempotencyKey?: string | undefined }) => {
        effects.push(ctx.idempotencyKey);
        if (!dies) return "acted";
        acted();
        return new Promise(() => undefined);
      },
      ...definition,
    });
  const once = (called: string, args: object) =>
    scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Done." : { toolCalls: [{ name: called, arguments: args }] },
    );
  const version = (definition: Definition, upgrade: Upgrade, clock: Clock): Agent => {
    const { agent: options, name, around, alone } = upgrade;
    const base = { ...openAgent, store, clock };
    let agent = new Agent({
      ...base,
      name: name ?? "acting",
      model: once("act", { order: "1" }),
      tools: [act(definition)],
      ...options,
    });
    for (let level = 1; level <= depth; level += 1)
      agent = new Agent({
        ...base,
        name: `around_${level}`,
        model: once("inside", { input: "Act." }),
        tools: alone === true ? [] : [agentTool(agent, { name: "inside" }), add],
        ...around,
      });
    return agent;
  };
  const first = version(declared, {}, stopped);
  const outer = async () => (await store.listRuns({})).find(({ parent }) => parent === undefined)?.id ?? "";
  const begun = first.run("Act.");
  begun.catch(() => undefined);
  if (declared["needsApproval"] === true) {
    const { runId, interruptions } = await begun;
    first
      .resume(
        runId,
        interruptions.map((asked) => asked.approve()),
      )
      .catch(() => undefined);
  }
  await inTool;
  dies = false;
  now += 3_600_000;
  return {
    effects,
    resume: async (next: Definition, upgrade: Upgrade) =>
      version(next, upgrade, ticking).resume(await outer(), upgrade.decisions),
    /** Resumes with a version whose process dies during the model call. */
    dieAgain: async (next: Definition) => {
      const { model, asked } = silentModel();
      version(next, { agent: { model } }, stopped)
        .resume(await outer())
        .catch(() => undefined);
      await asked;
      now += 3_600_000;
    },
  };
}

/** A model that never answers. */
function silentModel() {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const model = scriptedModel(() => {
    ask();
    return new Promise<never>(() => undefined);
  });
  return { model, asked };
}

test("a reader that became a writer is not repeated by a later process of the new version [effects.resume.former-reader]", async () => {
  const { effects, dieAgain, resume } = await diedInTool({ sideEffectClass: "read-only" }, 0);
  await dieAgain(writer);
  const asked = await resume(writer, {});
  expect(asked).toMatchObject({ status: "suspended", interruptions: [{ kind: "unknown_outcome", toolName: "act" }] });
  expect(asked.interruptions[0]?.question.unusual).toMatchObject([
    { text: expect.stringContaining("reader") as string },
  ]);
  expect(effects).toHaveLength(1);
});

test.each([
  ["it happened", 1],
  ["it did not happen", 2],
] as const)(
  "a reader that became a writer runs again only if a person says that it did not happen: %s [effects.resume.former-reader]",
  async (said, executions) => {
    const { effects, resume } = await diedInTool({ sideEffectClass: "read-only" }, 0);
    const asked = await resume(writer, {});
    const decisions = asked.interruptions.map((one) =>
      said === "it happened" ? one.itHappened("acted") : one.itDidNotHappen(),
    );
    expect(await resume(writer, { decisions })).toMatchObject({ status: "completed" });
    expect(effects).toHaveLength(executions);
  },
);

test("a tool that is new in the next version causes no question [effects.resume.former-reader]", async () => {
  const { effects, resume } = await diedInTool({ sideEffectClass: "read-only" }, 0);
  const fresh = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({}),
    execute: () => void effects.push("sent"),
    ...writer,
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "send" }] },
  );
  expect(await resume({}, { agent: { model, tools: [fresh] } })).toMatchObject({ status: "completed" });
  expect(effects.slice(1)).toEqual(["sent"]);
});

const toolMissing = expect.objectContaining({ code: "TOOL_MISSING" }) as Error;

test("a version without the tool ends with TOOL_MISSING, and the question comes once the tool is back [effects.resume.upgrade]", async () => {
  const { effects, resume } = await diedInTool(writer, 0);
  await expect(resume(writer, { agent: { tools: [] } })).rejects.toThrow(toolMissing);
  expect(await resume(writer, {})).toMatchObject({ interruptions: [{ kind: "unknown_outcome", toolName: "act" }] });
  expect(effects).toHaveLength(1);
});

test("a version without the agent inside ends with TOOL_MISSING, and the question comes once it is back [journal.synced.inside]", async () => {
  const { effects, resume } = await diedInTool(writer, 1);
  await expect(resume(writer, { alone: true })).rejects.toThrow(toolMissing);
  expect(await resume(writer, {})).toMatchObject({ interruptions: [{ kind: "unknown_outcome", toolName: "act" }] });
  expect(effects).toHaveLength(1);
});

describe.each(Object.keys(before).flatMap((name) => depths.map((depth) => [name, depth] as const)))(
  "%s, %i agents deep, whose process died after the effect",
  (name, depth) => {
    const declared = before[name] ?? {};
    const gone: Readonly<Record<string, Upgrade>> = {
      "the tool": { agent: { tools: [] } },
      ...(depth > 0 && { "the agent inside": { alone: true } }),
    };

    test.each(Object.entries(gone))(
      "stops the run in a version without %s, and is not repeated silently once it is back [run.resume.tool-missing] [journal.synced.inside]",
      async (what, upgrade) => {
        const { effects, resume } = await diedInTool(declared, depth);
        // Only the intent of a writer is journaled: the model hears that there is no such reader.
        if (declared["sideEffectClass"] === "read-only" && what === "the tool")
          return expect((await resume(declared, upgrade)).status).toBe("completed");
        for (let times = 0; times < 2; times += 1)
          await expect(resume(declared, upgrade)).rejects.toMatchObject({ code: "TOOL_MISSING" });
        expect(effects).toHaveLength(1);
        const { status, interruptions } = await resume(declared, {});
        if (declared["sideEffectClass"] === "read-only") return expect(status).toBe("completed");
        if (declared["idempotencyKey"] !== undefined)
          return expect([status, effects]).toEqual(["completed", [effects[0], effects[0]]]);
        expect(interruptions).toMatchObject([{ kind: "unknown_outcome", toolName: "act" }]);
        return expect(effects).toHaveLength(1);
      },
    );
  },
);

test.each([1, 2] as const)(
  "an outer model that would answer differently after the crash, %i agents out, does not repeat the effect in another call [journal.synced.inside]",
  async (depth) => {
    const { effects, resume } = await diedInTool(writer, depth);
    const model = scriptedModel(({ toolResults }) =>
      toolResults.length > 0
        ? "Done."
        : {
            toolCalls: [
              { name: "add", arguments: { a: 1, b: 2 } },
              { name: "inside", arguments: { input: "Act." } },
            ],
          },
    );
    expect(await resume(writer, { around: { model } })).toMatchObject({
      status: "suspended",
      interruptions: [{ kind: "unknown_outcome", toolName: "act" }],
    });
    expect(effects).toHaveLength(1);
  },
);

describe.each(Object.keys(before).flatMap((name) => depths.map((depth) => [name, depth] as const)))(
  "%s, %i agents deep, whose process died after the effect",
  (name, depth) => {
    const declared = before[name] ?? {};
    const isReader = declared["sideEffectClass"] === "read-only";
    const isKeyed = declared["idempotencyKey"] !== undefined;
    const isApproved = declared["needsApproval"] === true;

    test.each(Object.keys(upgrades))(
      "is not repeated silently by a version with %s [effects.resume.upgrade] [effects.resume.gate-added] [journal.synced.inside]",
      async (change) => {
        const upgrade = upgrades[change] ?? {};
        const { effects, resume } = await diedInTool(declared, depth);
        const [key] = effects;
        const output = await resume(upgrade.tool?.(declared) ?? declared, upgrade);
        const isGated = upgrade.gates === true && !isApproved;
        const isCovered = !isApproved || upgrade.redefined !== true;
        const isSame =
          (isCovered && upgrade.same === true) ||
          (upgrade.sameOf !== undefined && declared["idempotencyKey"] === "call");
        if (isReader && upgrade.writes !== true) {
          // A reader may run again, after the added gate.
          expect(output.status).toBe(isGated ? "suspended" : "completed");
          if (isGated || upgrade.refuses === true) expect(effects).toHaveLength(1);
        } else if (isKeyed && isSame && !isGated && upgrade.refuses !== true) {
          expect(output.status).toBe("completed");
          expect(effects).toEqual([key, key]);
        } else {
          expect(output).toMatchObject({
            status: "suspended",
            interruptions: [{ kind: "unknown_outcome", toolName: "act" }],
          });
          expect(effects).toEqual([key]);
        }
      },
    );
  },
);

test.each(["a guardrail that refuses", "an extension that refuses"])(
  "an approved call that has not run is refused by a version with %s, also in an agent inside [effects.resume.gate-added]",
  async (change) => {
    const ran: string[] = [];
    const store = memoryStore();
    const version = (added: Partial<AgentOptions>, around: Partial<AgentOptions>): Agent => {
      const act = tool({
        name: "act",
        description: "Acts.",
        inputSchema: z.object({ order: z.string() }),
        needsApproval: true,
        execute: ({ order }) => void ran.push(order),
        ...writer,
      });
      const once = (name: string, args: object) =>
        scriptedModel(({ toolResults }) => toolResults[0]?.text ?? { toolCalls: [{ name, arguments: args }] });
      const base = { ...openAgent, store };
      const inner = new Agent({ ...base, name: "inner", model: once("act", { order: "1" }), tools: [act], ...added });
      const inside = agentTool(inner, { name: "inside" });
      return new Agent({
        ...base,
        name: "outer",
        model: once("inside", { input: "Act." }),
        tools: [inside],
        ...around,
      });
    };
    const added = upgrades[change]?.agent ?? {};
    for (const next of [version(added, {}), version({}, added)]) {
      const { runId, interruptions } = await version({}, {}).run("Act.");
      const output = await next.resume(
        runId,
        interruptions.map((asked) => asked.approve()),
      );
      expect(output).toMatchObject({ status: "completed", text: expect.stringContaining("closed") as string });
      expect(output.text).not.toContain("Nothing ran");
    }
    expect(ran).toEqual([]);
  },
);

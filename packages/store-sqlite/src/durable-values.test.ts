import {
  clientTool,
  createAgentRuntime,
  tool,
  type AgentRuntime,
  type Interruption,
  type RunStore,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqliteStore } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "durable-values-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

class Money {
  amount = 5;
}
class Hidden {
  #amount = 5;
  read(): number {
    return this.#amount;
  }
}

/** Values that JSON would lose or change, and those that it keeps. */
const kept: Readonly<Record<string, unknown>> = {
  "plain JSON": { a: [1, "b", null, true, { c: 0.5 }] },
  "a member that is undefined": { a: 1, b: undefined },
  "an object without a prototype": Object.assign(Object.create(null) as object, { a: 1 }),
  "a member named __proto__": JSON.parse('{"__proto__": {"x": 1}}'),
  "an object like a mark of the journal": { $bytes: "AA==" },
  "half a character": "\ud800",
  "negative zero": { a: -0 },
};
const lost: Readonly<Record<string, unknown>> = {
  "a date": new Date(0),
  "a map": new Map([["a", 1]]),
  "a set": new Set([1]),
  "a big integer": 5n,
  "not a number": Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  "undefined in a list": [1, undefined],
  "an instance of a class": new Money(),
  "an instance with private members": new Hidden(),
  bytes: new Uint8Array([1, 2]),
  "an object with toJSON": { toJSON: () => ({ x: 1 }) },
  "a function": { call() {} },
  "a member whose name is a symbol": { [Symbol("s")]: 1 },
  "a regular expression": /x/u,
  "an error": new Error("e"),
};
const nested = (value: unknown): unknown => ({ list: [{ value }] });
const cases = [...Object.entries(kept), ...Object.entries(lost)].flatMap(([name, value]) => {
  const isKept = Object.hasOwn(kept, name);
  return [[name, value, isKept] as const, [`${name}, inside`, nested(value), isKept] as const];
});

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** An agent whose only tool asks twice, or runs on the client, or crashed with an unknown outcome. */
function agentOver(store: RunStore, seen: unknown[], kind: string): AgentRuntime {
  const asks = tool({
    name: "act",
    description: "Acts.",
    inputSchema: { type: "object" },
    sideEffectClass: "read-only",
    async execute(_input, ctx) {
      seen.push(await ctx.ask({ question: "What?", schema: z.any() }));
      await ctx.ask({ question: "Go on?", schema: z.any() });
      return "Done.";
    },
  });
  const onClient = clientTool({ name: "act", description: "Acts.", inputSchema: z.object({}), outputSchema: z.any() });
  return createAgentRuntime({
    name: "clerk",
    store,
    logger: quiet,
    flow: "off",
    tools: [kind === "client" ? onClient : asks],
    model: scriptedModel(({ toolResults }) =>
      toolResults.length === 0 ? { toolCalls: [{ name: "act", arguments: {} }] } : "Done.",
    ),
  });
}

const keptCases = cases.filter(([, , isKept]) => isKept);
const refusedCases = cases.filter(([, , isKept]) => !isKept);

describe("an answer is read back as it was given, before and after a crash [state.json]", () => {
  test.each(keptCases)("ctx.ask: %s", async (_name, value) => {
    const path = join(folder, `${(files += 1)}.db`);
    const seen: unknown[] = [];
    const first = sqliteStore({ path });
    const agent = agentOver(first, seen, "ask");
    const { runId, interruptions } = await agent.run("Go.");
    const waiting = await agent.resume(runId, [(interruptions[0] as Interruption).answer(value)]);
    await first.close();
    const second = sqliteStore({ path });
    const go = (waiting.interruptions[0] as Interruption).answer("go");
    expect((await agentOver(second, seen, "ask").resume(runId, [go])).status).toBe("completed");
    expect(seen).toHaveLength(2);
    expect(seen[1]).toStrictEqual(seen[0]);
    await second.close();
  });

  test.each(keptCases)("client tool: %s", async (_name, value) => {
    const path = join(folder, `${(files += 1)}.db`);
    const first = sqliteStore({ path });
    const agent = agentOver(first, [], "client");
    const { runId, interruptions } = await agent.run("Go.");
    const { toolCalls } = await agent.resume(runId, [(interruptions[0] as Interruption).answer(value)]);
    await first.close();
    const second = sqliteStore({ path });
    const later = await agentOver(second, [], "client").replay(runId);
    expect(later?.toolCalls[0]?.output).toStrictEqual(toolCalls[0]?.output);
    await second.close();
  });
});

describe("an answer that JSON would lose or change is refused, and the question stays open [state.json]", () => {
  const store = sqliteStore({ path: join(folder, "refused.db") });
  afterAll(() => store.close());

  test.each(["ask", "client"].flatMap((kind) => refusedCases.map(([name, value]) => [kind, name, value] as const)))(
    "%s: %s",
    async (kind, _name, value) => {
      const agent = agentOver(store, [], kind);
      const { runId, interruptions } = await agent.run("Go.");
      const answer = (interruptions[0] as Interruption).answer(value);
      for (const give of [() => agent.resume(runId, [answer]), () => agent.decide(runId, [answer])])
        await expect(give()).rejects.toMatchObject({ code: "ANSWER_INVALID" });
      expect((await agent.interruptions(runId)).map(({ id }) => id)).toEqual([interruptions[0]?.id]);
    },
  );
});

test.each([
  ["an instance of a class", new Money()],
  ["instances inside", { list: [new Money(), { one: new Money() }] }],
])(
  "the output of a tool, %s, is the same plain value live and in another process [loop.tool-output]",
  async (_name, output) => {
    const path = join(folder, `${(files += 1)}.db`);
    const make = (store: RunStore): AgentRuntime =>
      createAgentRuntime({
        name: "clerk",
        store,
        logger: quiet,
        tools: [
          tool({
            name: "act",
            description: "Acts.",
            inputSchema: { type: "object" },
            sideEffectClass: "read-only",
            execute: () => output,
          }),
        ],
        model: scriptedModel(({ toolResults }) =>
          toolResults.length === 0 ? { toolCalls: [{ name: "act", arguments: {} }] } : "Done.",
        ),
      });
    const first = sqliteStore({ path });
    const live = await make(first).run("Go.");
    await first.close();
    const second = sqliteStore({ path });
    const later = await make(second).replay(live.runId);
    expect(live.toolCalls[0]?.output).toStrictEqual(later?.toolCalls[0]?.output);
    await second.close();
  },
);

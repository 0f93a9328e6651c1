import {
  agentTool,
  handoff,
  memoryStore,
  type AgentOptions,
  type Extension,
  type ExtensionContext,
  type RunStore,
} from "@bailiwick/core";
import { codeMode } from "@bailiwick/compose/code-mode";
import { loop, map, parallel, pipeline, route } from "../../src/compose.ts";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { counter, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** A model that calls a tool once, and ends when it has read the result. */
const callsOnce = (name: string, args: object): ScriptedModel =>
  scriptedModel((request) =>
    request.toolResults.every(({ toolName }) => toolName !== name)
      ? { toolCalls: [{ name, arguments: args }] }
      : "Done.",
  );

interface World {
  readonly ran: string[];
  /** An agent around the writer, which has the extensions. */
  readonly agent: (extensions: readonly Extension[], options?: Partial<AgentOptions>) => Agent;
}

/** The path from the agent with the extension to the writer. */
const holders: Readonly<Record<string, (store: RunStore) => World>> = {
  "the agent itself": (store) => {
    const { write, ran } = counter();
    return {
      ran,
      agent: (extensions, options) =>
        new Agent({ ...base, store, model: callsOnce("write", { line: "a" }), tools: [write], extensions, ...options }),
    };
  },
  "an agent as a tool": (store) => around(store, (clerk) => ({ tools: [agentTool(clerk)] }), "clerk"),
  "a handoff": (store) => around(store, (clerk) => ({ handoffs: [handoff(clerk)] }), "transfer_to_clerk"),
  "a pipeline": (store) => around(store, (clerk) => ({ tools: [agentTool(pipeline({ name: "office" }, clerk))] })),
  "a parallel composition": (store) =>
    around(store, (clerk) => ({ tools: [agentTool(parallel({ name: "office" }, { clerk }))] })),
  "a map": (store) =>
    around(store, (clerk) => ({ tools: [agentTool(map({ name: "office", items: () => ["go"] }, clerk))] })),
  "a route": (store) =>
    around(store, (clerk) => ({ tools: [agentTool(route({ name: "office", choose: () => "clerk" }, { clerk }))] })),
  "a loop": (store) =>
    around(store, (clerk) => ({
      tools: [agentTool(loop({ name: "office", until: () => true, maxRounds: 2 }, clerk))],
    })),
  "a program": (store) => {
    const { write, ran } = counter();
    const model = (): ScriptedModel => callsOnce("run_code", { code: 'return await tools.write({ line: "a" });' });
    return {
      ran,
      agent: (extensions, options) =>
        new Agent({ ...base, store, model: model(), tools: [codeMode({ tools: [write] })], extensions, ...options }),
    };
  },
};

function around(store: RunStore, hold: (clerk: Agent) => Partial<AgentOptions>, call = "office"): World {
  const { write, ran } = counter();
  const clerk = (): Agent =>
    new Agent({ ...base, name: "clerk", model: callsOnce("write", { line: "a" }), tools: [write] });
  return {
    ran,
    agent: (extensions, options) =>
      new Agent({
        ...base,
        store,
        model: callsOnce(call, call === "transfer_to_clerk" ? {} : { input: "go" }),
        ...hold(clerk()),
        extensions,
        ...options,
      }),
  };
}

const onWrite = (name: string, gate: NonNullable<Extension["gate"]>): Extension => ({
  name,
  gate: (call, ctx) => (call.toolName === "write" ? gate(call, ctx) : undefined),
});

const refusing = onWrite("refusing", () => ({ refuse: "not today" }));
const asking = onWrite("asking", () => ({ ask: "look at it" }));

describe.each(Object.entries(holders))("an extension's gate and a writer in %s", (_name, make) => {
  test("refuses the call [extensions.paths.composition] [extensions.paths.code-mode]", async () => {
    const { agent, ran } = make(memoryStore());
    await agent([refusing]).run("go");
    expect(ran).toEqual([]);
  });

  test("asks a person, who approves; the call runs once [extensions.paths.resume]", async () => {
    const { agent, ran } = make(memoryStore());
    const asked = await agent([asking]).run("go");
    expect(asked.status).toBe("suspended");
    expect(asked.interruptions[0]?.question.unusual[0]?.text).toContain("look at it");
    const output = await agent([asking]).resume(
      asked.runId,
      asked.interruptions.map((one) => one.approve()),
    );
    expect([output.status, ran]).toEqual(["completed", ["a"]]);
  });

  test("refuses an approved call if the extension was added between the question and the answer [extensions.paths.resume]", async () => {
    const { agent, ran } = make(memoryStore());
    const asked = await agent([asking]).run("go");
    const output = await agent([asking, refusing]).resume(
      asked.runId,
      asked.interruptions.map((one) => one.approve()),
    );
    expect([output.status, ran]).toEqual(["completed", []]);
  });

  test("judges the arguments that an approver edited [extensions.paths.edited]", async () => {
    const lines = onWrite("lines", ({ args }) =>
      (args as { line: string }).line === "bad" ? { refuse: "bad line" } : { ask: "look at it" },
    );
    for (const [line, expected] of [
      ["bad", []],
      ["fine", ["fine"]],
    ] as const) {
      const { agent, ran } = make(memoryStore());
      const asked = await agent([lines]).run("go");
      await agent([lines]).resume(
        asked.runId,
        asked.interruptions.map((one) => one.approve({ args: { line } })),
      );
      expect(ran).toEqual(expected);
    }
  });

  test("judges the calls of a fork, with the state of the run at the fork [extensions.paths.fork]", async () => {
    const store = memoryStore();
    const { agent, ran } = make(store);
    const seen: unknown[] = [];
    const counting: Extension = onWrite("counting", (_call, { state, setState }: ExtensionContext) => {
      seen.push(state);
      setState(Number(state ?? 0) + 1);
      return { ask: "look at it" };
    });
    const asked = await agent([counting]).run("go");
    const atSeq = (await store.load(asked.runId)).findLast(({ type }) => type !== "run.end")?.seq ?? 0;
    for (const [extension, expected] of [
      [refusing, []],
      [counting, ["a"]],
    ] as const) {
      const { runId } = await agent([extension]).fork(asked.runId, { atSeq });
      const open = await agent([extension]).interruptions(runId);
      const output = await agent([extension]).resume(
        runId,
        open.map((one) => one.approve()),
      );
      expect([output.status, ran]).toEqual(["completed", expected]);
    }
    expect(seen).toEqual([undefined, 1]);
  });

  test("judges a call once, and twice if its arguments change [extensions.arguments]", async () => {
    const { agent, ran } = make(memoryStore());
    const seen: unknown[] = [];
    const renaming = onWrite("renaming", ({ args }) => {
      seen.push((args as { line: string }).line);
      return { args: { line: "b" } };
    });
    await agent([renaming]).run("go");
    expect([ran, seen]).toEqual([["b"], ["a", "b"]]);
  });

  test("is notified about the call in its run, and may withhold the result [extensions.result]", async () => {
    const { agent, ran } = make(memoryStore());
    const read: string[] = [];
    const hiding: Extension = {
      name: "hiding",
      result: ({ toolName, text }) => {
        if (toolName !== "write") return undefined;
        read.push(text);
        return { withhold: "a secret" };
      },
    };
    const output = await agent([hiding]).run("go");
    expect([ran, read.length]).toEqual([["a"], 1]);
    expect(JSON.stringify(output)).not.toContain("wrote a");
  });
});

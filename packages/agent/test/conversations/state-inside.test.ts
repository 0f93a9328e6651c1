import { memoryStore, tool, type Runnable } from "@bailiwick/core";
import { codeMode } from "@bailiwick/compose/code-mode";
import { pipeline } from "../../src/compose.ts";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** Adds one to a value of the state, and returns it. */
const count = tool({
  name: "count",
  description: "Counts.",
  inputSchema: z.object({}),
  sideEffectClass: "pure",
  execute: (_input, ctx) => {
    const next = (ctx.getState<number>("n") ?? 0) + 1;
    ctx.setState("n", next);
    return next;
  },
});
const twice = [{ toolCalls: [{ name: "count" }] }, { toolCalls: [{ name: "count" }] }, "Done."];
const code = "await tools.count({}); return await tools.count({})";

const ways: Readonly<Record<string, (shared: object) => Runnable>> = {
  "an agent as a tool": (shared) => {
    const inner = new Agent({ name: "inner", logger: quiet, model: scriptedModel(twice), tools: [count] });
    const model = scriptedModel([{ toolCalls: [{ name: "inner", arguments: { input: "go" } }] }, "Done."]);
    return new Agent({ ...shared, name: "outer", model, tools: [inner.asTool()] });
  },
  "a node of a workflow": (shared) =>
    pipeline(shared, new Agent({ name: "one", logger: quiet, model: scriptedModel(twice), tools: [count] })),
  "a program": (shared) => {
    const model = scriptedModel([{ toolCalls: [{ name: "run_code", arguments: { code } }] }, "Done."]);
    return new Agent({ ...shared, name: "outer", model, tools: [codeMode({ tools: [count] })] });
  },
};

test.each(Object.entries(ways))(
  "the state that tools of %s set lasts as long as that run, and the session keeps its own [state.inside]",
  async (_way, agentOf) => {
    const store = memoryStore();
    await store.sessions.writeState("s", [{ key: "n", value: 10, expected: undefined }], { runId: "r", once: "x" });
    const output = await agentOf({ store, session: store.sessions, logger: quiet }).run("go", { sessionId: "s" });
    expect(output.status).toBe("completed");
    const inside = (await store.listRuns({})).filter(({ id }) => id !== output.runId);
    expect(inside).toHaveLength(1);
    const results = (await store.load(inside[0]?.id ?? "")).flatMap((event) =>
      event.type === "tool.outcome" ? [event.output] : [],
    );
    expect(results).toEqual([1, 2]);
    expect((await store.sessions.loadState("s"))["n"]).toBe(10);
  },
);

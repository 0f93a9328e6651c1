import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, tool, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "./fixtures.test.helper.ts";
import { Agent } from "./index.ts";

const stores: readonly (readonly [string, () => RunStore])[] = [
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "inside-")), "runs.db"), logger: quiet })],
];

test.each(stores)(
  "runs inside a cancelled run are cancelled in a %s store, at any depth, and ask nothing [owner.lists.ended-inside]",
  async (_kind, open) => {
    const store = open();
    let paid = 0;
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval: true,
      execute: () => (paid += 1),
    });
    const common = { description: "Helps.", store, logger: quiet } as const;
    const call = (name: string, args: object = { input: "go" }) => ({ toolCalls: [{ name, arguments: args }] });
    const inner = new Agent({ ...common, name: "inner", model: scriptedModel([call("pay", {})]), tools: [pay] });
    const middle = new Agent({
      ...common,
      name: "middle",
      model: scriptedModel([call("inner")]),
      tools: [inner.asTool()],
    });
    const outer = new Agent({
      ...common,
      name: "outer",
      model: scriptedModel([call("middle")]),
      tools: [middle.asTool()],
    });
    const { runId, status, interruptions } = await outer.run("go");
    expect(status).toBe("suspended");
    const runs = await store.listRuns({});
    expect(runs.map(({ state }) => state)).toEqual(["suspended", "suspended", "suspended"]);
    await outer.cancel(runId);
    const after = await store.listRuns({});
    expect(after.map(({ state }) => state)).toEqual(["cancelled", "cancelled", "cancelled"]);
    const innerId = after.find(({ agentId }) => agentId === "inner")?.id ?? "";
    expect(await inner.interruptions(innerId)).toEqual([]);
    expect(await inner.inspect(innerId)).toMatchObject({
      output: { status: "cancelled", stopReason: "cancelled", interruptions: [] },
      interruptions: [],
    });
    expect(await failureOf(inner.resume(innerId))).toMatchObject({ code: "RUN_HAS_PARENT" });
    const approvals = interruptions.flatMap((asked) => (asked.kind === "approval" ? [asked.approve()] : []));
    expect(await failureOf(outer.resume(runId, approvals))).toMatchObject({ code: "QUESTION_CLOSED" });
    expect(paid).toBe(0);
    await store.close?.();
  },
);

test("all runs inside a cancelled run are cancelled, on each page of them [owner.lists.ended-inside]", async () => {
  const whole = memoryStore();
  // Pages of one run take the place of thousands of runs.
  const store = new Proxy(whole, {
    get: (target, name: keyof RunStore) =>
      name === "searchRuns"
        ? (search: Parameters<RunStore["searchRuns"]>[0]) => target.searchRuns({ ...search, limit: 1 })
        : target[name],
  });
  const ask = tool({
    name: "ask",
    description: "Asks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => ctx.ask({ question: "Which?", schema: z.string() }),
  });
  const inner = new Agent({
    name: "inner",
    description: "Helps.",
    logger: quiet,
    tools: [ask],
    model: scriptedModel(() => ({ toolCalls: [{ name: "ask", arguments: {} }] })),
  });
  const call = { name: "inner", arguments: { input: "go" } };
  const outer = new Agent({
    name: "outer",
    logger: quiet,
    store,
    tools: [inner.asTool()],
    model: scriptedModel([{ toolCalls: [call, call, call, call, call] }]),
  });
  const { runId } = await outer.run("go");
  await outer.cancel(runId);
  expect((await whole.listRuns({})).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "cancelled"));
});

import { createAgentRuntime, memoryStore, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const realNow = Date.now;

/** Moves the clock of this process. */
function jump(ms: number): void {
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + ms);
}

afterEach(() => void vi.restoreAllMocks());

/** An agent that uses 100 tokens with each answer. The input "pay" suspends its run until a person approves. */
function spending(store: RunStore): AgentRuntime {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: () => "paid",
  });
  const usage = { inputTokens: 80, outputTokens: 20 };
  const model = scriptedModel(({ messages, lastUserText }) =>
    messages.at(-1)?.role === "tool" || lastUserText !== "pay"
      ? { text: "Done.", usage }
      : { toolCalls: [{ name: "pay", arguments: {} }], usage },
  );
  return createAgentRuntime({ name: "spender", model, tools: [pay], store, logger: quiet, flow: "off" });
}

const stores = [
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore({ path: ":memory:", thread: false, clock: { now: () => Date.now() } })],
] as const;

for (const [where, openStore] of stores) {
  test(`a tenant at its runs per minute waits for the next minute, and other tenants do not, in ${where} [worker.limits]`, async () => {
    const store = openStore();
    const agent = spending(store);
    const states = async (ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await store.getRun(id))?.state));
    await using crew = worker({
      agents: [agent],
      store,
      stopOn: [],
      logger: quiet,
      pollMs: 20,
      tenants: { runsPerMinute: 2 },
    });
    const ids: string[] = [];
    for (const tenantId of ["a", "a", "a", "b"]) ids.push((await agent.enqueue("go", { tenantId })).runId);
    await crew.idle();
    expect(await states(ids)).toEqual(["completed", "completed", "queued", "completed"]);
    jump(60_001);
    await expect.poll(() => states(ids)).toEqual(ids.map(() => "completed"));
    await crew.drain();
    await store.close?.();
  });

  test(`the tokens of a resumed run are charged once, and a tenant that used its tokens up waits for the next minute, in ${where} [worker.limits]`, async () => {
    const store = openStore();
    const agent = spending(store);
    const stateOf = async (id: string) => (await store.getRun(id))?.state;
    await using crew = worker({
      agents: [agent],
      store,
      stopOn: [],
      logger: quiet,
      pollMs: 20,
      tenants: { tokensPerMinute: 300 },
    });
    const paying = await agent.enqueue("pay", { tenantId: "a" });
    await crew.idle();
    expect(await stateOf(paying.runId)).toBe("suspended");
    await agent.decide(
      paying.runId,
      (await agent.interruptions(paying.runId)).map((one) => one.approve()),
      { tenantId: "a" },
    );
    await crew.idle();
    expect((await agent.inspect(paying.runId)).output?.usage.totalTokens).toBe(200);

    // 200 tokens are used: one more run may begin, but no further ones.
    const third = await agent.enqueue("go", { tenantId: "a" });
    await crew.idle();
    expect(await stateOf(third.runId)).toBe("completed");
    const fourth = await agent.enqueue("go", { tenantId: "a" });
    const other = await agent.enqueue("go", { tenantId: "b" });
    await crew.idle();
    expect([await stateOf(fourth.runId), await stateOf(other.runId)]).toEqual(["queued", "completed"]);
    jump(60_001);
    await expect.poll(() => stateOf(fourth.runId)).toBe("completed");
    await crew.drain();
    await store.close?.();
  });
}

import { createAgentRuntime, tool } from "@bailiwick/core";
import type { AgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test("a key of another process's run is waited for; after the tool's time limit and a lease the run sleeps until that run has ended [seams.store.ledger.in-progress]", async () => {
  using folder = temporaryFolder();
  await using here = sqliteStore({ path: folder.file });
  await using there = sqliteStore({ path: folder.file });
  let ran = 0;
  let finish = (): void => undefined;
  let started = (): void => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const done = new Promise<void>((resolve) => (finish = resolve));
  const agent = (store: typeof here, timeoutMs: number): AgentRuntime =>
    createAgentRuntime({
      name: "agent",
      model: scriptedModel((request) =>
        request.messages.some(({ role }) => role === "tool")
          ? "Done."
          : { toolCalls: [{ name: "pay", arguments: { bill: 7 } }] },
      ),
      tools: [
        tool({
          name: "pay",
          description: "Pays a bill.",
          inputSchema: z.object({ bill: z.number() }),
          sideEffectClass: "external-stateful",
          idempotencyKey: ({ bill }) => `bill-${bill}`,
          timeoutMs,
          execute: async () => {
            ran += 1;
            started();
            await done;
            return "paid";
          },
        }),
      ],
      store,
      leaseMs: 1_000,
      logger: quiet,
    });
  const first = agent(here, 20_000).run("go", { userId: "u1" });
  await running;
  const impatient = await agent(there, 60).run("go", { userId: "u1" });
  expect(impatient).toMatchObject({ status: "sleeping", toolCalls: [] });
  expect(impatient.warnings.map(({ code }) => code)).toEqual(["idempotency_key_held", "idempotency_key_asleep"]);
  const waiting = agent(there, 20_000).run("go", { userId: "u1" });
  finish();
  expect((await first).toolCalls[0]).toMatchObject({ output: "paid", isError: false });
  expect((await waiting).toolCalls[0]).toMatchObject({ output: "paid", isError: false, deduplicated: true });
  const continued = await agent(there, 60).resume(impatient.runId);
  expect(continued.toolCalls[0]).toMatchObject({ output: "paid", isError: false, deduplicated: true });
  expect(ran).toBe(1);
});

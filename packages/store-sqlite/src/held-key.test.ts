import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { payingAgent, type Death } from "./held-key-process.fixture.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const program = fileURLToPath(new URL("held-key-process.fixture.ts", import.meta.url));

/** Runs the agent in a process that kills itself inside the tool; returns the id of its run. */
async function killedRun(store: RunStore, path: string, folder: string, death: Death): Promise<string> {
  const flags = ["--conditions=@bailiwick/source", "--no-warnings", program, path, folder, death];
  const signal = await new Promise((resolve) => {
    const child = execFile(process.execPath, flags, (error) => resolve(error?.signal));
    child.stderr?.pipe(process.stderr);
  });
  expect(signal).toBe("SIGKILL");
  const [run] = await store.listRuns({ userId: "ana" });
  expect(run?.state).toBe("running");
  return run?.id ?? "";
}

const effects = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith(".paid"));
const deaths: readonly Death[] = ["before the effect", "after the effect"];

describe("a run whose key a killed process holds [seams.store.ledger.gone]", () => {
  test.for(deaths)("makes the call when the lease has expired; the process died %s", async (death) => {
    using temporary = temporaryFolder();
    const folder = dirname(temporary.file);
    await using store = sqliteStore({ path: temporary.file });
    const dead = await killedRun(store, temporary.file, folder, death);
    const agent = payingAgent(store, folder);

    const second = await agent.run("go", { userId: "ana" });
    expect(second).toMatchObject({ status: "completed", toolCalls: [{ output: "paid", isError: false }] });
    expect(effects(folder)).toHaveLength(1);
    expect(second.warnings.find(({ code }) => code === "idempotency_key_taken")?.message).toContain(dead);

    const first = await agent.resume(dead);
    expect(first).toMatchObject({ status: "completed", toolCalls: [{ output: "paid", deduplicated: true }] });
    expect(effects(folder)).toHaveLength(1);
  });

  test("gets the result that the tool's lookup finds", async () => {
    using temporary = temporaryFolder();
    const folder = dirname(temporary.file);
    await using store = sqliteStore({ path: temporary.file });
    await killedRun(store, temporary.file, folder, "after the effect");
    const second = await payingAgent(store, folder, { lookup: "knows" }).run("go", { userId: "ana" });
    expect(second.toolCalls).toMatchObject([{ output: "paid", isError: false }]);
    expect(effects(folder)).toHaveLength(1);
  });

  test("calls nothing if the tool's lookup does not know: the resumed run asks a person", async () => {
    using temporary = temporaryFolder();
    const folder = dirname(temporary.file);
    await using store = sqliteStore({ path: temporary.file });
    const dead = await killedRun(store, temporary.file, folder, "before the effect");
    const agent = payingAgent(store, folder, { lookup: "does not know" });
    const second = await agent.run("go", { userId: "ana" });
    expect(second.toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_outcome" } }]);
    expect(second.toolCalls[0]?.error?.message).toContain(dead);
    expect(effects(folder)).toEqual([]);
    expect(await agent.resume(dead)).toMatchObject({
      status: "suspended",
      interruptions: [{ kind: "unknown_outcome" }],
    });
  });
});

test("a run sleeps while a key's run waits for a person, and a worker with another handle continues it [seams.store.ledger.asleep]", async () => {
  using temporary = temporaryFolder();
  await using here = sqliteStore({ path: temporary.file });
  await using there = sqliteStore({ path: temporary.file });
  const pay = tool({
    name: "pay",
    description: "Pays a bill.",
    inputSchema: z.object({ bill: z.number() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: ({ bill }) => `bill-${bill}`,
    execute: async (_input, ctx) => ctx.ask({ question: "Which account?", schema: z.string() }),
  });
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "pay", arguments: { bill: 7 } }] },
  );
  const agentOn = (store: RunStore): AgentRuntime =>
    createAgentRuntime({ name: "payer", model, tools: [pay], store, logger: quiet });
  const first = await agentOn(here).run("go", { userId: "ana" });
  const second = await agentOn(there).run("go", { userId: "ana" });
  expect([first.status, second.status]).toEqual(["suspended", "sleeping"]);
  const [question] = first.interruptions;
  const answer = question?.kind === "question" ? question.answer("savings") : undefined;
  expect(answer).toBeDefined();
  await agentOn(there).resume(first.runId, answer === undefined ? [] : [answer]);

  const running = worker({ agents: [agentOn(here)], store: here, logger: quiet });
  await expect.poll(async () => (await here.getRun(second.runId))?.state).toBe("completed");
  await running.drain();
  expect((await agentOn(here).inspect(second.runId)).output?.toolCalls).toMatchObject([
    { output: "savings", deduplicated: true },
  ]);
});

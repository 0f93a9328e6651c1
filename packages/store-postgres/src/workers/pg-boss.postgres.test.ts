import {
  BailiwickError,
  createAgentRuntime,
  tool,
  type AgentRuntime,
  type RunOutput,
  type RunStore,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { PgBoss } from "pg-boss";
import { expect, test } from "vitest";
import { z } from "zod";
import { postgresStore } from "../index.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent that writes its input once, after a short sleep where the input asks for it. */
function clerk(store: RunStore, written: string[]): AgentRuntime {
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    async execute({ line }, context) {
      if (line.startsWith("later")) await context.sleep({ ms: 300 });
      written.push(line);
      return "written";
    },
  });
  const model = scriptedModel(({ messages, lastUserText }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "write", arguments: { line: lastUserText } }] },
  );
  return createAgentRuntime({ name: "clerk", model, tools: [write], store, logger: quiet, flow: "off" });
}

/** Drives the run of a job, as in the guide. */
async function consume(boss: PgBoss, agent: AgentRuntime, runId: string): Promise<void> {
  let output: RunOutput;
  try {
    output = await agent.resume(runId);
  } catch (error) {
    const { retryable } = error as { readonly retryable?: boolean };
    // The queue delivers the job again: another process drives the run, or its error is temporary.
    if (retryable === true || (BailiwickError.isInstance(error) && error.code === "RUN_BUSY")) throw error;
    return;
  }
  if (output.wakeAt !== undefined) await boss.send("runs", { runId }, { startAfter: new Date(output.wakeAt) });
}

test("pg-boss drives runs by their ids: each once, even if it delivers a job twice, and sleepers at their time [worker.foreign-queues]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  await using queuePlace = temporarySchema();
  const boss = new PgBoss({ connectionString: testUrl, schema: queuePlace.schema, supervise: false, schedule: false });
  boss.on("error", () => undefined);
  await boss.start();
  try {
    await boss.createQueue("runs", { retryLimit: 100, retryDelay: 1 });
    const written: string[] = [];
    const agent = clerk(store, written);
    for (let count = 0; count < 3; count += 1)
      await boss.work<{ runId: string }>("runs", { pollingIntervalSeconds: 0.5, batchSize: 1 }, async (jobs) => {
        for (const { data } of jobs) await consume(boss, agent, data.runId);
      });
    const ids: string[] = [];
    for (const line of ["one", "two", "three", "later"]) {
      const { runId } = await agent.enqueue(line);
      ids.push(runId);
      // A queue delivers at least once.
      await boss.send("runs", { runId });
      await boss.send("runs", { runId });
    }
    const states = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all(ids.map(async (id) => (await store.getRun(id))?.state));
    await expect.poll(states).toEqual(["completed", "completed", "completed", "completed"]);
    expect([...written].sort()).toEqual(["later", "one", "three", "two"]);
  } finally {
    await boss.stop({ graceful: false });
  }
});

import { createAgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { postgresStore } from "../index.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test("while the application holds every connection of the pool, calls and the worker report it, and the runs are driven when one is free [worker.store-away]", async () => {
  await using place = temporarySchema();
  const pool = new Pool({ connectionString: testUrl, max: 3 });
  try {
    await using store = postgresStore({ pool, schema: place.schema, timeoutMs: 4_000, notifications: "poll" });
    const model = scriptedModel(() => "Done.");
    const agent = createAgentRuntime({ name: "agent", model, store, logger: quiet });
    const { runId } = await agent.enqueue("go");
    const held = await Promise.all([1, 2, 3].map(() => pool.connect()));
    await expect(agent.enqueue("more")).rejects.toMatchObject({
      code: "STORE_BUSY",
      message: expect.stringContaining("all are in use") as string,
    });
    await using crew = worker({ agents: [agent], store, stopOn: [], logger: quiet });
    await expect.poll(() => (crew.status().storeError as { code?: string } | undefined)?.code).toBe("STORE_BUSY");
    for (const connection of held) connection.release();
    await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
    expect(crew.status().storeError).toBeUndefined();
    expect(await store.listRuns({})).toHaveLength(1);
  } finally {
    await pool.end();
  }
});

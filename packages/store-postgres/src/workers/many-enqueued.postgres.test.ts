import { createAgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { postgresStore } from "../postgres-store.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const agentOf = (store: RunStore) =>
  createAgentRuntime({ name: "a", store, logger: quiet, model: scriptedModel(() => "Done.") });

test("500 runs that are queued at the same time are stored over two connections, and one that is refused affects no other [store.create.group]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema, maxConnections: 2 });
  const agent = agentOf(store);
  const taken = await agent.enqueue("Go.");
  const refused = store.create({ id: taken.runId, agentId: "a", definitionHash: "", sessionId: "s", input: "Go." });
  const many = Array.from({ length: 500 }, (_, n) =>
    agent.enqueue("Go.", { tenantId: `t${n % 5}`, ...(n % 10 === 0 && { idempotencyKey: `k${n % 20}` }) }),
  );
  await expect(refused).rejects.toMatchObject({ code: "RUN_EXISTS" });
  const made = await Promise.all(many);
  // The runs of one key are one run.
  const ids = new Set(made.map(({ runId }) => runId));
  expect(ids.size).toBe(made.filter(({ created }) => created).length);
  const [depth] = await store.queueDepth();
  expect(depth?.queued).toBe(ids.size + 1);
});

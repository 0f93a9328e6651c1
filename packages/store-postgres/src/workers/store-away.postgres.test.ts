import { createAgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { healthRoutes, worker } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { cuttingLink } from "../cutting-link.fixture.ts";
import { postgresStore } from "../index.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

test("a worker that starts while the database is unreachable reports it, and drives the runs once it is back [worker.store-away]", async () => {
  await using place = temporarySchema();
  await using link = await cuttingLink();
  const lines: string[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (line: string) => void lines.push(line),
  };
  await using direct = postgresStore({ url: testUrl, schema: place.schema });
  const model = scriptedModel(() => "Done.");
  const { runId } = await createAgentRuntime({ name: "agent", model, store: direct, logger }).enqueue("go");
  link.breakDown();
  await using store = postgresStore({ url: link.url, schema: place.schema });
  const agent = createAgentRuntime({ name: "agent", model, store, logger });
  await using crew = worker({ agents: [agent], store, stopOn: [], logger });
  const probe = (path: string): number => healthRoutes(crew)(new Request(`http://worker/${path}`)).status;
  await expect.poll(() => crew.status().storeError).toBeDefined();
  expect([probe("health"), probe("ready")]).toEqual([200, 503]);
  expect(lines.join("\n")).toContain("cannot claim runs");
  link.mend();
  await expect.poll(async () => (await direct.getRun(runId))?.state).toBe("completed");
  expect(crew.status().storeError).toBeUndefined();
  expect(probe("ready")).toBe(200);
});

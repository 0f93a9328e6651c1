import { expect, test } from "vitest";
import { scriptedModel } from "@bailiwick/testing";
import { memoryStore } from "@bailiwick/core";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

test("maxQueued refuses a run while as many wait, also of calls at the same time, and takes one again when another was driven [run.enqueue.max-queued]", async () => {
  const store = memoryStore();
  const agent = new Agent({ name: "a", store, logger: quiet, model: scriptedModel(() => "Done.") });
  const other = new Agent({ name: "b", store, logger: quiet, model: scriptedModel(() => "Done.") });
  await other.enqueue("Go.");
  const many = await Promise.allSettled(Array.from({ length: 50 }, () => agent.enqueue("Go.", { maxQueued: 10 })));
  const stored = many.flatMap((one) => (one.status === "fulfilled" ? [one.value.runId] : []));
  expect(stored).toHaveLength(10);
  const refused = many.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { code: "QUEUE_FULL", retryable: true, retryAfterMs: 1_000 } });
  await expect(agent.enqueue("Go.", { maxQueued: 10 })).rejects.toMatchObject({ code: "QUEUE_FULL" });
  await agent.resume(stored[0] ?? "");
  expect(await agent.enqueue("Go.", { maxQueued: 10 })).toMatchObject({ created: true });
  expect(await agent.enqueue("Go.")).toMatchObject({ created: true });
  await expect(agent.enqueue("Go.", { maxQueued: 0 })).rejects.toMatchObject({ code: "INVALID_OPTION" });
});

import { readFileSync, readdirSync } from "node:fs";
import { eventBus, eventTable, tool, type MemoryPort } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** The sources that act, without those that only declare, name or read events. */
function actingSources(): string {
  const declares = /\/(?:contracts|events|journal)\/|\.test\.|\.test-d\.|\.fixture\./;
  return ["core", "security"]
    .flatMap((name) => {
      const folder = new URL(`../../../${name}/src/`, import.meta.url);
      return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts") && !declares.test(`/${path}`))
        .map((path) => readFileSync(new URL(path, folder), "utf8"));
    })
    .join("\n");
}

test("every declared journal event is recorded somewhere in the code [messages.event-bus.every-event-emitted]", () => {
  const sources = actingSources();
  const journal = Object.entries(eventTable).filter(([, { kind }]) => kind === "journal");
  const silent = journal.map(([type]) => type).filter((type) => !sources.includes(`type: "${type}"`));
  expect(silent).toEqual([]);
});

test("a memory that a tool stores is emitted as an event [messages.event-bus.every-event-emitted]", async () => {
  const memory: MemoryPort = {
    contextFor: async () => [],
    accessFor: () => ({ remember: async () => "m1", recall: async () => [], forget: async () => undefined }),
  };
  const note = tool({
    name: "note",
    description: "Notes something.",
    inputSchema: z.object({}),
    sideEffectClass: "side-effecting",
    idempotencyKey: "call",
    execute: async (_input, ctx) => (await ctx.memory?.remember("likes tea", { kind: "semantic" })) ?? "",
  });
  const bus = eventBus({ logger: quiet });
  const stored: unknown[] = [];
  bus.on("memory.stored", (data) => stored.push(data));
  const model = scriptedModel([{ toolCalls: [{ name: "note" }] }, "ok"]);
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    model,
    tools: [note],
    memory,
    eventBus: bus,
    flow: "shadow",
  });
  const result = await agent.run("I like tea", { tenantId: "t1" });
  expect(stored).toEqual([{ runId: result.runId, agentName: "agent", tenantId: "t1", store: "semantic", key: "m1" }]);
});

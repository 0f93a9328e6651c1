import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, tool, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const rows = tool({
  name: "rows",
  description: "Reads many rows.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: () => ({ rows: Array.from({ length: 9_000 }, (_, n) => `row ${n}`) }),
});

/** True if the complete result can still be read. */
async function isKept(store: RunStore, handle: string): Promise<boolean> {
  return store.getBlob(handle).then(
    () => true,
    (error: { readonly code?: unknown }) => {
      expect(error.code).toBe("BLOB_NOT_FOUND");
      return false;
    },
  );
}

type Where = readonly [where: string, open: (folder: string) => RunStore, seal: string | undefined];

const stores: readonly Where[] = [
  ["in memory", () => memoryStore(), undefined],
  ["in memory, sealed", () => memoryStore(), "k".repeat(32)],
  ["in a file", (folder: string) => sqliteStore({ path: join(folder, "runs.db") }), undefined],
  ["in a file, sealed", (folder: string) => sqliteStore({ path: join(folder, "runs.db") }), "k".repeat(32)],
];

/** Works with a store, sealed or not, and with an agent whose tool returns more than is shown. */
async function withReader(
  [, open, seal]: Where,
  work: (store: RunStore, agent: Agent<readonly [typeof rows]>, handle: () => string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-deleted-"));
  const store = open(folder);
  let handle = "";
  const model = scriptedModel((request) => {
    const shown = request.messages.find(({ role }) => role === "tool")?.text;
    if (shown === undefined) return { toolCalls: [{ name: "rows" }] };
    handle = /read_result\(\{"handle":"([0-9a-f]{64})"/.exec(shown)?.[1] ?? "";
    return "Read.";
  });
  const agent = new Agent({
    name: "reader",
    model,
    tools: [rows] as const,
    store,
    session: store.sessions,
    logger: quiet,
    flow: "off",
    ...(seal !== undefined && { keys: { seal } }),
  });
  try {
    await work(store, agent, () => handle);
  } finally {
    await store.close?.();
    rmSync(folder, { recursive: true });
  }
}

test.each(stores)(
  "a spilled result is deleted with the last run that shows it, here a fork (%s) [store.queries]",
  (...where) =>
    withReader(where, async (store, agent, handle) => {
      const { runId } = await agent.run("go");
      expect(await isKept(store, handle())).toBe(true);
      const { events } = await agent.inspect(runId);
      const fork = await agent.fork(runId, { atSeq: events.length - 1 });
      await store.deleteRun(runId);
      expect(await isKept(store, handle())).toBe(true);
      await store.deleteRun(fork.runId);
      expect(await isKept(store, handle())).toBe(false);
    }),
);

test.each(stores)(
  "a spilled result is deleted with the last run that shows it, here one of the same session (%s) [store.queries]",
  (...where) =>
    withReader(where, async (store, agent, handle) => {
      const first = await agent.run("go", { sessionId: "s" });
      const second = await agent.run("and now?", { sessionId: "s" });
      await store.deleteRun(first.runId);
      expect(await isKept(store, handle())).toBe(true);
      const { events } = await agent.inspect(second.runId);
      expect(events.every((event) => !("blobs" in event))).toBe(true);
      await store.deleteRun(second.runId);
      expect(await isKept(store, handle())).toBe(false);
    }),
);

test("an agent without a store keeps the last hundred ended runs and every suspended run [run.no-store.bounded]", async () => {
  const { write } = counter({ needsApproval: true });
  const model = scriptedModel(({ lastUserText, toolResults }) =>
    lastUserText === "write" && toolResults.length === 0 ? writeCall() : "Done.",
  );
  const agent = new Agent({ name: "agent", logger: quiet, model, tools: [write] });
  const waiting = await agent.run("write");
  const first = await agent.run("go");
  const second = await agent.run("go");
  for (let index = 0; index < 99; index += 1) await agent.run("go");
  expect(await failureOf(agent.inspect(first.runId))).toMatchObject({ code: "RUN_NOT_FOUND" });
  expect((await agent.inspect(second.runId)).events.length).toBeGreaterThan(0);
  const decisions = waiting.interruptions.map((question) => question.approve());
  expect((await agent.resume(waiting.runId, decisions)).text).toBe("Done.");
});

test("an agent without a store keeps the last thousand waiting runs, and logs each that it deletes; runs that have ended do not count [run.no-store.bounded]", async () => {
  const { write } = counter({ needsApproval: true });
  const model = scriptedModel(({ toolResults }) => (toolResults.length === 0 ? writeCall() : "Done."));
  const lines: string[] = [];
  const logger = { ...quiet, warn: (line: string) => void lines.push(line) };
  const agent = new Agent({ name: "agent", logger, model, tools: [write] });
  const outputs = [];
  for (let index = 0; index < 1_000; index += 1) outputs.push(await agent.run("write"));
  const [first, second, third] = outputs;
  const approve = async (output: typeof first): Promise<string> =>
    (
      await agent.resume(
        output?.runId ?? "",
        output?.interruptions.map((question) => question.approve()),
      )
    ).text;
  expect(await approve(first)).toBe("Done.");
  const deleted = (): readonly string[] => lines.filter((line) => line.includes("was deleted"));
  await agent.run("write");
  expect(deleted()).toEqual([]);
  await agent.run("write");
  expect(deleted()).toEqual([expect.stringContaining(second?.runId ?? "none")]);
  expect(await failureOf(agent.inspect(second?.runId ?? ""))).toMatchObject({ code: "RUN_NOT_FOUND" });
  expect(await approve(third)).toBe("Done.");
});

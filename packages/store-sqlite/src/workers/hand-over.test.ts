import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime, memoryStore, tool, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The same data, opened by two processes. */
function stores(kind: "memory" | "SQLite") {
  if (kind === "memory") {
    const store = memoryStore();
    return { stores: [store, store] as const, [Symbol.asyncDispose]: async () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), "hand-over-"));
  const path = join(folder, "runs.db");
  const both = [sqliteStore({ path }), sqliteStore({ path })] as const;
  return {
    stores: both,
    async [Symbol.asyncDispose]() {
      for (const store of both) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An agent in one process, whose model answers once `answered` settles. */
function processOf(store: RunStore, wrote: string[], name: string, answered: Promise<void> = Promise.resolve()) {
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    execute: () => {
      wrote.push(name);
      return "written";
    },
  });
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const model = scriptedModel(async ({ messages }) => {
    asked();
    await answered;
    return messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "write", arguments: {} }] };
  });
  const agent = createAgentRuntime({
    name: "clerk",
    model,
    tools: [write],
    store,
    logger: quiet,
    flow: "off",
    leaseMs: 600_000,
  });
  return { agent, isAsked };
}

test.each(["memory", "SQLite"] as const)(
  "with proof that the former process is gone, a run is resumed at once, and otherwise after its lease has expired, in %s [worker.former-is-gone]",
  async (kind) => {
    await using place = stores(kind);
    const wrote: string[] = [];
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const former = processOf(place.stores[0], wrote, "former", answered);
    const handle = former.agent.stream("Write.");
    const ended = handle.result.catch((error: unknown) => error);
    await former.isAsked;
    const next = processOf(place.stores[1], wrote, "next");
    await expect(next.agent.resume(handle.runId)).rejects.toMatchObject({ code: "RUN_BUSY", retryable: true });
    expect(wrote).toEqual([]);
    expect(await next.agent.resume(handle.runId, [], { formerIsGone: true })).toMatchObject({ status: "completed" });
    expect(wrote).toEqual(["next"]);
    // The proof was wrong: the former process is alive. It can no longer write, and its tool does not run.
    answer();
    await ended;
    expect(wrote).toEqual(["next"]);
    expect((await place.stores[1].getRun(handle.runId))?.state).toBe("completed");
  },
);

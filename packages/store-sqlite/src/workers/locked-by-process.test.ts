import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { errorFacts } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { worker, type DrivenRunReport } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";

const program = fileURLToPath(new URL("lock-holder.fixture.ts", import.meta.url));
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A process that holds the write lock of a file. */
async function holderOf(file: string, how: string): Promise<ChildProcess & AsyncDisposable> {
  const child = spawn(process.execPath, ["--no-warnings", program, file, how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  return Object.assign(child, {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  });
}

/** An agent whose tool waits until it is let go. */
function waitingAgent(store: RunStore): {
  readonly agent: AgentRuntime;
  readonly letGo: () => void;
  readonly begun: () => number;
} {
  let letGo: () => void = () => undefined;
  let begun = 0;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    async execute() {
      begun += 1;
      await gate;
      return "seen";
    },
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "look" }] },
  );
  const agent = createAgentRuntime({
    name: "looker",
    model,
    tools: [look],
    store,
    leaseMs: 3_000,
    timeouts: { storeMs: 300 },
    logger: quiet,
  });
  return { agent, letGo: () => letGo(), begun: () => begun };
}

test.each(["working", "stopped"])(
  "while a %s process holds the write lock, calls fail after their time with an error of the host that names it; runs are given back and complete when the lock is free [store.away] [store.locked]",
  async (how) => {
    using folder = temporaryFolder();
    await using store = sqliteStore({ path: folder.file, lockTimeoutMs: 200 });
    const { agent, letGo, begun } = waitingAgent(store);
    const reports: DrivenRunReport[] = [];
    const { runId } = await agent.enqueue("By a worker.");
    await using _crew = worker({
      agents: [agent],
      store,
      logger: quiet,
      pollMs: 50,
      retry: { firstMs: 50 },
      onRun: (report) => void reports.push(report),
    });
    const own = agent.run("By a caller.").then(
      () => undefined,
      (error: unknown) => error,
    );
    await expect.poll(begun).toBe(2);
    await using holder = await holderOf(folder.file, how);
    letGo();

    const failures = [await own];
    await expect.poll(() => reports).not.toEqual([]);
    failures.push(reports[0]?.error);
    for (const failure of failures) {
      expect(errorFacts(failure)).toEqual({ origin: "host", retryable: true, forRun: "giveBack" });
      // Other systems than Linux do not show who holds a lock.
      const named = `Process ${holder.pid} holds the lock${how === "stopped" ? ", and is stopped" : "."}`;
      expect((failure as Error).message).toContain(existsSync("/proc/locks") ? named : "Look for a process");
    }
    expect((await store.listRuns({})).map(({ state }) => state)).toEqual(["running", "running"]);

    holder.kill("SIGTERM");
    holder.kill("SIGCONT");
    const states = async (): Promise<readonly string[]> => (await store.listRuns({})).map(({ state }) => state);
    await expect.poll(states).toEqual(["completed", "completed"]);
    expect((await agent.resume(runId)).text).toBe("Done.");
  },
);

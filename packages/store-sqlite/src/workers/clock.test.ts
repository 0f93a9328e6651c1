import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { schedule, worker, type DrivenRunReport } from "@bailiwick/worker";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const dayMs = 86_400_000;
const realNow = Date.now;

/** Moves the clock of this process; the clock of the store stays. */
function jump(ms: number): void {
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + ms);
}

afterEach(() => void vi.restoreAllMocks());

function holding(store: RunStore): {
  readonly agent: AgentRuntime;
  readonly begun: string[];
  readonly letGo: () => void;
} {
  const begun: string[] = [];
  let letGo = (): void => undefined;
  const hold = tool({
    name: "hold",
    description: "Holds.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    async execute(_input, { runId }) {
      begun.push(runId);
      await new Promise<void>((resolve) => (letGo = resolve));
      return "held";
    },
  });
  const model = scriptedModel(({ messages, lastUserText }) =>
    messages.at(-1)?.role === "tool" || lastUserText === "now"
      ? "Done."
      : { toolCalls: [{ name: "hold", arguments: {} }] },
  );
  const agent = createAgentRuntime({ name: "agent", model, tools: [hold], store, logger: quiet, flow: "off" });
  return { agent, begun, letGo: () => letGo() };
}

test("a process whose clock jumps takes no run from another one, and starts each run at its time [worker.clock]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clock-"));
  const path = join(folder, "runs.db");
  const [store, other] = [sqliteStore({ path }), sqliteStore({ path })];
  try {
    const one = holding(store);
    const driven = await one.agent.enqueue("hold");
    const later = await one.agent.enqueue("hold", { at: realNow() + 3_600_000 });
    await using first = worker({ agents: [one.agent], store, stopOn: [], logger: quiet, pollMs: 20 });
    await expect.poll(() => one.begun).toEqual([driven.runId]);
    for (const ms of [dayMs, -dayMs]) {
      jump(ms);
      const two = holding(other);
      await using second = worker({ agents: [two.agent], store: other, stopOn: [], logger: quiet, pollMs: 20 });
      const fresh = await two.agent.enqueue("now");
      await expect.poll(async () => (await store.getRun(fresh.runId))?.state).toBe("completed");
      await second.drain();
      expect(two.begun).toEqual([]);
    }
    vi.restoreAllMocks();
    one.letGo();
    await expect.poll(async () => (await store.getRun(driven.runId))?.state).toBe("completed");
    expect((await store.getRun(later.runId))?.state).toBe("queued");
    expect(first.status().storeError).toBeUndefined();
  } finally {
    await store.close();
    await other.close();
    rmSync(folder, { recursive: true });
  }
});

test("a schedule repeats no tick when the clock is set back [worker.clock]", async () => {
  const store = sqliteStore({ path: ":memory:" });
  const { agent } = holding(store);
  const reports: DrivenRunReport[] = [];
  await schedule({ id: "s", agent, everyMs: 1_000, input: "now", missed: "skip" });
  const start = (): ReturnType<typeof worker> =>
    worker({ agents: [agent], store, stopOn: [], logger: quiet, pollMs: 20, onRun: (run) => reports.push(run) });
  const first = start();
  jump(1_500);
  await expect.poll(() => reports.length).toBeGreaterThan(0);
  await first.drain();
  const before = reports.length;
  jump(-dayMs);
  await using second = start();
  await second.idle();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(reports.length).toBe(before);
  expect(new Set(reports.map(({ runId }) => runId)).size).toBe(reports.length);
  await second.drain();
  await store.close();
});

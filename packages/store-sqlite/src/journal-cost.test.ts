import { DatabaseSync } from "node:sqlite";
import { JournalUnavailableError, StoreError, createAgentRuntime, tool } from "@bailiwick/core";
import type { JournalEvent, RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { commitsIn } from "./commits-in.fixture.ts";
import { shortLeases } from "./short-leases.fixture.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const inputSchema = z.object({ n: z.number() });
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Calls the tool a given number of times in each of some turns, then answers. */
function actingAgent(
  store: RunStore,
  options: {
    readonly turns: number;
    readonly calls: number;
    readonly writer: boolean;
    readonly onAct?: (n: number) => void;
  },
) {
  let turn = 0;
  const model = scriptedModel(() => {
    turn += 1;
    if (turn > options.turns) return "Done.";
    return {
      toolCalls: Array.from({ length: options.calls }, (_, index) => ({
        name: "act",
        arguments: { n: turn * 100 + index },
      })),
    };
  });
  const act = tool({
    name: "act",
    description: "Acts.",
    inputSchema,
    sideEffectClass: options.writer ? "external-stateful" : "read-only",
    execute: ({ n }) => {
      options.onAct?.(n);
      return `value ${n}`;
    },
  });
  return createAgentRuntime({
    name: "acting",
    model,
    tools: [act],
    store,
    logger: quiet,
    maxTurns: options.turns + 1,
    timeouts: { storeMs: 0 },
  });
}

test.each([
  ["one reader", 1, false, 2],
  ["eight readers", 8, false, 2],
  ["one writer", 1, true, 3],
  ["four writers", 4, true, 6],
] as const)(
  "a turn with %s takes no more commits than its budget [journal.commits-per-turn]",
  async (_what, calls, writer, budget) => {
    using folder = temporaryFolder();
    const used: number[] = [];
    for (const turns of [3, 8]) {
      const store = sqliteStore({ path: `${folder.file}-${turns}` });
      expect((await actingAgent(store, { turns, calls, writer }).run("go")).status).toBe("completed");
      used.push(commitsIn(`${folder.file}-${turns}-wal`));
      await store.close();
    }
    const [few = 0, many = 0] = used;
    expect((many - few) / 5).toBeLessThanOrEqual(budget);
    expect((many - few) / 5).toBeGreaterThanOrEqual(1);
  },
);

test("a turn adds as many bytes at the end of a long run as at its beginning [journal.deltas]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const { runId } = await actingAgent(store, { turns: 120, calls: 1, writer: false }).run("go");
  const bytes = new Map<number, number>();
  for (const event of await store.load(runId)) {
    if ("turn" in event) bytes.set(event.turn, (bytes.get(event.turn) ?? 0) + JSON.stringify(event).length);
  }
  const sum = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => bytes.get(from + index) ?? 0).reduce((a, b) => a + b, 0);
  // Numbers get a digit longer; nothing else grows.
  expect(sum(100, 120)).toBeLessThan(sum(10, 30) * 1.05);
});

test("when a writer runs, its intent and the answer that asked for it are on disk for every other process [journal.synced]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const reader = new DatabaseSync(folder.file, { readOnly: true });
  onTestFinished(() => reader.close());
  const seen: string[][] = [];
  const agent = actingAgent(store, {
    turns: 1,
    calls: 2,
    writer: true,
    onAct: () =>
      seen.push(
        reader
          .prepare("SELECT key FROM events ORDER BY n")
          .all()
          .map((row) => String(row["key"])),
      ),
  });
  await agent.run("go");
  expect(seen).toHaveLength(2);
  for (const [index, keys] of seen.entries())
    expect(keys).toEqual(expect.arrayContaining(["t1/model", `t1/c${index}/intent`]));
});

test("a store that fails after an effect ends the run with the uncertain calls, starts no other, and asks on resume [effects.journal-unavailable]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const ran: number[] = [];
  let broken = false;
  const failing: RunStore = {
    ...shortLeases(store, 60),
    append: (lease, events, attachments) =>
      broken
        ? Promise.reject(new StoreError("STORE_FULL", "The disk is full."))
        : store.append(lease, events, attachments),
  };
  const agent = actingAgent(failing, {
    turns: 1,
    calls: 2,
    writer: true,
    onAct: (n) => {
      ran.push(n);
      broken = true;
    },
  });
  const error: unknown = await agent.run("go").then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(JournalUnavailableError.isInstance(error) && error.code).toBe("JOURNAL_UNAVAILABLE");
  const uncertain = (error as JournalUnavailableError).uncertainCalls;
  expect(uncertain.length).toBeGreaterThanOrEqual(ran.length);
  broken = false;
  await new Promise((resolve) => setTimeout(resolve, 100));
  const [run] = await store.listRuns({});
  const resumed = await agent.resume(run?.id ?? "");
  expect(resumed.stopReason).toBe("awaiting_outcome");
  expect(resumed.interruptions.map(({ toolCallId }) => toolCallId).sort()).toEqual(
    uncertain.map(({ toolCallId }) => toolCallId).sort(),
  );
  const before = ran.length;
  await agent.resume(
    run?.id ?? "",
    resumed.interruptions.map((interruption) => interruption.itHappened("done")),
  );
  expect(ran).toHaveLength(before);
});

test("after a reply that is lost after the commit, the stored state is used: nothing is recorded twice [effects.at-least-once]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const ran: number[] = [];
  let lose = true;
  const lossy: RunStore = {
    ...shortLeases(store, 60),
    async append(lease, events, attachments) {
      const head = await store.append(lease, events, attachments);
      if (lose && events.some((event: JournalEvent) => event.type === "tool.outcome")) {
        lose = false;
        throw new StoreError("STORE_FAILED", "The connection was lost.");
      }
      return head;
    },
  };
  const agent = actingAgent(lossy, { turns: 1, calls: 1, writer: true, onAct: (n) => ran.push(n) });
  await expect(agent.run("go")).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const [run] = await store.listRuns({});
  const output = await agent.resume(run?.id ?? "");
  expect(output.status).toBe("completed");
  expect(ran).toHaveLength(1);
  const events = await store.load(run?.id ?? "");
  expect(events.filter(({ type }) => type === "tool.outcome")).toHaveLength(1);
});

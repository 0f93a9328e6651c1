import { createAgentRuntime, tool } from "@bailiwick/core";
import { systemClock } from "@bailiwick/core/extension";
import type { AgentRuntime, RunOutput, RunStore } from "@bailiwick/core";
import { driveDue } from "@bailiwick/worker";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { note, record } from "./records.fixture.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

/** Drives the runs of an agent that are due. */
const drivenNow = (agent: AgentRuntime): Promise<readonly RunOutput[]> =>
  driveDue({ agents: [agent], store: agent.definition.store, logger: quiet });

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent of a process whose clock is wrong by some hours. */
function answering(store: RunStore, hours = 0): AgentRuntime {
  const clock = { ...systemClock, now: () => Date.now() + hours * 3_600_000 };
  return createAgentRuntime({ name: "agent", model: scriptedModel(() => "Done."), store, logger: quiet, clock });
}

test("a run that was just created belongs to its creator: recovery in another process does not list it [seams.surface.recover] [store.create]", async () => {
  using folder = temporaryFolder();
  await using here = sqliteStore({ path: folder.file });
  await using there = sqliteStore({ path: folder.file });
  const other = answering(there);
  const taken: RunOutput[] = [];
  const looked: RunStore = {
    ...here,
    async create(record, holder) {
      const made = await here.create(record, holder);
      taken.push(...(await drivenNow(other)));
      return made;
    },
  };
  expect(await answering(looked).run("go")).toMatchObject({ status: "completed", text: "Done." });
  expect(taken).toEqual([]);
  const runs = await here.listRuns({});
  expect(runs.map(({ state, epoch }) => [state, epoch])).toEqual([["completed", 1]]);
});

test("processes whose clocks are wrong by an hour resume only runs that no process drives [store.acquire.store-clock]", async () => {
  using folder = temporaryFolder();
  await using here = sqliteStore({ path: folder.file });
  await using there = sqliteStore({ path: folder.file });
  let finish: (value: string) => void = () => undefined;
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (started = resolve));
  const slow = tool({
    name: "slow",
    description: "Takes its time.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => (started(), new Promise<string>((resolve) => (finish = resolve))),
  });
  const late = createAgentRuntime({
    name: "agent",
    model: scriptedModel([{ toolCalls: [{ name: "slow", arguments: {} }] }, "Done."]),
    tools: [slow],
    store: here,
    logger: quiet,
    clock: { ...systemClock, now: () => Date.now() - 3_600_000 },
  });
  const driven = late.run("go");
  await running;
  expect(await drivenNow(answering(there, 1))).toEqual([]);
  expect(await drivenNow(answering(there, -1))).toEqual([]);
  finish("ready");
  expect(await driven).toMatchObject({ status: "completed", toolCalls: [{ output: "ready" }] });

  // A process that died an hour ago by its own clock, and just now by the store's.
  const record = { id: "left", agentId: "agent", definitionHash: "d", sessionId: "s", input: "go" };
  const { lease } = await here.create(record, { owner: "dead", ttlMs: 600_000 });
  expect(await drivenNow(answering(there, 1))).toEqual([]);
  if (lease !== undefined) await here.renew([lease], 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await drivenNow(answering(there, -1))).toMatchObject([{ runId: "left", status: "completed", text: "Done." }]);
});

test("a journal that another process writes to is read as it was at one moment", async () => {
  using folder = temporaryFolder();
  await using here = sqliteStore({ path: folder.file });
  await using there = sqliteStore({ path: folder.file });
  const { lease } = await here.create(record("busy"), { owner: "writer", ttlMs: 60_000 });
  if (lease === undefined) throw new Error("The run was not given to its creator.");
  let writing = true;
  let reads = 0;
  async function readOn(): Promise<void> {
    for (; writing; reads += 1) {
      const events = await there.load("busy");
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    }
  }
  async function writeOn(): Promise<void> {
    let held = lease;
    for (let seq = 1; seq <= 600 && held !== undefined; seq += 1) {
      held = { ...held, head: await here.append(held, [note("busy", seq)]) };
    }
  }
  await Promise.all([readOn(), writeOn().finally(() => (writing = false))]);
  expect(reads).toBeGreaterThan(1);
  expect(await there.load("busy")).toHaveLength(600);
});

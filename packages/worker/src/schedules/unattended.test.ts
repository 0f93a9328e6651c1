import { createAgentRuntime, memoryStore, tool, type RunOutput } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { driveDue, listSchedules, schedule } from "../index.ts";
import { checkOptions } from "../options.ts";
import { createTicker } from "./ticker.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const day = 24 * 60 * 60_000;
const start = Date.UTC(2026, 0, 5, 1, 59);

beforeEach(() => vi.useFakeTimers({ now: start, toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

/** Drives a job that asks a person, each night at two, for two nights. */
async function nights(
  unattended: "pend" | "fail",
  overlap: "skip" | "queue" | "cancel-previous" = "skip",
): Promise<{
  readonly outputs: readonly (RunOutput | undefined)[];
  readonly runs: number;
  readonly warnings: readonly string[];
}> {
  const warnings: string[] = [];
  const store = memoryStore();
  const choose = tool({
    name: "choose",
    description: "Asks a person.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => ctx.ask({ question: "Which one?", schema: z.string() }),
  });
  const agent = createAgentRuntime({
    name: "clerk",
    model: scriptedModel(({ messages }) =>
      messages.some(({ role }) => role === "tool") ? "Done." : { toolCalls: [{ name: "choose", arguments: {} }] },
    ),
    tools: [choose],
    flow: { unattended },
    store,
    logger: quiet,
  });
  await schedule({ id: "nightly", agent, cron: "0 2 * * *", timezone: "UTC", input: "Go.", overlap });
  const ticker = createTicker(
    checkOptions(
      { agents: [agent], store, logger: { ...quiet, warn: (text: string) => void warnings.push(text) } },
      "test",
    ),
  );
  const outputs: (RunOutput | undefined)[] = [];
  for (const night of [0, 1]) {
    vi.setSystemTime(start + night * day + 61_000);
    await ticker.tick();
    // A queued tick is looked at again while it waits.
    await ticker.tick();
    await driveDue({ agents: [agent], store, logger: quiet, onRun: ({ output }) => outputs.push(output) });
  }
  const runs = await store.listRuns({ limit: 10 });
  expect(await listSchedules(store)).toHaveLength(1);
  return { outputs, runs: runs.length, warnings };
}

test("an unattended job that needs a person ends and is reported each night [flow.unattended.question] [schedule.overlap]", async () => {
  const { outputs, runs, warnings } = await nights("fail");
  expect(warnings).toEqual([]);
  expect(outputs.map((output) => output?.stopReason)).toEqual(["unattended", "unattended"]);
  expect(runs).toBe(2);
});

test("a job that waits for a person is reported once, with its question, and the next tick is skipped with a warning [schedule.overlap]", async () => {
  const { outputs, runs, warnings } = await nights("pend");
  expect(warnings).toEqual([
    expect.stringMatching(/"nightly" starts no run: run \S+ is suspended and waits for a person/u),
  ]);
  expect(outputs.map((output) => output?.status)).toEqual(["suspended"]);
  expect(outputs[0]?.interruptions.map(({ question }) => question.title)).toEqual(["Which one?"]);
  expect(runs).toBe(1);
});

test.each([
  ["queue", "starts no run", ["suspended"]],
  ["cancel-previous", "cancels its last run", ["suspended", "suspended"]],
] as const)(
  "a job that waits for a person is reported at the next tick with overlap: %s too [schedule.overlap]",
  async (overlap, what, statuses) => {
    const { outputs, warnings } = await nights("pend", overlap);
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`"nightly" ${what}: run \\S+ is suspended and waits for a person`, "u")),
    ]);
    expect(outputs.map((output) => output?.status)).toEqual(statuses);
  },
);

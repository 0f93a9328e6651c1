import { memoryStore, StoreError, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, movedClock, quiet } from "../fixtures.test.helper.ts";
import { Agent, tool, type Tool } from "../../src/index.ts";
import { metStore } from "./store-away.test.helper.ts";

type Clock = ReturnType<typeof movedClock>;

const away = (): StoreError => new StoreError("STORE_UNREACHABLE", "It is away.");

/** Lets what is ready run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A store that is away from its first append on, until `back` is called. */
function outage(clock: Clock): {
  readonly disk: ReturnType<typeof memoryStore>;
  readonly store: ReturnType<typeof memoryStore>;
  readonly begun: Promise<void>;
  readonly back: () => void;
} {
  const disk = memoryStore({ clock });
  let isAway = false;
  let isBack = false;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const store = metStore(disk, async ({ operation, pass }) => {
    isAway ||= operation === "append";
    if (!isAway || isBack) return pass();
    begin();
    throw away();
  });
  return { disk, store, begun, back: () => void (isBack = true) };
}

const agentOn = (store: RunStore, clock: Clock, more: object = {}): Agent =>
  new Agent({ name: "a", logger: quiet, flow: "off", store, clock, model: scriptedModel(() => "Done."), ...more });

test("a cancel ends the wait for the store after a short grace, and the run stays open [store.away.stop]", async () => {
  for (const how of ["signal", "abort"] as const) {
    const clock = movedClock();
    const { store, disk, begun } = outage(clock);
    const controller = new AbortController();
    const handle = agentOn(store, clock).stream("Go.", { signal: controller.signal });
    const failure = failureOf(handle.result);
    await begun;
    await turns();
    if (how === "signal") controller.abort();
    else handle.abort("enough");
    await turns();
    clock.move(5_000);
    await turns();
    clock.move(1_000);
    expect(await failure, how).toMatchObject({ retryable: true });
    expect((await disk.getRun(handle.runId))?.state, how).toBe("running");
    expect(await disk.load(handle.runId), how).toEqual([]);
  }
});

test("a cancel during an outage that passes ends the run as cancelled [store.away.stop]", async () => {
  const clock = movedClock();
  const { store, disk, begun, back } = outage(clock);
  const handle = agentOn(store, clock).stream("Go.");
  await begun;
  await turns();
  handle.abort("enough");
  await turns();
  back();
  clock.move(1_000);
  await turns();
  clock.move(1_000);
  expect((await handle.result).status).toBe("cancelled");
  expect((await disk.getRun(handle.runId))?.state).toBe("cancelled");
});

test("a deadline ends the wait for the store, and the next process ends the run as expired [store.away.stop]", async () => {
  const clock = movedClock();
  const { store, disk, begun } = outage(clock);
  const deadlineAt = clock.now() + 3_000;
  const failure = failureOf(agentOn(store, clock).run("Go.", { deadlineAt }));
  await begun;
  for (let second = 0; second < 12; second += 1) {
    await turns();
    clock.move(1_000);
  }
  const error = (await failure) as { readonly retryable: boolean; readonly runId: string };
  expect(error).toMatchObject({ retryable: true });
  clock.move(60_000);
  expect(await failureOf(agentOn(disk, clock).resume(error.runId))).toMatchObject({ code: "RUN_EXPIRED" });
});

test("cancel() of a stored run does not wait for a store that is away [store.away.stop]", async () => {
  const clock = movedClock();
  const disk = memoryStore({ clock });
  const { runId } = await agentOn(disk, clock).enqueue("Go.");
  const store = metStore(disk, ({ operation, pass }) => (operation === "acquire" ? Promise.reject(away()) : pass()));
  expect(await failureOf(agentOn(store, clock).cancel(runId))).toMatchObject({ code: "STORE_UNREACHABLE" });
});

test("an outage longer than two thirds of the lease stops a tool that runs; its outcome is asked for, not guessed [store.away.lease]", async () => {
  const clock = movedClock();
  const disk = memoryStore({ clock });
  let isAway = false;
  const reasons: unknown[] = [];
  let inside: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => (inside = resolve));
  const slow = tool({
    name: "slow",
    description: "Pays slowly.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    timeoutMs: 0,
    execute: async (_input, { signal }) => {
      isAway = true;
      inside();
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      reasons.push(signal.reason);
      throw new Error("stopped");
    },
  }) as Tool;
  const store = metStore(disk, async ({ pass }) => {
    if (isAway) throw away();
    return pass();
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length === 0 ? { toolCalls: [{ name: "slow" }] } : "Done.",
  );
  const handle = agentOn(store, clock, { tools: [slow], model }).stream("Go.");
  await entered;
  for (let second = 0; second < 21; second += 1) {
    await turns();
    clock.move(1_000);
  }
  await turns();
  expect(reasons).toMatchObject([{ code: "STORE_UNREACHABLE" }]);
  isAway = false;
  for (let second = 0; second < 20; second += 1) {
    await turns();
    clock.move(1_000);
  }
  const output = await handle.result;
  expect(output).toMatchObject({ status: "suspended", stopReason: "awaiting_outcome" });
  const types = (await disk.load(handle.runId)).map(({ type }) => type);
  expect(types.filter((type) => type === "tool.outcome")).toEqual([]);
});

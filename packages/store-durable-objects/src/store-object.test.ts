import { createAgentRuntime, tool, type ModelProvider } from "@bailiwick/core";
import { memoryConformance, storeConformance } from "@bailiwick/testing/conformance";
import { scriptedModel } from "@bailiwick/testing";
import { driveDue } from "@bailiwick/worker";
import { describe, expect, test } from "vitest";
import { durableObjectStore, storeObject, type StoreObjectOptions } from "./index.ts";
import { fakeState, type FakeState } from "./object-state.fixture.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** An object, and the stub that other Workers have of it: values are copied on their way. */
function object(state: FakeState = fakeState("tenant-1"), options: StoreObjectOptions = {}) {
  const held = storeObject(state, options);
  const stub = {
    name: "tenant-1",
    store: async (requests: Parameters<typeof held.answer>[0]) =>
      structuredClone(await held.answer(structuredClone(requests))),
  };
  return { held, state, stub, store: durableObjectStore(stub) };
}

describe("the store in a Durable Object [store.durable-object]", () => {
  const cases = storeConformance(() => {
    const { stub, store } = object();
    return { store, again: () => durableObjectStore(stub) };
  });
  for (const one of cases) test(`${one.name} (durable object)`, one.run);
  for (const one of memoryConformance(() => ({ memories: object().store.memories })))
    test(`${one.name} (durable object)`, one.run);
});

test("a blob larger than a row is stored in parts, and deleted with its run [store.durable-object.blobs]", async () => {
  const { store, state } = object();
  const bytes = new Uint8Array(5_000_000).map((_, at) => at % 251);
  const hash = await store.putBlob(bytes);
  expect(await store.getBlob(hash)).toEqual(bytes);
  const { lease } = await store.create(
    { id: "r1", agentId: "a", definitionHash: "d", sessionId: "s", input: "" },
    { owner: "o", ttlMs: 60_000 },
  );
  if (lease === undefined) throw new Error("The lease is not free.");
  await store.append(lease, [
    {
      type: "hook.failed",
      seq: 1,
      at: 1,
      key: "k",
      label: "system",
      runId: "r1",
      hook: hash,
      error: { name: "Error", code: "E", message: "" },
    },
  ]);
  await store.deleteRun("r1");
  expect(state.database.prepare("SELECT count(*) AS n FROM blob_parts").get()).toEqual({ n: 0 });
});

const nap = tool({
  name: "nap",
  description: "Sleeps.",
  inputSchema: { type: "object" },
  sideEffectClass: "pure",
  execute: async (_, context) => {
    await context.sleep({ ms: 3_600_000 });
    return "rested";
  },
});
const sleepyModel = (): ModelProvider =>
  scriptedModel(({ toolResults }) =>
    toolResults.length === 0 ? { toolCalls: [{ name: "nap", arguments: {} }] } : "Done.",
  );

/** Advances the time by an hour for the object's sleepers. */
const anHourLater = (state: FakeState): void => {
  state.database.exec("UPDATE runs SET due_at = due_at - 3600000 WHERE due_at IS NOT NULL");
};

test("the alarm is set for the next due run, and drives it also after the object was loaded again [store.durable-object.alarm]", async () => {
  let now = Date.now();
  const clock = { now: () => now, setTimer: () => () => undefined };
  const agentOver = (store: ReturnType<typeof object>["store"]) =>
    createAgentRuntime({ name: "sleeper", model: sleepyModel(), tools: [nap], store, clock, logger: quiet });
  const options: StoreObjectOptions = {
    drive: (store) => driveDue({ agents: [agentOver(store)], store, logger: quiet }),
  };
  const { store, state } = object(undefined, options);
  const { status, runId, wakeAt } = await agentOver(store).run("Sleep.");
  expect(status).toBe("sleeping");
  expect(state.alarms.length).toBeGreaterThan(0);

  const loadedAnew = fakeState("tenant-1", state.database);
  const again = object(loadedAnew, options);
  // An alarm that fires too early schedules the next one.
  await again.held.alarm();
  expect((await store.getRun(runId))?.state).toBe("sleeping");
  expect(loadedAnew.alarms.at(-1)).toBe(wakeAt);

  anHourLater(state);
  now += 3_600_000;
  await again.held.alarm();
  expect((await store.getRun(runId))?.state).toBe("completed");
});

test("runs that could not be driven are tried again after growing delays [store.durable-object.alarm]", async () => {
  const errors: unknown[] = [];
  const state = fakeState("tenant-1");
  const options: StoreObjectOptions = {
    drive: () => Promise.reject(new Error("no model")),
    onError: (error) => errors.push(error),
  };
  const { store } = object(state, options);
  await store.create({ id: "r1", agentId: "gone", definitionHash: "d", sessionId: "s", input: "" });
  const pauses: number[] = [];
  for (let ring = 0; ring < 4; ring += 1) {
    const { held } = object(state, options);
    const before = Date.now();
    await held.alarm();
    pauses.push((state.alarms.at(-1) ?? 0) - before);
  }
  expect(errors).toHaveLength(4);
  for (const [index, pause] of pauses.entries()) expect(Math.round(pause / 1_000)).toBe(2 ** index);
});

test("an object without `drive` sets no alarm", async () => {
  const { held, store, state } = object();
  await store.create({ id: "r1", agentId: "a", definitionHash: "d", sessionId: "s", input: "" });
  await held.alarm();
  expect(state.alarms).toEqual([]);
});

test("an unreachable object gives a StoreError with that reason", async () => {
  const store = durableObjectStore({ store: () => Promise.reject(new Error("Network connection lost.")) });
  await expect(store.getRun("r1")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});

test("an object that a newer version wrote is refused", () => {
  const state = fakeState("tenant-1");
  object(state);
  state.database.exec("UPDATE store_format SET version = 99");
  expect(() => object(fakeState("tenant-1", state.database))).toThrow(
    expect.objectContaining({ code: "STORE_FORMAT" }),
  );
});

test("an unknown call is refused, under any name", async () => {
  const { held } = object();
  for (const name of ["constructor", "drop"]) {
    expect(await held.answer([[name as never, []]])).toMatchObject([{ failure: { code: "STORE_CALL_UNKNOWN" } }]);
  }
});

test.each([
  [() => storeObject({} as never), /takes the ctx of a Durable Object with SQLite/],
  [() => storeObject(fakeState("a"), { driv: () => undefined } as never), /"drive"/],
  [() => durableObjectStore({} as never), /takes the stub/],
])("unknown options are refused", (make, message) => {
  expect(make).toThrow(message);
});

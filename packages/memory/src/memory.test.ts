import { eventBus } from "@bailiwick/core";
import { defaultHasher, systemClock } from "@bailiwick/core/extension";
import type { Label, MemoryCall, MemoryHost, RunContext } from "@bailiwick/core";
import { expect, test } from "vitest";
import { inMemoryMemories, memory } from "./index.ts";

const scope = { tenantId: "t1", userId: "ana" };
const label: Label = { id: "l", integrity: "user", readers: "public", parents: [], origin: { kind: "join" } };
const context: RunContext = {
  runId: "r1",
  agentName: "desk",
  sessionId: "s1",
  root: { runId: "r", sessionId: "s1" },
  ...scope,
  metadata: {},
  eventBus: eventBus(),
  sessionState: {},
  signal: new AbortController().signal,
  dependencies: {},
  extraVars: {},
  getState: () => undefined,
  setState: () => undefined,
  updateState: () => Promise.reject(new Error("No session.")),
};
const host: MemoryHost = {
  agentName: "desk",
  logger: console,
  clock: systemClock,
  hasher: defaultHasher(),
  seq: () => 7,
};
const call: MemoryCall = { toolName: "note", toolCallId: "c1", tier: "labelled", label, principals: [] };

test("a call repeated after a crash writes the same ids, and each memory once [memory.context]", async () => {
  const store = inMemoryMemories();
  const own = memory({ store });
  const write = async () => {
    const access = own.accessFor(context, call, host);
    return [
      await access.remember("one"),
      await access.remember("two", { name: "n" }),
      await access.remember("three", { name: "n" }),
    ];
  };
  const first = await write();
  expect(await write()).toEqual(first);
  expect(new Set(first).size).toBe(3);
  const kept = await store.query({ scope });
  expect(kept.map(({ entry }) => entry.text).toSorted()).toEqual(["one", "three"]);
  expect(kept[0]?.entry.source).toEqual({ runId: "r1", seq: 7, callId: "c1" });
  // Another call of the same run writes a separate entry.
  await own.accessFor(context, { ...call, toolCallId: "c2" }, host).remember("one");
  expect(await store.query({ scope })).toHaveLength(3);
});

test("after many concurrent writes under one name, one is current and the others are its history [memory.kind.semantic]", async () => {
  const store = inMemoryMemories();
  const own = memory({ store });
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      own.application.remember(scope, `version ${index}`, { label, name: "n", id: `m${index}` }).catch(() => undefined),
    ),
  );
  await own.application.remember(scope, "the last", { label, name: "n" });
  expect((await store.query({ scope, name: "n", limit: 99 })).map(({ entry }) => entry.text)).toEqual(["the last"]);
});

test("the error for a memory that cannot be stored says what to do [memory.errors]", async () => {
  const own = memory({ store: inMemoryMemories(), blocks: { notes: {} } });
  const write = (text: string, more: object = {}) => own.application.remember(scope, text, { label, ...more });
  await expect(write("x".repeat(2_001))).rejects.toThrow("2000 are the most");
  await expect(write("  ")).rejects.toMatchObject({ code: "INVALID_MEMORY" });
  await expect(write("x", { name: "" })).rejects.toMatchObject({ code: "INVALID_MEMORY" });
  await expect(write("x", { kind: "working", name: "plan" })).rejects.toThrow(
    `there is no block "plan"; there are notes`,
  );
  await expect(write("x", { kind: "working", name: "__proto__" })).rejects.toMatchObject({ code: "INVALID_MEMORY" });
  for (const options of [undefined, {}, { label: undefined }, { label: { integrity: "trusted", readers: "public" } }])
    await expect(own.application.remember(scope, "x", options as never)).rejects.toMatchObject({
      code: "INVALID_MEMORY",
      message: expect.stringContaining("label"),
    });
  await expect(own.accessFor(context, call, host).forget("nobody")).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
});

test("without recall a run reads only its blocks, and tools can still recall [memory.recall]", async () => {
  const own = memory({ store: inMemoryMemories(), recall: false, scope: "agent" });
  const access = own.accessFor(context, call, host);
  await access.remember("A red printer.");
  const messages = [{ id: "u", role: "user", content: "My printer?" }] as const;
  expect(await own.contextFor(context, messages, host)).toEqual([]);
  expect(await access.recall("printer")).toMatchObject([{ text: "A red printer." }]);
  // Visible to this agent only.
  const other = own.accessFor(context, call, { ...host, agentName: "clerk" });
  expect(await other.recall("printer")).toEqual([]);
});

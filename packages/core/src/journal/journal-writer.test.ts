import { expect, test } from "vitest";
import type { JournalEventInput } from "../contracts/journal-event.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import { StoreError } from "../errors/store-errors.ts";
import { JournalWriter } from "./journal-writer.ts";
import { answered, intended, leased, outcome, started } from "./journal.fixture.ts";
import { memoryStore } from "./memory-store.ts";
import { systemClock } from "./default-ports.ts";

const note: JournalEventInput = { type: "hook.failed", hook: "h", error: { name: "E", code: "E", message: "m" } };

async function open(store: RunStore): Promise<JournalWriter> {
  return new JournalWriter({ store, lease: await leased(store), clock: systemClock });
}

/** A store whose appends wait until the test releases or fails them. */
function heldStore(): { readonly store: RunStore; readonly batches: number[]; letGo(): void; fail: Error | undefined } {
  const inner = memoryStore();
  const waiting: (() => void)[] = [];
  const held = {
    batches: [] as number[],
    fail: undefined as Error | undefined,
    letGo: () => waiting.splice(0).forEach((go) => go()),
    store: {
      ...inner,
      async append(...args: Parameters<RunStore["append"]>) {
        held.batches.push(args[1].length);
        await new Promise<void>((resolve) => waiting.push(resolve));
        if (held.fail !== undefined) throw held.fail;
        return inner.append(...args);
      },
    },
  };
  return held;
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

test("one append is open at a time; records that arrive meanwhile are in the next one [seams.store.one-append-in-flight]", async () => {
  const held = heldStore();
  const journal = await open(held.store);
  journal.record({ ...started });
  const first = journal.commit();
  for (let n = 0; n < 3; n += 1) {
    journal.record({ ...note });
    void journal.commit();
  }
  const last = journal.commit();
  await turn();
  expect(held.batches).toEqual([1]);
  held.letGo();
  await first;
  await turn();
  expect(held.batches).toEqual([1, 3]);
  held.letGo();
  await last;
  expect(journal.head.seq).toBe(4);
  expect(await held.store.load("r1")).toHaveLength(4);
});

test("a record is folded, labelled and delivered to listeners of its type before it is on disk [journal.fold] [journal.subscribers]", async () => {
  const store = memoryStore();
  const journal = await open(store);
  const seen: string[] = [];
  journal.labelWith({
    labelFor: (event) =>
      event.type === "hook.failed"
        ? {
            label: "L1",
            labels: [{ id: "L1", integrity: "system", readers: "public", parents: [], origin: { kind: "system" } }],
          }
        : undefined,
    observe: ({ type }) => void seen.push(`labeller ${type}`),
  });
  const end = journal.subscribe([
    { name: "keys", types: "all", hear: (event) => void seen.push(event.key) },
    { name: "no key of this run", types: ["run.end"], hear: () => void seen.push("not heard") },
  ]);
  journal.record({ ...started });
  expect(journal.state.messages).toHaveLength(1);
  expect(journal.record({ ...note })).toMatchObject({
    key: "hook.failed#1",
    label: "L1",
    labels: [{ id: "L1" }],
    seq: 2,
  });
  end();
  journal.record({ ...note });
  expect(seen).toEqual([
    "labeller run.start",
    "run/start",
    "labeller hook.failed",
    "hook.failed#1",
    "labeller hook.failed",
  ]);
  expect(await store.load("r1")).toEqual([]);
  await journal.commit();
  expect((await store.load("r1")).map(({ key, label }) => [key, label])).toEqual([
    ["run/start", "user"],
    ["hook.failed#1", "L1"],
    ["hook.failed#2", "L1"],
  ]);
});

test("a failed append names the calls with an unrecorded effect, and later records are not written [effects.journal-unavailable]", async () => {
  const held = heldStore();
  const journal = await open(held.store);
  journal.record({ ...started });
  journal.record(answered(1, ["c1", "c2"]));
  journal.record(intended(1, 0));
  journal.record({ ...intended(1, 1), toolCallId: "c2", sideEffectClass: "read-only" } as JournalEventInput);
  const written = journal.commit();
  held.letGo();
  await written;
  journal.record(outcome(1, 0));
  held.fail = new StoreError("STORE_FULL", "No room.");
  const failing = journal.commit();
  held.letGo();
  await expect(failing).rejects.toMatchObject({
    code: "JOURNAL_UNAVAILABLE",
    uncertainCalls: [{ toolCallId: "c1", toolName: "act" }],
    cause: { code: "STORE_FULL" },
  });
  held.fail = undefined;
  journal.record({ type: "run.end", status: "failed", stopReason: "failed", text: "", durationMs: 1 });
  expect(journal.state.end?.stopReason).toBe("failed");
  await expect(journal.commit()).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
  await expect(journal.release({ state: "failed" })).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
  expect(held.batches).toEqual([4, 1]);
  expect((await held.store.getRun("r1"))?.state).toBe("running");
});

test("a stale writer gets a stale-lease error, not a store failure [store.append.fenced]", async () => {
  const store = memoryStore();
  const lease = await leased(store);
  const stale = new JournalWriter({ store, lease: { ...lease, epoch: 0 }, clock: systemClock });
  stale.record({ ...started });
  await expect(stale.commit()).rejects.toMatchObject({ code: "FENCED" });
  await expect(stale.release({ state: "completed" })).rejects.toMatchObject({ code: "FENCED" });
});

test("release writes the remaining records and releases the lease [store.release]", async () => {
  const store = memoryStore();
  const journal = await open(store);
  journal.record({ ...started });
  const session = { sessionId: "s", messages: journal.state.messages, state: {}, runId: "r1", seq: 1 };
  await journal.release({ state: "completed" }, session);
  expect(await store.getRun("r1")).toMatchObject({ state: "completed", head: { seq: 1 } });
  expect((await store.sessions.load("s")).messages).toHaveLength(1);
});

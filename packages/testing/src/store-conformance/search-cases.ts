import assert from "node:assert/strict";
import type { JournalEvent, RunSearch, RunStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { acquired, createAndAcquire, rejectsWith, runRecord, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const usage = { inputTokens: 60, outputTokens: 40, totalTokens: 100, cachedTokens: 0, reasoningTokens: 0 };

/** Records of a run that asks a model, calls a tool and answers. */
function told(runId: string, toolName: string, costUsd: number, answer: string): JournalEvent[] {
  const fields = (seq: number) => ({ seq, at: seq, key: `k${seq}`, label: "system", runId });
  return [
    { ...fields(1), type: "model.result", turn: 1, attempt: 1, usage, costUsd, durationMs: 1 },
    { ...fields(2), type: "tool.call", turn: 1, index: 0, toolCallId: "c1", toolName, args: {} },
    { ...fields(3), type: "model.result", turn: 2, attempt: 1, usage, costUsd, durationMs: 1 },
    { ...fields(4), type: "run.end", status: "completed", stopReason: "completed", text: answer, durationMs: 1 },
  ] as unknown as JournalEvent[];
}

async function ids(store: RunStore, search: RunSearch): Promise<readonly string[]> {
  return (await store.searchRuns(search)).runs.map(({ run }) => run.id);
}

/** Searching and counting runs. */
export function searchCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "each condition finds its runs, and a run inside a call only inside its run [store.search]",
      async (store) => {
        const lease = await createAndAcquire(store, "r1", {
          userId: "ada",
          agentId: "desk",
          input: "Refund my RUCKSACK",
        });
        await store.append(lease, told("r1", "refund", 0.25, "Refunded 249 EUR.").slice(0, 2));
        const moved = { ...lease, head: { seq: 2, hash: "" } };
        await store.append(moved, told("r1", "refund", 0.25, "Refunded 249 EUR.").slice(2));
        await store.release({ ...lease, head: { seq: 4, hash: "" } }, { state: "completed" });
        await store.create(runRecord("r2", { userId: "bob", input: [{ type: "text", text: "Where is it, 100%?" }] }));
        await store.create(runRecord("r3", { parent: { runId: "r1", toolCallId: "c1" } }));
        await store.create(runRecord("other", { tenantId: "t2" }));

        const [found] = (await store.searchRuns({ tool: "refund" })).runs;
        assert.deepEqual(
          { id: found?.run.id, ...found?.facts },
          {
            id: "r1",
            costUsd: 0.5,
            tokens: 200,
            modelCalls: 2,
            toolCalls: 1,
            tools: ["refund"],
            stopReason: "completed",
          },
        );
        assert.deepEqual(await ids(store, {}), ["r2", "r1"]);
        assert.deepEqual(await ids(store, { allTenants: true }), ["other", "r2", "r1"]);
        assert.deepEqual(await ids(store, { tenantId: "t2" }), ["other"]);
        assert.deepEqual(await ids(store, { insideRunId: "r1" }), ["r3"]);
        assert.deepEqual(await ids(store, { userId: "bob" }), ["r2"]);
        assert.deepEqual(await ids(store, { agentId: "desk" }), ["r1"]);
        assert.deepEqual(await ids(store, { states: ["completed", "failed"] }), ["r1"]);
        assert.deepEqual(await ids(store, { states: ["queued"] }), ["r2"]);
        assert.deepEqual(await ids(store, { text: "rucksack 249" }), ["r1"]);
        assert.deepEqual(await ids(store, { text: "100%" }), ["r2"]);
        assert.deepEqual(await ids(store, { text: "%" }), ["r2"]);
        assert.deepEqual(await ids(store, { leastCostUsd: 0.5 }), ["r1"]);
        assert.deepEqual(await ids(store, { leastCostUsd: 0.51 }), []);
        assert.deepEqual(await ids(store, { tool: "fund" }), []);
        const createdAt = found?.run.createdAt ?? 0;
        assert.deepEqual(await ids(store, { createdBefore: createdAt }), []);
        assert.ok((await ids(store, { createdFrom: createdAt })).includes("r1"));
        assert.deepEqual(await store.countRuns({}), { completed: 1, queued: 1 });
        assert.deepEqual(await store.countRuns({ allTenants: true }), { completed: 1, queued: 2 });
      },
    ),
    storeCase(
      setup,
      "a search finds records that a run appended since the previous search, also after it was resumed [store.search]",
      async (store) => {
        const events = told("r1", "refund", 0.25, "Refunded 249 EUR.");
        const lease = await createAndAcquire(store, "r1", { input: "rucksack" });
        const facts = async () => (await store.searchRuns({ text: "rucksack" })).runs[0]?.facts;
        assert.equal((await facts())?.modelCalls, 0);
        await store.append(lease, events.slice(0, 1));
        assert.deepEqual(await ids(store, { tool: "refund" }), []);
        assert.deepEqual(await ids(store, { leastCostUsd: 0.25 }), ["r1"]);
        await store.release({ ...lease, head: { seq: 1, hash: "" } }, { state: "suspended", waitingOn: ["x"] });

        const again = await acquired(store, "r1");
        await store.append(again, events.slice(1, 3));
        assert.deepEqual(await ids(store, { tool: "refund" }), ["r1"]);
        assert.deepEqual(await ids(store, { text: "249" }), []);
        await store.append({ ...again, head: { seq: 3, hash: "" } }, events.slice(3));
        await store.release({ ...again, head: { seq: 4, hash: "" } }, { state: "completed" });
        assert.deepEqual(await ids(store, { text: "rucksack 249", leastCostUsd: 0.5 }), ["r1"]);
        const { tokens, toolCalls, stopReason } = (await facts()) ?? {};
        assert.deepEqual({ tokens, toolCalls, stopReason }, { tokens: 200, toolCalls: 1, stopReason: "completed" });
      },
    ),
    storeCase(
      setup,
      "pages follow each other without a gap, and refuse a cursor of another kind [store.search]",
      async (store) => {
        for (let index = 0; index < 23; index += 1) await store.create(runRecord(`r${index}`));
        const pages: (readonly string[])[] = [];
        let after: string | undefined;
        do {
          const page = await store.searchRuns({ limit: 10, after });
          pages.push(page.runs.map(({ run }) => run.id));
          after = page.next;
        } while (after !== undefined && pages.length < 5);
        assert.deepEqual(
          pages.map(({ length }) => length),
          [10, 10, 3],
        );
        assert.deepEqual(
          pages.flat(),
          Array.from({ length: 23 }, (_, index) => `r${22 - index}`),
        );
        await rejectsWith(store.searchRuns({ after: "r3" }), "SEARCH_CURSOR", "a cursor that no page returned");
      },
    ),
    storeCase(
      setup,
      "the first 4,000 characters are found, sealed text is not, and a deleted run leaves the search [store.search.private]",
      async (store) => {
        const lease = await createAndAcquire(store, "r1", { input: { sealed: "1.canary" } });
        const [first] = told("r1", "x", 1, "canary");
        const record = {
          type: "run.end",
          seq: 1,
          at: 1,
          key: "end",
          label: first?.label,
          runId: "r1",
          sealed: "canary",
        };
        await store.append(lease, [
          { ...record, status: "completed", stopReason: "completed" } as unknown as JournalEvent,
        ]);
        assert.deepEqual(await ids(store, { text: "canary" }), []);
        await store.create(runRecord("r2", { input: "canary" }));
        assert.deepEqual(await ids(store, { text: "canary" }), ["r2"]);
        await store.deleteRun("r2");
        assert.deepEqual(await ids(store, { text: "canary" }), []);
        await store.create(runRecord("r3", { input: `${"z".repeat(3_994)} early late` }));
        assert.deepEqual(await ids(store, { text: "early" }), ["r3"]);
        assert.deepEqual(await ids(store, { text: "late" }), []);
        await store.deleteRun("r3");
        const answered = await createAndAcquire(store, "r4");
        await store.append(answered, told("r4", "x", 1, `${"z".repeat(3_994)} first last`));
        assert.deepEqual(await ids(store, { text: "first" }), ["r4"]);
        assert.deepEqual(await ids(store, { text: "last" }), []);
        await store.deleteRun("r4");
        assert.deepEqual(await store.countRuns({}), { running: 1 });
      },
    ),
  ];
}

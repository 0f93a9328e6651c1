import { Agent } from "@bailiwick/agent";
import type { MemoryEntry } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio, type StudioQueue } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { schedule } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { client } from "./client.fixture.ts";

test("a schedule is shown, paused and resumed; a viewer of one tenant sees none", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = new Agent({ name: "digest", model: scriptedModel([]), store });
  await schedule({ id: "morning", agent, everyMs: 60_000, input: "Write the digest." });
  const { read, post } = client(studio({ store, agents: [agent] }));
  const schedules = async () => (await read<StudioQueue>("queue")).schedules;
  expect(await schedules()).toMatchObject([{ id: "morning", agentName: "digest", paused: false }]);
  expect((await post("schedules/morning/pause", {})).status).toBe(200);
  expect(await schedules()).toMatchObject([{ paused: true }]);
  expect((await post("schedules/morning/resume", {})).status).toBe(200);
  expect(await schedules()).toMatchObject([{ paused: false }]);
  expect((await post("schedules/evening/pause", {})).status).toBe(404);
  const tenant = client(studio({ store, authorize: () => ({ tenantId: "t1" }) }));
  expect((await tenant.read<StudioQueue>("queue")).schedules).toEqual([]);
  expect((await tenant.post("schedules/morning/pause", {})).status).toBe(403);
});

test("a memory is edited with its label, keeps its history, and is deleted with it", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const entry: MemoryEntry = {
    id: "m1",
    kind: "semantic",
    text: "Ada lives in Ulm.",
    name: "home town",
    scope: { tenantId: undefined, userId: "ada" },
    label: { integrity: "untrusted", readers: "public" },
    validFrom: 1,
    recordedAt: 1,
    source: { runId: "r1", seq: 3 },
  };
  await store.memories.put(entry);
  const { read, send } = client(studio({ store }));
  const edited = await send("PUT", "memories/m1?user=ada", { text: "Ada lives in Bonn." });
  const { memory } = (await edited.json()) as { readonly memory: MemoryEntry };
  expect(memory).toMatchObject({ text: "Ada lives in Bonn.", label: entry.label, source: entry.source });
  const { memories } = await read<{ memories: MemoryEntry[] }>("memories?user=ada");
  expect(memories.map(({ text }) => text)).toEqual(["Ada lives in Bonn."]);
  const { history } = await read<{ history: MemoryEntry[] }>(`memories/${memory.id}/history?user=ada`);
  expect(history.map(({ text }) => text)).toEqual(["Ada lives in Ulm."]);
  expect((await send("PUT", `memories/${memory.id}?user=ben`, { text: "x" })).status).toBe(404);
  expect((await send("PUT", "memories/m1?user=ada", { text: "Again." })).status).toBe(409);
  expect((await send("PUT", `memories/${memory.id}?user=ada`, { text: " " })).status).toBe(400);
  expect((await send("DELETE", `memories/${memory.id}?user=ada`, {})).status).toBe(200);
  expect((await read<{ memories: MemoryEntry[] }>("memories?user=ada")).memories).toEqual([]);
});

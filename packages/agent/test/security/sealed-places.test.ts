import { memoryStore, tool, type JournalEvent, type MemoryRunStore } from "@bailiwick/core";
import { scriptedModel, type Script } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const keep = tool({
  name: "keep",
  description: "Keeps.",
  inputSchema: z.object({ bill: z.number() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: ({ bill }) => `bill-${bill}`,
  needsApproval: ({ bill }) => bill === 9,
  execute: ({ bill }) => `kept ${bill}`,
});

function agentOver(store: MemoryRunStore, bill: number = 1) {
  const script: Script = (request) =>
    request.messages.at(-1)?.role === "user" ? { toolCalls: [{ name: "keep", arguments: { bill } }] } : "Done.";
  return new Agent({
    name: "agent",
    logger: quiet,
    flow: "off",
    model: scriptedModel(script),
    tools: [keep],
    store,
    session: store.sessions,
    keys: { seal: "a key" },
  });
}

const broken = { code: "SEAL_BROKEN" };

test("write access to the file cannot move sealed values: a message of one tenant into another's session [secrets.sealing]", async () => {
  const store = memoryStore();
  await agentOver(store).run("the words of t1", { sessionId: "s", tenantId: "t1" });
  const { messages, state } = await store.sessions.load("s", { tenantId: "t1" });
  await store.sessions.append("s", messages, { tenantId: "t2", runId: "x", seq: 1, state });
  expect(await failureOf(agentOver(store).run("read it", { sessionId: "s", tenantId: "t2" }))).toMatchObject(broken);
  // Within the tenant a session may be copied.
  const copy = await store.sessions.branch("s", { tenantId: "t1" });
  const output = await agentOver(store).run("go on", { sessionId: copy, tenantId: "t1" });
  expect(JSON.stringify(output.messages)).toContain("the words of t1");
});

test("write access to the file cannot move a run's input, record or signal into another run [secrets.sealing]", async () => {
  const store = memoryStore();
  const one = await agentOver(store, 9).run("the words of one", { tenantId: "t1" });
  const two = await agentOver(store, 9).run("the words of two", { tenantId: "t2" });
  const [row] = await store.listRuns({ tenantId: "t1" });
  const records = await store.load(one.runId);
  const over = (edited: Partial<MemoryRunStore>): MemoryRunStore => ({ ...store, ...edited });
  const inspect = (edited: Partial<MemoryRunStore>): Promise<unknown> =>
    failureOf(agentOver(over(edited), 9).inspect(two.runId));
  expect(
    await inspect({
      getRun: async (id) => {
        const run = await store.getRun(id);
        return run === undefined ? undefined : { ...run, input: row?.input };
      },
    }),
  ).toMatchObject(broken);
  for (const { seq } of records) {
    const load = async (id: string): Promise<readonly JournalEvent[]> =>
      (await store.load(id)).map((event) => {
        const moved = records.find((other) => other.seq === seq && event.seq === seq);
        return Object.assign({}, event, moved, { runId: id });
      });
    expect(await inspect({ load }), `record ${seq}`).toMatchObject(broken);
  }
  await agentOver(store).steer(one.runId, "for one");
  const lease = await store.acquire(one.runId, "thief", 1_000);
  const [signal] = lease === null ? [] : await store.takeSignals(lease);
  if (signal !== undefined) await store.signal(two.runId, signal);
  await agentOver(store).steer(two.runId, "for two");
  const done = await agentOver(store, 9).resume(
    two.runId,
    two.interruptions.map((asked) => asked.approve()),
  );
  expect(signal?.name).toBe("steer");
  expect(JSON.stringify(done.messages)).not.toContain("for one");
  // An unreadable one does not block the others.
  expect(JSON.stringify(done.messages)).toContain("for two");
});

test("write access to the file cannot move the cached result of one key to another [secrets.sealing]", async () => {
  const store = memoryStore();
  const rows: Parameters<typeof store.ledger.put>[0][] = [];
  const append: MemoryRunStore["append"] = (lease, events, attachments) => {
    rows.push(...(attachments ?? []));
    return store.append(lease, events, attachments);
  };
  await agentOver({ ...store, append }, 1).run("go", { tenantId: "t1" });
  await agentOver({ ...store, append }, 2).run("go", { tenantId: "t1" });
  const [first, second] = rows;
  expect(rows).toHaveLength(2);
  if (first !== undefined && second !== undefined) await store.ledger.put({ ...second, outcome: first.outcome });
  expect(await failureOf(agentOver(store, 2).run("go", { tenantId: "t1" }))).toMatchObject(broken);
  expect((await agentOver(store, 1).run("go", { tenantId: "t1" })).toolCalls).toMatchObject([{ deduplicated: true }]);
});

import { memoryStore, type JournalEvent, type MemoryRunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { counter, failureOf, quiet, writeCall } from "./fixtures.test.helper.ts";
import { Agent } from "./index.ts";

/** The same store, whose records someone edits on their way back. */
function edited(store: MemoryRunStore, edit: (events: JournalEvent[]) => readonly JournalEvent[]): MemoryRunStore {
  return {
    ...store,
    load: async (runId, afterSeq) => edit((await store.load(runId, afterSeq)).map((event) => structuredClone(event))),
  };
}

async function decidedRun(keys?: { readonly sign: string }) {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const over = (other: MemoryRunStore, otherKeys = keys) =>
    new Agent({
      name: "agent",
      logger: quiet,
      flow: "off",
      model: scriptedModel([writeCall("a"), "Done."]),
      tools: [write],
      store: other,
      keys: otherKeys,
    });
  const agent = over(store);
  const first = await agent.run("go");
  const [question] = first.interruptions;
  if (question === undefined) throw new Error("The run was expected to ask.");
  return { store, over, agent, ran, runId: first.runId, question };
}

test("[audit.verify] a signed run is valid while it waits and when it is done; without a key it is unsigned", async () => {
  const { agent, over, store, runId, question, ran } = await decidedRun({ sign: "key" });
  expect(await agent.verifyAudit(runId)).toMatchObject({ verdict: "valid" });
  const done = await agent.resume(runId, [question.approve()]);
  expect(done.status).toBe("completed");
  const { length } = await store.load(runId);
  expect(await agent.verifyAudit(runId)).toEqual({ verdict: "valid", records: length });
  expect(ran).toEqual(["a"]);
  expect(await over(store, { sign: "another key" }).verifyAudit(runId)).toMatchObject({ verdict: "broken" });
  const plain = await decidedRun();
  expect(await plain.agent.verifyAudit(plain.runId)).toMatchObject({ verdict: "unsigned" });
  expect(await failureOf(agent.verifyAudit("nobody"))).toMatchObject({ code: "RUN_NOT_FOUND" });
});

test("[audit.verify] each record that is edited, taken out, moved or added is found, and where", async () => {
  const { store, over, agent, runId, question } = await decidedRun({ sign: "key" });
  await agent.resume(runId, [question.approve()]);
  const { length } = await store.load(runId);
  const verdict = async (edit: (events: JournalEvent[]) => readonly JournalEvent[]) =>
    over(edited(store, edit)).verifyAudit(runId);
  for (let at = 0; at < length; at += 1) {
    const changed = await verdict((events) =>
      events.map((event, index) => (index === at ? { ...event, at: event.at + 1 } : event)),
    );
    expect(changed, `record ${at + 1}`).toMatchObject({ verdict: "broken" });
    // A record is found out at the next signature: at itself, or at the end of its commit.
    expect((changed as { readonly seq: number }).seq).toBeGreaterThanOrEqual(at + 1);
    expect(
      await verdict((events) => events.filter((_, index) => index !== at)),
      `without record ${at + 1}`,
    ).toMatchObject({ verdict: "broken" });
    expect(await verdict((events) => events.slice(0, at)), `cut before record ${at + 1}`).toMatchObject({
      verdict: "broken",
    });
  }
  expect(await verdict((events) => [...events.slice(1), ...events.slice(0, 1)])).toMatchObject({ verdict: "broken" });
  expect(await verdict((events) => events.flatMap((event) => [event, event]))).toMatchObject({ verdict: "broken" });
  const bare = (events: JournalEvent[]): JournalEvent[] =>
    events.map(({ mac: _mac, ...event }: JournalEvent & { mac?: string | undefined }) => event as JournalEvent);
  expect(await verdict(bare)).toMatchObject({
    verdict: "broken",
    reason: expect.stringContaining("not signed") as string,
  });
});

test("[audit.verify] without a key, records that are missing or stand in another order are found", async () => {
  const { store, over, agent, runId, question } = await decidedRun();
  await agent.resume(runId, [question.approve()]);
  const verdict = async (edit: (events: JournalEvent[]) => readonly JournalEvent[]) =>
    over(edited(store, edit)).verifyAudit(runId);
  expect(await verdict((events) => events)).toMatchObject({ verdict: "unsigned" });
  expect(await verdict((events) => events.filter(({ type }) => type !== "tool.approval.decided"))).toMatchObject({
    verdict: "broken",
  });
  expect(await verdict((events) => events.slice(0, -1))).toMatchObject({ verdict: "broken" });
});

test("[audit.verify] forged, edited, replayed and late decisions are refused, run nothing and leave the journal valid", async () => {
  const { store, agent, runId, question, ran } = await decidedRun({ sign: "key" });
  const other = await decidedRun({ sign: "key" });
  const before = await store.load(runId);
  const right = question.approve();
  const refused = [
    { ...right, token: "0".repeat(64) },
    { ...right, token: undefined },
    { ...right, id: other.question.id },
    { ...other.question.approve(), id: right.id },
  ];
  for (const decision of refused)
    expect(await failureOf(agent.resume(runId, [decision as typeof right]))).toMatchObject({ name: "DecisionError" });
  expect(ran).toEqual([]);
  expect(await store.load(runId)).toEqual(before);
  expect(await agent.verifyAudit(runId)).toMatchObject({ verdict: "valid", records: before.length });
  await agent.resume(runId, [right]);
  expect(ran).toEqual(["a"]);
  const after = await store.load(runId);
  // Replayed, and late: the run is done.
  for (const decision of [right, question.reject("no")]) await agent.resume(runId, [decision]).catch(() => undefined);
  expect(ran).toEqual(["a"]);
  expect(await store.load(runId)).toEqual(after);
  expect(await agent.verifyAudit(runId)).toMatchObject({ verdict: "valid", records: after.length });
});

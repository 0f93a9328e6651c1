import { memoryStore, type JournalEvent, type MemoryRunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

/** The same store, but records are edited when they are read. */
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

test("a signed run is valid while suspended and when completed; without a key it is unsigned [audit.verify]", async () => {
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

test("the audit finds and locates each record that is edited, removed, moved or added [audit.verify]", async () => {
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
    // A changed record is detected at the next signature: its own, or that of the end of its commit.
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

test("without a key, missing and reordered records are found [audit.verify]", async () => {
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

test("the audit reports the position of a record from another run or signed with another key [audit.verify]", async () => {
  const { store, over, agent, runId, question } = await decidedRun({ sign: "key" });
  await agent.resume(runId, [question.approve()]);
  const twin = await decidedRun({ sign: "key" });
  await twin.agent.resume(twin.runId, [twin.question.approve()]);
  const others = await twin.store.load(twin.runId);
  const own = await store.load(runId);
  expect(others.map(({ type }) => type)).toEqual(own.map(({ type }) => type));
  const verdict = async (edit: (events: JournalEvent[]) => readonly JournalEvent[]) =>
    over(edited(store, edit)).verifyAudit(runId);
  for (const at of own.keys()) {
    const spliced = (runIdToo: boolean) => (events: JournalEvent[]) =>
      events.map((event, index) => {
        const other = others[index] as JournalEvent;
        return index === at ? { ...other, ...(runIdToo && { runId: event.runId }) } : event;
      });
    expect(await verdict(spliced(false)), `record ${at + 1}`).toMatchObject({ verdict: "broken" });
    expect(await verdict(spliced(true)), `record ${at + 1}, renamed`).toMatchObject({ verdict: "broken" });
    const tail = (events: JournalEvent[]): readonly JournalEvent[] => [...events.slice(0, at), ...others.slice(at)];
    expect(await verdict(tail), `another end from record ${at + 1}`).toMatchObject({ verdict: "broken" });
  }
  expect(await over(store, { sign: "another key" }).verifyAudit(runId)).toMatchObject({ verdict: "broken" });
});

test("a call that ran despite a denial by the flow policy fails the audit [audit.verify]", async () => {
  const store = memoryStore();
  const { write, ran } = counter();
  const over = (other: MemoryRunStore): Agent =>
    new Agent({
      name: "agent",
      logger: quiet,
      flow: { mode: "enforce", planner: false },
      model: scriptedModel([writeCall("a"), "Done."]),
      tools: [write],
      store: other,
    });
  const { runId } = await over(store).run("go");
  expect(ran).toEqual(["a"]);
  const decided = (verdict: "ask" | "deny" | "allow", shadow?: boolean) =>
    over(
      edited(store, (events) =>
        events.map((event) =>
          event.type === "flow.decided" ? { ...event, verdict, ...(shadow !== undefined && { shadow }) } : event,
        ),
      ),
    ).verifyAudit(runId);
  expect(await decided("allow")).toMatchObject({ verdict: "unsigned" });
  expect(await decided("deny", true)).toMatchObject({ verdict: "unsigned" });
  expect(await decided("deny")).toMatchObject({
    verdict: "broken",
    reason: expect.stringMatching(/denied\.$/u) as string,
  });
  expect(await decided("ask")).toMatchObject({
    verdict: "broken",
    reason: expect.stringContaining("lowers") as string,
  });
});

test("forged, edited, replayed and late decisions are refused, run nothing, and keep the journal valid [audit.verify]", async () => {
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
  // Replayed, and too late: the run has ended.
  for (const decision of [right, question.reject("no")]) await agent.resume(runId, [decision]).catch(() => undefined);
  expect(ran).toEqual(["a"]);
  expect(await store.load(runId)).toEqual(after);
  expect(await agent.verifyAudit(runId)).toMatchObject({ verdict: "valid", records: after.length });
});

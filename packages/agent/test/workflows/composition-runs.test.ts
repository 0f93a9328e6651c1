import { loop, map, parallel, pipeline, route, attempt, type Composition } from "../../src/compose.ts";
import { memoryStore, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { drivenNow } from "../durability/drive-due.test.helper.ts";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, tool } from "../../src/index.ts";

/** An agent that asks a person before it pays. */
function clerk(store: RunStore, paid: string[]): Agent {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: { type: "object", properties: {} },
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: (_input, { idempotencyKey }) => void paid.push(String(idempotencyKey)),
  });
  return new Agent({
    name: "clerk",
    store,
    logger: quiet,
    tools: [pay],
    model: scriptedModel(({ toolResults }) =>
      toolResults.length > 0 ? "Paid." : { toolCalls: [{ name: "pay", arguments: {} }] },
    ),
  });
}

const failing = (store: RunStore): Agent =>
  new Agent({
    name: "failing",
    store,
    logger: quiet,
    model: scriptedModel(() => {
      throw new Error("down");
    }),
  });

const compositions: Readonly<
  Record<string, (one: Agent, store: RunStore) => { readonly composition: Composition; readonly structured: unknown }>
> = {
  pipeline: (one, store) => ({ composition: pipeline({ store, logger: quiet }, one), structured: "Paid." }),
  parallel: (one, store) => ({
    composition: parallel({ store, logger: quiet }, { one }),
    structured: { one: "Paid." },
  }),
  map: (one, store) => ({
    composition: map({ items: ["a"], store, logger: quiet }, one),
    structured: ["Paid."],
  }),
  route: (one, store) => ({
    composition: route({ choose: () => "one", store, logger: quiet }, { one }),
    structured: "Paid.",
  }),
  loop: (one, store) => ({
    composition: loop({ until: () => true, store, logger: quiet }, one),
    structured: "Paid.",
  }),
  attempt: (one, store) => ({
    composition: attempt({ store, logger: quiet }, { try: failing(store), catch: one }),
    structured: "Paid.",
  }),
};

test.each(Object.entries(compositions))(
  "a composition's run is enqueued, driven by a worker, decided in another process, inspected and replayed: %s [composition.runs]",
  async (_name, make) => {
    const store = memoryStore();
    const paid: string[] = [];
    const start = (): ReturnType<typeof make> => make(clerk(store, paid), store);
    const { runId } = await start().composition.enqueue("Pay Anna.");
    const [asked] = await drivenNow(start().composition);
    expect(asked).toMatchObject({ runId, status: "suspended" });
    const inOffice = start().composition;
    const [question] = await inOffice.interruptions(runId);
    expect(question).toMatchObject({ toolName: "pay", runId });
    expect(await inOffice.decide(runId, [{ id: question?.id ?? "", type: "approve" }])).toBe(1);
    const { composition, structured } = start();
    const [done] = await drivenNow(composition);
    expect(done).toMatchObject({ runId, status: "completed" });
    expect(paid).toHaveLength(1);
    // The journal has the structured answer: each way to read the run returns it.
    const later = start().composition;
    expect(done?.structured).toEqual(structured);
    expect((await later.resume(runId)).structured).toEqual(structured);
    expect((await later.replay(runId))?.structured).toEqual(structured);
    expect((await later.inspect(runId)).output?.structured).toEqual(structured);
    const fork = await later.fork(runId, { atSeq: 1 });
    expect((await later.resume(fork.runId)).status).toBe("suspended");
    await later.cancel(fork.runId, "not needed");
    expect((await later.inspect(fork.runId)).run.state).toBe("cancelled");
    expect(paid).toHaveLength(1);
  },
);

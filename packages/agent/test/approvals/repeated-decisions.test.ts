import {
  memoryStore,
  tool,
  type Decision,
  type HostedTool,
  type Interruption,
  type RunStore,
  type StoredRun,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, openAgent, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const shell: HostedTool = {
  type: "hosted",
  provider: "scripted",
  name: "shell",
  args: {},
  sideEffectClass: "external-stateful",
};

/** A question, a decision about it, and another decision about the same question. */
interface Asking {
  readonly tools: readonly Tool[];
  readonly hostedTools?: readonly HostedTool[];
  /** The first process dies inside the call. */
  readonly dies?: "in the tool" | "in the model call";
  readonly decide: (asked: Interruption) => Decision;
  readonly otherwise: (asked: Interruption) => Decision;
}

const hangs = (): Tool => {
  let calls = 0;
  return tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    execute: () => ((calls += 1) === 1 ? new Promise(() => undefined) : "wrote"),
  });
};
const asks = tool({
  name: "write",
  description: "Writes a line.",
  inputSchema: z.object({ line: z.string() }),
  sideEffectClass: "read-only",
  execute: (_input, ctx) => ctx.ask({ question: "Which?", schema: z.string() }),
});
const approved = (): Pick<Asking, "tools"> => ({ tools: [counter({ needsApproval: true }).write] });
const uncertain = (): Pick<Asking, "tools" | "dies"> => ({ tools: [hangs()], dies: "in the tool" });
const hosted = { tools: [], hostedTools: [shell], dies: "in the model call" } as const;
const inside = (): Tool =>
  new Agent({
    ...openAgent,
    name: "write",
    model: scriptedModel((request) => (request.toolResults.length === 0 ? writeCall() : "Done.")),
    ...approved(),
  }).asTool({ inputSchema: z.object({ line: z.string() }), toInput: ({ line }: { readonly line: string }) => line });

const askings: Readonly<Record<string, () => Asking>> = {
  approve: () => ({ ...approved(), decide: (asked) => asked.approve(), otherwise: (asked) => asked.reject() }),
  "approve with edited arguments": () => ({
    ...approved(),
    decide: (asked) => asked.approve({ args: { line: "b" } }),
    otherwise: (asked) => asked.approve(),
  }),
  reject: () => ({ ...approved(), decide: (asked) => asked.reject("No."), otherwise: (asked) => asked.reject("Why?") }),
  answer: () => ({
    tools: [asks],
    decide: (asked) => asked.answer("this"),
    otherwise: (asked) => asked.answer("that"),
  }),
  "it happened": () => ({
    ...uncertain(),
    decide: (asked) => asked.itHappened("wrote a"),
    otherwise: (asked) => asked.itDidNotHappen(),
  }),
  "it did not happen": () => ({
    ...uncertain(),
    decide: (asked) => asked.itDidNotHappen(),
    otherwise: (asked) => asked.giveUp(),
  }),
  "give up": () => ({ ...uncertain(), decide: (asked) => asked.giveUp(), otherwise: (asked) => asked.itHappened() }),
  "it happened, of a model call": () => ({
    ...hosted,
    decide: (asked) => asked.itHappened("printed"),
    otherwise: (asked) => asked.giveUp(),
  }),
  "it did not happen, of a model call": () => ({
    ...hosted,
    decide: (asked) => asked.itDidNotHappen(),
    otherwise: (asked) => asked.giveUp(),
  }),
  "approve, of an agent that is a tool": () => ({
    tools: [inside()],
    decide: (asked) => asked.approve(),
    otherwise: (asked) => asked.reject(),
  }),
};

/** A run that waits for a decision, on a store whose clock the test moves. */
async function asking({ tools, hostedTools, dies }: Asking) {
  let now = 1_000;
  const clock = { now: () => now, setTimer: () => () => undefined };
  const store: RunStore = memoryStore({ clock });
  const base = { ...openAgent, store, tools, hostedTools: hostedTools ?? [] };
  const process = (answer: "answers" | "hangs"): Agent =>
    new Agent({
      ...base,
      model: scriptedModel((request) => {
        const over = request.toolResults.length > 0 || tools.length === 0;
        if (!over) return writeCall();
        return answer === "answers" ? "Done." : { faults: { hangAfterEvents: 0 } };
      }),
    });
  /** The process dies, and its lease runs out. */
  const crash = (): void => void (now += 60_000);
  const begun = process(dies === "in the model call" ? "hangs" : "answers").run("Go.", { idempotencyKey: "once" });
  if (dies === undefined) await begun;
  else {
    // The run's promise rejects in its dead process.
    begun.catch(() => undefined);
    await expect.poll(async () => (await eventTypes(store)).at(-1)).toMatch(/intent$/);
    crash();
  }
  const runId = (await outerRun(store))?.id ?? "";
  const { interruptions } = await process("answers").resume(runId);
  return { store, process, runId, crash, interruptions };
}

const outerRun = async (store: RunStore): Promise<StoredRun | undefined> =>
  (await store.listRuns({})).find(({ parent }) => parent === undefined);

async function eventTypes(store: RunStore): Promise<readonly string[]> {
  const run = await outerRun(store);
  return run === undefined ? [] : (await store.load(run.id)).map(({ type }) => type);
}

test.each(Object.keys(askings))(
  "a decision that is delivered twice is accepted and the run continues; a different one is refused (%s) [people.binding.repeated]",
  async (kind) => {
    const made = askings[kind]?.() as Asking;
    const { store, process, runId, crash, interruptions } = await asking(made);
    expect(interruptions).toHaveLength(1);
    const decisions = interruptions.map(made.decide);
    const others = interruptions.map(made.otherwise);
    // The first delivery is recorded, and its process dies in the next model call.
    void process("hangs")
      .resume(runId, decisions)
      .catch(() => undefined);
    await expect
      .poll(async () => (await eventTypes(store)).filter((type) => type === "model.intent").length)
      .toBeGreaterThan(1);
    crash();
    const before = await store.load(runId);
    expect(await failureOf(process("answers").resume(runId, others))).toMatchObject({ code: "DECISION_USED" });
    expect(await store.load(runId)).toEqual(before);
    let output = await process("answers").resume(runId, [...decisions, ...decisions]);
    // The model call of the dead process offered the hosted writer again.
    if (made.hostedTools !== undefined)
      output = await process("answers").resume(
        runId,
        output.interruptions.map((asked) => asked.giveUp()),
      );
    expect(output).toMatchObject({ status: "completed", text: "Done." });
    const whole = await store.load(runId);
    expect(await process("answers").resume(runId, decisions)).toMatchObject({ status: "completed", text: "Done." });
    expect(await failureOf(process("answers").resume(runId, others))).toMatchObject({ code: "DECISION_USED" });
    expect(await store.load(runId)).toEqual(whole);
    expect(whole.filter(({ type }) => type.endsWith(".decided") && type !== "flow.decided").length).toBeLessThanOrEqual(
      2,
    );
  },
);

test("a question of a cancelled run is closed, and a later decision is refused with that reason [people.binding.closed]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({ ...openAgent, model: scriptedModel([writeCall()]), tools: [write], store: memoryStore() });
  const { runId, interruptions } = await agent.run("Go.");
  await agent.cancel(runId);
  const error = await failureOf(
    agent.resume(
      runId,
      interruptions.map((asked) => asked.approve()),
    ),
  );
  expect(error).toMatchObject({ code: "QUESTION_CLOSED" });
  expect((error as Error).message).toContain("the run was cancelled");
  expect(ran).toEqual([]);
});

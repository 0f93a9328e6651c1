import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../contracts/tool.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";
import { memoryStore } from "../../journal/memory-store.ts";
import { tool } from "../../tools/tool.ts";
import { harness, settleAll, testClock, toolTexts } from "./call-harness.test.helper.ts";
import type { Harness, HarnessOptions } from "./call-harness.test.helper.ts";

type Execute = (input: unknown, ctx: ToolExecutionContext) => unknown;

function made(execute: Execute, extra: Partial<Tool> = {}): Tool {
  const base = tool({
    name: "t",
    description: "d",
    inputSchema: z.object({ n: z.number().optional() }),
    sideEffectClass: "external-stateful",
    execute: () => undefined,
  });
  return { ...base, execute, ...extra };
}

/** Drives until the tool has started, and forgets the process: its later actions reach no journal. */
async function crash(self: Harness): Promise<void> {
  void self.drive().catch(() => {});
  await settleAll();
}

const hang: Execute = () => new Promise(() => {});

describe("an intent without an outcome", () => {
  async function crashed(options: Omit<HarnessOptions, "calls">, then: Execute, extra: Partial<Tool> = {}) {
    const ran: (string | undefined)[] = [];
    const note =
      (execute: Execute): Execute =>
      (input, ctx) => {
        ran.push(ctx.idempotencyKey);
        return execute(input, ctx);
      };
    const self = await harness({
      ...options,
      tools: [made(note(hang), extra)],
      calls: [{ name: "t", args: { n: 1 } }],
    });
    await crash(self);
    expect(ran).toHaveLength(1);
    await self.restart({ tools: [made(note(then), extra)] });
    return { self, ran };
  }

  test("a writer's intent is on disk before it runs [effects.intent-first]", async () => {
    let stored: string[] = [];
    const store = memoryStore();
    const self = await harness({
      store,
      tools: [
        made(async () => {
          stored = (await store.load("run-1")).map((event) => event.type);
        }),
      ],
      calls: [{ name: "t" }],
    });
    await self.drive();
    expect(stored).toContain("tool.intent");
    expect(stored).not.toContain("tool.outcome");
  });

  test("an interrupted reader runs again [effects.resume.reader]", async () => {
    const { self, ran } = await crashed({}, () => "again", { sideEffectClass: "read-only" });
    expect((await self.drive()).results[0]?.output).toBe("again");
    expect(ran).toHaveLength(2);
  });

  test("a keyed writer runs again with the same key [effects.resume.idempotency-key] [tool.field.idempotency-key.same-on-every-attempt]", async () => {
    const { self, ran } = await crashed({}, () => "again", { idempotencyKey: "call" });
    const outcome = await self.drive();
    expect(outcome.results[0]?.output).toBe("again");
    expect(ran).toHaveLength(2);
    expect(ran[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(ran[1]).toBe(ran[0]);
  });

  test("an approved keyed writer runs again under its earlier approval", async () => {
    const ran: string[] = [];
    const pay = (execute: Execute): Tool =>
      made(execute, { idempotencyKey: (input) => `k${String((input as { n: number }).n)}`, needsApproval: true });
    const self = await harness({ tools: [pay(hang)], calls: [{ name: "t", args: { n: 4 } }] });
    const [question] = (await self.drive()).interruptions;
    self.decide(question!.approve());
    await crash(self);
    await self.restart({ tools: [pay((_input, ctx) => void ran.push(ctx.idempotencyKey ?? ""))] });
    expect((await self.drive()).interruptions).toEqual([]);
    expect(ran).toEqual(["k4"]);
  });

  test.each([
    ["done", 0],
    ["absent", 1],
  ] as const)("a writer with lookup is asked: %s [effects.resume.lookup]", async (status, again) => {
    const asked: unknown[] = [];
    const lookup: Tool["lookup"] = async (key, input) => {
      asked.push(input);
      return status === "done" ? { status, output: `known ${key.length}` } : { status };
    };
    const { self, ran } = await crashed({}, () => "ran again", { idempotencyKey: "call", lookup });
    const outcome = await self.drive();
    expect(asked).toEqual([{ n: 1 }]);
    expect(ran).toHaveLength(1 + again);
    expect(outcome.results[0]?.output).toBe(status === "done" ? "known 64" : "ran again");
  });

  test.each([
    ["unknown", async () => ({ status: "unknown" as const })],
    ["a throw", () => Promise.reject(new Error("down"))],
  ])("%s is an unknown outcome [tool.field.lookup.unknown]", async (_name, lookup) => {
    const { self, ran } = await crashed({}, () => "no", { idempotencyKey: "call", lookup });
    const outcome = await self.drive();
    expect(ran).toHaveLength(1);
    expect(outcome.interruptions).toMatchObject([{ kind: "unknown_outcome" }]);
  });

  test("any other interrupted writer is not repeated: a person is asked [effects.resume.other-writer] [seams.pipeline.unknown-outcome-suspends] [field-bug:PB-approvals-06]", async () => {
    const { self, ran } = await crashed({}, () => "no");
    const outcome = await self.drive();
    expect(ran).toHaveLength(1);
    expect(outcome.interruptions).toMatchObject([{ kind: "unknown_outcome", toolName: "t" }]);
    await self.restart();
    expect((await self.drive()).interruptions[0]?.id).toBe(outcome.interruptions[0]?.id);
    expect(ran).toHaveLength(1);
  });

  test("a gate that a new version adds is asked about a call that has not run yet [effects.resume.gate-added]", async () => {
    const ran: string[] = [];
    const write = (name: string, execute: Execute, extra: Partial<Tool>): Tool => ({ ...made(execute, extra), name });
    const hold = (execute: Execute): Tool => write("hold", execute, { idempotencyKey: "call" });
    const later = (needsApproval: boolean): Tool => write("later", () => ran.push("later"), { needsApproval });
    const self = await harness({
      tools: [hold(hang), later(false)],
      calls: [{ name: "hold" }, { name: "later" }],
      settings: { toolConcurrency: 1 },
    });
    await crash(self);
    await self.restart({ tools: [hold(() => "held"), later(true)] });
    const outcome = await self.drive();
    expect(outcome.interruptions).toMatchObject([{ kind: "approval", toolName: "later" }]);
    expect(ran).toEqual([]);
    self.decide(outcome.interruptions[0]!.approve());
    await self.drive();
    expect(ran).toEqual(["later"]);
  });

  test.each<readonly [string, Partial<Tool>]>([
    ["no key any more", { idempotencyKey: undefined }],
    ["another key", { idempotencyKey: () => "other" }],
    ["a key function that throws", { idempotencyKey: () => Promise.reject(new Error("down")) }],
    ["a reader", { idempotencyKey: undefined, sideEffectClass: "read-only" }],
    ["another default", { inputSchema: z.object({ n: z.number().optional(), unit: z.string().default("EUR") }) }],
    ["a schema that the arguments do not match", { inputSchema: z.object({ n: z.string() }) }],
    ["an approval that is needed", { needsApproval: true }],
  ])(
    "a keyed writer is not repeated when today's tool would treat its call differently: %s [effects.resume.upgrade]",
    async (_name, change) => {
      const { self, ran } = await crashed({}, hang, { idempotencyKey: () => "the key" });
      await self.restart({ tools: [made(() => ran.push("again"), { idempotencyKey: () => "the key", ...change })] });
      const outcome = await self.drive();
      expect(outcome.interruptions).toMatchObject([{ kind: "unknown_outcome" }]);
      expect(outcome.interruptions[0]?.question.unusual[0]?.text).toContain("It is not repeated without an answer");
      expect(ran).toHaveLength(1);
      await self.restart({ tools: [made(() => ran.push("again"), { idempotencyKey: () => "the key", ...change })] });
      self.decide(outcome.interruptions[0]!.itHappened("done"));
      expect((await self.drive()).results[0]).toMatchObject({ output: "done", isError: false });
      expect(ran).toHaveLength(1);
    },
  );

  test("the output entered by a person is the result [effects.unknown.it-happened]", async () => {
    const { self, ran } = await crashed({}, () => "no");
    const [question] = (await self.drive()).interruptions;
    self.decide(question!.itHappened({ id: 7 }));
    const outcome = await self.drive();
    expect(outcome.results[0]).toMatchObject({ output: { id: 7 }, isError: false });
    expect(ran).toHaveLength(1);
  });

  test("the call is gated and run again, and may crash again [effects.unknown.it-did-not-happen]", async () => {
    const { self, ran } = await crashed({}, hang, { needsApproval: false });
    const [question] = (await self.drive()).interruptions;
    self.decide(question!.itDidNotHappen());
    await crash(self);
    expect(ran).toHaveLength(2);
    await self.restart();
    const second = await self.drive();
    expect(second.interruptions).toMatchObject([{ kind: "unknown_outcome" }]);
    expect(second.interruptions[0]?.id).not.toBe(question?.id);
    expect(ran).toHaveLength(2);
  });

  test("an approval covers no second execution after `it did not happen`", async () => {
    const ran: string[] = [];
    const pay = (execute: Execute): Tool => made(execute, { needsApproval: true });
    const self = await harness({ tools: [pay(hang)], calls: [{ name: "t" }] });
    const [first] = (await self.drive()).interruptions;
    self.decide(first!.approve());
    await crash(self);
    await self.restart({ tools: [pay(() => void ran.push("x"))] });
    const [unknown] = (await self.drive()).interruptions;
    self.decide(unknown!.itDidNotHappen());
    const [again] = (await self.drive()).interruptions;
    expect(again).toMatchObject({ kind: "approval" });
    expect(ran).toEqual([]);
    self.decide(again!.approve());
    await self.drive();
    expect(ran).toEqual(["x"]);
  });

  test("the model reads that the outcome is unknown [effects.unknown.give-up]", async () => {
    const { self, ran } = await crashed({}, () => "no");
    const [question] = (await self.drive()).interruptions;
    self.decide(question!.giveUp("the bank is closed"));
    const outcome = await self.drive();
    expect(outcome.results[0]?.error).toMatchObject({ kind: "unknown_outcome", effectHappened: "unknown" });
    expect(toolTexts(self)[0]).toContain("the bank is closed");
    expect(ran).toHaveLength(1);
  });

  test("with onUnknownOutcome tell-model the run continues at once", async () => {
    const { self, ran } = await crashed({ settings: { onUnknownOutcome: "tell-model" } }, () => "no");
    const outcome = await self.drive();
    expect(outcome.interruptions).toEqual([]);
    expect(outcome.results[0]?.error?.kind).toBe("unknown_outcome");
    expect(ran).toHaveLength(1);
  });
});

describe("ctx.ask", () => {
  test("suspends, restarts with the answer, and may ask again [tool.context.ask] [field-bug:PB-approvals-24]", async () => {
    const log: string[] = [];
    const asking = made(async (_input, ctx) => {
      log.push("start");
      const size = await ctx.ask({ question: "Which size?", schema: z.enum(["s", "m"]), key: "size" });
      const sure = await ctx.ask({ question: "Sure?", schema: z.boolean() });
      log.push(`${size} ${String(sure)}`);
      return "ordered";
    });
    const self = await harness({ tools: [asking], calls: [{ name: "t" }] });
    const first = await self.drive();
    expect(first.interruptions).toMatchObject([
      { kind: "question", question: { title: "Which size?" }, answerKey: "size" },
    ]);
    expect(first.interruptions[0]?.answerJsonSchema).toMatchObject({ enum: ["s", "m"] });
    await self.restart();
    expect((await self.drive()).interruptions).toHaveLength(1);
    self.decide(first.interruptions[0]!.answer("m"));
    const second = await self.drive();
    expect(second.interruptions).toMatchObject([{ kind: "question", question: { title: "Sure?" } }]);
    await self.restart();
    self.decide(second.interruptions[0]!.answer(true));
    const third = await self.drive();
    expect(third.results[0]?.output).toBe("ordered");
    expect(log).toEqual(["start", "start", "start", "m true"]);
  });

  test("an approved writer that asks is not approved twice", async () => {
    const ran: string[] = [];
    const asking = made(async (_input, ctx) => void ran.push(await ctx.ask({ question: "Why?", schema: z.string() })), {
      needsApproval: true,
    });
    const self = await harness({ tools: [asking], calls: [{ name: "t" }] });
    self.decide((await self.drive()).interruptions[0]!.approve());
    const [question] = (await self.drive()).interruptions;
    expect(question?.kind).toBe("question");
    await self.restart();
    self.decide(question!.answer("because"));
    expect((await self.drive()).interruptions).toEqual([]);
    expect(ran).toEqual(["because"]);
  });

  test("the questions of several calls surface together, in call order [field-bug:PB-approvals-22]", async () => {
    const asking = made((_input, ctx) => ctx.ask({ question: `q of ${ctx.toolCallId}`, schema: z.string() }));
    const self = await harness({ tools: [asking], calls: [{ name: "t" }, { name: "t" }, { name: "t" }] });
    const { interruptions } = await self.drive();
    expect(interruptions.map((each) => each.question.title)).toEqual(["q of call-0", "q of call-1", "q of call-2"]);
    self.decide(...interruptions.map((each, index) => each.answer(`a${index}`)));
    expect((await self.drive()).results.map((each) => each.output)).toEqual(["a0", "a1", "a2"]);
  });

  test("an invalid answer is refused: the question is asked again with the reason", async () => {
    const asking = made((_input, ctx) => ctx.ask({ question: "n?", schema: z.number() }));
    const self = await harness({ tools: [asking], calls: [{ name: "t" }] });
    self.decide((await self.drive()).interruptions[0]!.answer("text"));
    const again = (await self.drive()).interruptions[0]!;
    expect(again.question.title).toContain("n? (The answer given before cannot be used");
    self.decide(again.answer(4));
    expect((await self.drive()).results[0]?.output).toBe(4);
  });
});

describe("after an outcome", () => {
  test("after a crash before the results, they are presented again and nothing runs [seams.pipeline.presentation-again]", async () => {
    let ran = 0;
    let presented = 0;
    const toModelOutput = (output: unknown): string => {
      presented += 1;
      return `shown ${String(output)}`;
    };
    const t = made(() => `run ${(ran += 1)}`, { toModelOutput });
    const never = made(hang, { name: "u", sideEffectClass: "read-only" });
    const self = await harness({ tools: [t, never], calls: [{ name: "t" }, { name: "u" }] });
    await crash(self);
    await self.restart({ tools: [t, made(() => "u", { name: "u", sideEffectClass: "read-only" })] });
    await self.drive();
    expect(toolTexts(self)).toEqual(["shown run 1", "u"]);
    expect(ran).toBe(1);
    expect(presented).toBe(1);
  });
});

describe("idempotency", () => {
  const keyed = (ran: unknown[], extra: Partial<Tool> = {}): Tool =>
    made(
      (input) => {
        ran.push(input);
        return { done: ran.length };
      },
      {
        idempotencyKey: (input) =>
          `order-${String((input as { n?: number }).n ?? 0) === "9" ? "1" : String((input as { n?: number }).n ?? 0)}`,
        ...extra,
      },
    );

  test("calls with the same key and input run once: in a turn, and in another run of the tenant [tool.field.idempotency-key]", async () => {
    const ran: unknown[] = [];
    const clock = testClock();
    const store = memoryStore({ clock });
    const first = await harness({
      clock,
      store,
      tools: [keyed(ran)],
      calls: [
        { name: "t", args: { n: 1 } },
        { name: "t", args: { n: 1 } },
      ],
    });
    const one = await first.drive();
    expect(one.results.map((each) => [each.output, each.deduplicated])).toEqual([
      [{ done: 1 }, undefined],
      [{ done: 1 }, true],
    ]);
    const second = await harness({
      clock,
      store,
      runId: "run-2",
      tools: [keyed(ran)],
      calls: [{ name: "t", args: { n: 1 } }],
    });
    expect((await second.drive()).results[0]).toMatchObject({ output: { done: 1 }, deduplicated: true });
    expect(ran).toHaveLength(1);
    const other = await harness({
      clock,
      store,
      runId: "run-3",
      tools: [keyed(ran)],
      calls: [{ name: "t", args: { n: 1 } }],
      context: { tenantId: "t2" },
    });
    expect((await other.drive()).results[0]?.deduplicated).toBeUndefined();
    await clock.advance(24 * 60 * 60 * 1000 + 1);
    const late = await harness({
      clock,
      store,
      runId: "run-4",
      tools: [keyed(ran)],
      calls: [{ name: "t", args: { n: 1 } }],
    });
    expect((await late.drive()).results[0]?.deduplicated).toBeUndefined();
    expect(ran).toHaveLength(3);
  });

  test("after a failed call, later calls with its key run one after the other, until one has a result [tool.field.idempotency-key]", async () => {
    let tries = 0;
    const self = await harness({
      tools: [
        made(
          async () => {
            tries += 1;
            const nth = tries;
            await new Promise((done) => setImmediate(done));
            if (nth === 1) throw new Error("down");
            return { nth };
          },
          { idempotencyKey: () => "order" },
        ),
      ],
      calls: [0, 1, 2, 3].map(() => ({ name: "t", args: { n: 1 } })),
    });
    const { results } = await self.drive();
    expect(results.map(({ isError, output, deduplicated }) => [isError, output, deduplicated])).toEqual([
      [true, undefined, undefined],
      [false, { nth: 2 }, undefined],
      [false, { nth: 2 }, true],
      [false, { nth: 2 }, true],
    ]);
    expect(tries).toBe(2);
  });

  test("the same key with other input is a conflict, and nothing runs", async () => {
    const ran: unknown[] = [];
    const clock = testClock();
    const store = memoryStore({ clock });
    const self = await harness({
      clock,
      store,
      tools: [keyed(ran)],
      calls: [
        { name: "t", args: { n: 1 } },
        { name: "t", args: { n: 9 } },
      ],
    });
    const outcome = await self.drive();
    expect(outcome.results[1]?.error).toMatchObject({ kind: "execution_failed", code: "IDEMPOTENCY_CONFLICT" });
    const next = await harness({
      clock,
      store,
      runId: "run-2",
      tools: [keyed(ran)],
      calls: [{ name: "t", args: { n: 9 } }],
    });
    expect((await next.drive()).results[0]?.error?.code).toBe("IDEMPOTENCY_CONFLICT");
    expect(ran).toHaveLength(1);
  });

  test("a key function that throws is an error, not a missing key", async () => {
    const ran: unknown[] = [];
    const idempotencyKey = (): string => {
      throw new Error("no id");
    };
    const self = await harness({ tools: [keyed(ran, { idempotencyKey })], calls: [{ name: "t" }] });
    expect((await self.drive()).results[0]?.error).toMatchObject({
      kind: "execution_failed",
      code: "IDEMPOTENCY_KEY_FAILED",
    });
    expect(ran).toEqual([]);
  });

  test("a failed call releases its key", async () => {
    let tries = 0;
    const flaky = made(
      () => {
        tries += 1;
        if (tries === 1) throw new Error("first");
        return "second";
      },
      { idempotencyKey: () => "k" },
    );
    const self = await harness({ tools: [flaky], calls: [{ name: "t" }, { name: "t" }] });
    expect((await self.drive()).results.map((each) => each.output)).toEqual([undefined, "second"]);
  });

  test("a key held by another run waits for its result, and a key of a deleted run is free", async () => {
    const clock = testClock();
    const store = memoryStore({ clock });
    let finish: ((value: string) => void) | undefined;
    const slow = made(() => new Promise((resolve) => void (finish = resolve)), { idempotencyKey: () => "k" });
    const first = await harness({ clock, store, tools: [slow], calls: [{ name: "t" }] });
    const one = first.drive();
    await settleAll();
    const second = await harness({ clock, store, runId: "run-2", tools: [slow], calls: [{ name: "t" }] });
    const two = second.drive();
    // The wait is loaded with its first use; it has looked once when it says so.
    await expect.poll(() => second.logs.join(" ")).toContain("holds its idempotency key");
    await clock.advance(1_000);
    finish?.("made once");
    await one;
    await clock.advance(2_000);
    expect((await two).results[0]).toMatchObject({ output: "made once", deduplicated: true });
    const held = made(() => "made now", { idempotencyKey: () => "held", timeoutMs: 5_000 });
    await store.ledger.reserve({
      kind: "idempotency",
      scope: "tenant:",
      toolName: "t",
      key: second.run.agent.hasher.sha256("held"),
      state: "reserved",
      runId: "deleted",
      callKey: "t1/c0",
      inputHash: second.run.agent.hasher.sha256("{}"),
      expiresAt: clock.now() + 1e9,
    });
    const third = await harness({ clock, store, runId: "run-3", tools: [held], calls: [{ name: "t" }] });
    expect((await third.drive()).results[0]?.output).toBe("made now");
  });
});

describe("cache", () => {
  const cached = (ran: unknown[], extra: Partial<Tool> = {}): Tool =>
    made(
      (input) => {
        ran.push(input);
        return ran.length;
      },
      {
        sideEffectClass: "read-only",
        inputSchema: z.looseObject({}),
        cache: { ttlMs: 1_000, scope: "user" },
        ...extra,
      },
    );

  test("the key includes nested values in any key order, and time and users separate entries [tool.field.cache] [tool.field.cache.key]", async () => {
    const ran: unknown[] = [];
    const clock = testClock();
    const store = memoryStore({ clock });
    let count = 0;
    const ask = async (args: unknown, userId: string | undefined) => {
      const self = await harness({
        clock,
        store,
        runId: `run-${(count += 1)}`,
        tools: [cached(ran)],
        calls: [{ name: "t", args }],
        context: { userId },
      });
      return (await self.drive()).results[0];
    };
    expect(await ask({ a: { b: 1, c: 2 } }, "u1")).toMatchObject({ output: 1 });
    expect(await ask({ a: { c: 2, b: 1 } }, "u1")).toMatchObject({ output: 1, cached: true });
    expect(await ask({ a: { b: 2, c: 2 } }, "u1")).toMatchObject({ output: 2 });
    expect(await ask({ a: { b: 1, c: 2 } }, "u2")).toMatchObject({ output: 3 });
    await clock.advance(1_001);
    expect((await ask({ a: { b: 1, c: 2 } }, "u1"))?.cached).toBeUndefined();
    expect(ran).toHaveLength(4);
  });
});

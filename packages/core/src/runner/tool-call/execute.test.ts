import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { SandboxPort } from "../../contracts/ports/sandbox.ts";
import type { Tool } from "../../contracts/tool.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";
import { ToolError } from "../../errors/tool-error.ts";
import { memoryStore } from "../../journal/memory-store.ts";
import { tool } from "../../tools/tool.ts";
import { toolReturn } from "../../tools/tool-return.ts";
import { harness, settleAll, testClock, toolTexts } from "./call-harness.test.helper.ts";

const empty = z.object({});

function reader(execute: (input: unknown, ctx: ToolExecutionContext) => unknown, extra: Partial<Tool> = {}): Tool {
  return {
    ...tool({
      name: "t",
      description: "d",
      inputSchema: empty,
      sideEffectClass: "read-only",
      execute: () => undefined,
    }),
    execute,
    ...extra,
  };
}

describe("errors and values that a tool may throw and return", () => {
  test.each([
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a string", "plain words", "plain words"],
    ["an error", new Error("broken pipe"), "broken pipe"],
    ["an object", { message: "from an object" }, "from an object"],
    ["a symbol", Symbol("s"), "symbol"],
  ])(
    "a throw of %s is execution_failed, and the run continues [tool.field.execute.throws]",
    async (_name, thrown, told) => {
      const self = await harness({
        tools: [
          reader(() => {
            throw thrown;
          }),
          reader(() => "fine", { name: "u" }),
        ],
        calls: [{ name: "t" }, { name: "u" }],
      });
      const outcome = await self.drive();
      expect(outcome.results.map((each) => each.error?.kind)).toEqual(["execution_failed", undefined]);
      expect(toolTexts(self)[0]).toContain(told);
    },
  );

  test("a thrown ToolError declares its kind of failure and what to do [tool.field.execute.throws]", async () => {
    const self = await harness({
      tools: [reader(() => Promise.reject(new ToolError("slow down", { kind: "rate_limited" })))],
      calls: [{ name: "t" }],
    });
    expect((await self.drive()).results[0]?.error).toMatchObject({
      kind: "rate_limited",
      recoverable: true,
      recoveryHint: "retry_later",
    });
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  test.each([
    ["circular", circular, "circular"],
    ["bytes", new Uint8Array([1]), "Uint8Array"],
    ["a big integer", { n: 1n }, "bigint"],
    ["a symbol", Symbol("x"), "symbol"],
    ["a function", { f: () => 1 }, "function"],
    ["a map", new Map(), "Map"],
    ["not a number", { n: Number.NaN }, "NaN"],
  ])("a result that is %s names the tool and the type [field-bug:PB-tool-errors-01]", async (_name, value, told) => {
    const self = await harness({ tools: [reader(() => value)], calls: [{ name: "t" }] });
    const outcome = await self.drive();
    expect(outcome.results[0]?.error?.kind).toBe("invalid_output");
    expect(toolTexts(self)[0]).toContain(told);
    expect(toolTexts(self)[0]).toContain('"t"');
  });

  test("undefined becomes a defined empty value, and a date becomes text [field-bug:PB-tool-errors-01]", async () => {
    const self = await harness({
      tools: [reader(() => undefined), reader(() => new Date(0), { name: "u" })],
      calls: [{ name: "t" }, { name: "u" }],
    });
    await self.drive();
    expect(toolTexts(self)).toEqual(["(no output)", "1970-01-01T00:00:00.000Z"]);
  });

  test("undefined members are not sent in the next request [field-bug:PB-tool-errors-02]", async () => {
    const self = await harness({
      tools: [reader(() => ({ a: 1, b: undefined, c: [undefined] }))],
      calls: [{ name: "t" }],
    });
    const outcome = await self.drive();
    expect(toolTexts(self)).toEqual(['{"a":1,"c":[null]}']);
    expect(outcome.results[0]?.output).toEqual({ a: 1, c: [null] });
  });

  test.each([
    [{ a: 1 }, '{"a":1}'],
    [[1, 2], "[1,2]"],
    [3, "3"],
    [null, "null"],
    [false, "false"],
    ["text", "text"],
  ])("a result of %j has a documented encoding [field-bug:PB-tool-errors-16]", async (value, text) => {
    const self = await harness({ tools: [reader(() => value)], calls: [{ name: "t" }] });
    await self.drive();
    expect(toolTexts(self)).toEqual([text]);
  });
});

describe("order and concurrency", () => {
  test("a sequential call waits for all earlier calls and blocks all later ones [tool.field.execution-mode]", async () => {
    const log: string[] = [];
    const step = (name: string, mode: "parallel" | "sequential"): Tool =>
      reader(
        async () => {
          log.push(`+${name}`);
          await settleAll();
          log.push(`-${name}`);
        },
        { name, executionMode: mode },
      );
    const tools = [step("a", "parallel"), step("b", "parallel"), step("s", "sequential"), step("c", "parallel")];
    const self = await harness({ tools, calls: ["a", "b", "s", "c"].map((name) => ({ name })) });
    await self.drive();
    expect(log).toEqual(["+a", "+b", "-a", "-b", "+s", "-s", "+c", "-c"]);
  });

  test("at most toolConcurrency calls run at once", async () => {
    let active = 0;
    let most = 0;
    const busy = reader(async () => {
      active += 1;
      most = Math.max(most, active);
      await settleAll();
      active -= 1;
    });
    const calls = Array.from({ length: 20 }, () => ({ name: "t" }));
    await (await harness({ tools: [busy], calls })).drive();
    expect(most).toBe(8);
    most = 0;
    await (await harness({ tools: [busy], calls, runId: "run-2", settings: { toolConcurrency: 3 } })).drive();
    expect(most).toBe(3);
  });

  test("a review that throws for one of five parallel calls does not lose the other results [field-bug:PB-parallel-tools-02]", async () => {
    const self = await harness({
      tools: Array.from({ length: 5 }, (_, index) =>
        reader(() => settleAll().then(() => index), { name: `t${index}` }),
      ),
      calls: Array.from({ length: 5 }, (_, index) => ({ name: `t${index}` })),
      settings: {
        loopHooks: {
          afterToolExec: (name) => {
            if (name === "t2") throw new Error("no");
          },
        },
      },
    });
    const outcome = await self.drive();
    expect(outcome.results.map((each) => each.error?.kind)).toEqual([
      undefined,
      undefined,
      "policy_denied",
      undefined,
      undefined,
    ]);
  });
});

describe("time", () => {
  test("there is no hidden limit: 59 seconds are fine, 60 are a timeout [tool.field.timeout-ms]", async () => {
    const takes = (clock: ReturnType<typeof testClock>, ms: number) =>
      reader(() => new Promise((resolve) => clock.setTimer(() => resolve("done"), ms)));
    const clock = testClock();
    const fine = await harness({ clock, tools: [takes(clock, 59_000)], calls: [{ name: "t" }] });
    const first = fine.drive();
    await clock.advance(59_000);
    expect((await first).results[0]?.output).toBe("done");
    const late = await harness({ clock, tools: [takes(clock, 70_000)], calls: [{ name: "t" }], runId: "run-2" });
    const second = late.drive();
    await clock.advance(62_000);
    expect((await second).results[0]?.error?.kind).toBe("timeout");
  });

  test("the signal is aborted at once, and the call settles 2,000 ms later at the latest [tool.field.timeout-ms.grace]", async () => {
    const aborts: number[] = [];
    const clock = testClock();
    const stuck = reader((_input, ctx) => {
      ctx.signal.addEventListener("abort", () => aborts.push(clock.now()));
      return new Promise(() => {});
    });
    const started = clock.now();
    const self = await harness({ clock, tools: [stuck], calls: [{ name: "t" }], settings: { toolTimeoutMs: 100 } });
    let settled = false;
    const driven = self.drive().finally(() => {
      settled = true;
    });
    await clock.advance(2_099);
    expect(aborts).toEqual([started + 100]);
    expect(settled).toBe(false);
    await clock.advance(1);
    expect((await driven).results[0]?.error).toMatchObject({ kind: "timeout", recoverable: true });
    expect(clock.timers).toBe(0);
  });

  test.each([
    ["wasm", 0],
    ["none", 2_000],
  ] as const)(
    "a module in %s has %d ms from its time-out to its end [seams.pipeline.grace-for-closures]",
    async (tier, graceMs) => {
      const clock = testClock();
      const aborts: number[] = [];
      const sandbox: SandboxPort = {
        resolve: () => Promise.resolve({ moduleHash: "h" }),
        execute: ({ signal }) => {
          signal.addEventListener("abort", () => aborts.push(clock.now()));
          return new Promise(() => {});
        },
      };
      const entry = { module: new URL("file:///tool.mjs"), export: "run" };
      const stuck: Tool = { ...reader(() => undefined), execute: entry, sandboxPolicy: tier };
      const started = clock.now();
      const self = await harness({
        clock,
        sandbox,
        tools: [stuck],
        calls: [{ name: "t" }],
        settings: { toolTimeoutMs: 100 },
      });
      let settledAt: number | undefined;
      const driven = self.drive().finally(() => {
        settledAt = clock.now();
      });
      await clock.advance(100);
      expect(aborts).toEqual([started + 100]);
      if (graceMs > 0) {
        await clock.advance(graceMs - 1);
        expect(settledAt).toBeUndefined();
        await clock.advance(1);
      } else await clock.advance(0);
      expect((await driven).results[0]?.error?.kind).toBe("timeout");
      expect(settledAt).toBe(started + 100 + graceMs);
    },
  );

  test("after a writer times out in a live process, the model reads that the effect may have happened [seams.pipeline.live-never-suspends]", async () => {
    const clock = testClock();
    const stuck = reader(() => new Promise(() => {}), { sideEffectClass: "external-stateful", timeoutMs: 10 });
    const self = await harness({ clock, tools: [stuck], calls: [{ name: "t" }] });
    const driven = self.drive();
    await clock.advance(2_010);
    const outcome = await driven;
    expect(outcome.interruptions).toEqual([]);
    expect(outcome.results[0]?.error).toMatchObject({ kind: "unknown_outcome", effectHappened: "unknown" });
  });

  test("a result after the timeout is ignored, and nothing is left running [field-bug:PB-limits-07]", async () => {
    const clock = testClock();
    let late: ((value: string) => void) | undefined;
    let signal: AbortSignal | undefined;
    const slow = (_input: unknown, ctx: ToolExecutionContext): Promise<string> => {
      signal = ctx.signal;
      return new Promise((resolve) => void (late = resolve));
    };
    const self = await harness({ clock, tools: [reader(slow, { timeoutMs: 10 })], calls: [{ name: "t" }] });
    const driven = self.drive();
    await clock.advance(2_010);
    expect((await driven).results).toMatchObject([{ error: { kind: "timeout" } }]);
    expect(signal?.aborted).toBe(true);
    late?.("too late");
    await settleAll();
    expect(self.journal.state.toolCalls).toMatchObject([{ isError: true, error: { kind: "timeout" } }]);
    expect(clock.timers).toBe(0);
  });

  test("a tool that fails because its time ran out has timed out [field-bug:PB-limits-07]", async () => {
    const clock = testClock();
    const obedient = (_input: unknown, ctx: ToolExecutionContext): Promise<string> =>
      new Promise((_resolve, reject) => {
        ctx.signal.addEventListener("abort", () => reject(new Error("I was stopped")));
      });
    const self = await harness({ clock, tools: [reader(obedient, { timeoutMs: 10 })], calls: [{ name: "t" }] });
    const driven = self.drive();
    await clock.advance(10);
    expect((await driven).results).toMatchObject([{ error: { kind: "timeout" } }]);
    expect(clock.timers).toBe(0);
  });

  test("time spent waiting for an approver does not count [tool.field.timeout-ms.execution-only]", async () => {
    const clock = testClock();
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const self = await harness({
      clock,
      tools: [reader(() => "ran", { needsApproval: true, timeoutMs: 10 })],
      calls: [{ name: "t" }],
      options: {
        onApprovalRequired: () => {
          asked();
          return new Promise((resolve) => clock.setTimer(() => resolve(true), 5_000));
        },
      },
    });
    const driven = self.drive();
    await isAsked;
    await clock.advance(5_000);
    expect((await driven).results[0]?.output).toBe("ran");
  });
});

describe("stopping", () => {
  test("an aborted run signals running tools, starts no other, and records a result for each", async () => {
    const clock = testClock();
    let aborted = false;
    const running = reader(
      (_input, ctx) =>
        new Promise((_resolve, reject) => {
          ctx.abortSignal.addEventListener("abort", () => {
            aborted = true;
            reject(new Error("stopped"));
          });
        }),
    );
    let ran = 0;
    const after = reader(() => (ran += 1), { name: "after", executionMode: "sequential" });
    const self = await harness({ clock, tools: [running, after], calls: [{ name: "t" }, { name: "after" }] });
    const driven = self.drive();
    await settleAll();
    self.controller.abort();
    const outcome = await driven;
    expect(aborted).toBe(true);
    expect(ran).toBe(0);
    expect(outcome.stop).toBe("cancelled");
    expect(outcome.results.map((each) => each.error?.kind)).toEqual(["aborted", "aborted"]);
  });

  test("after a failed append no further effect starts, and the error names the uncertain calls [effects.journal-unavailable]", async () => {
    const clock = testClock();
    const store = memoryStore({ clock });
    let appends = 0;
    const failing = Object.assign(Object.create(store), {
      append: (...args: Parameters<typeof store.append>) => {
        appends += 1;
        return appends > 2 ? Promise.reject(new Error("disk full")) : store.append(...args);
      },
    }) as typeof store;
    const ran: string[] = [];
    const writer = (name: string): Tool =>
      reader(() => void ran.push(name), { name, sideEffectClass: "external-stateful", executionMode: "sequential" });
    const self = await harness({
      clock,
      store: failing,
      tools: [writer("a"), writer("b"), writer("c")],
      calls: [{ name: "a" }, { name: "b" }, { name: "c" }],
    });
    const driven = self.drive();
    await expect(driven).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE", uncertainCalls: [{ toolName: "a" }] });
    expect(ran).toEqual(["a"]);
  });
});

describe("retry", () => {
  test("only execute is retried, as often as configured [tool.field.retry]", async () => {
    const clock = testClock();
    const attempts: number[] = [];
    const flaky = reader(
      (_input, ctx) => {
        attempts.push(ctx.attempt);
        if (ctx.attempt < 3) throw new Error("again");
        return "third time";
      },
      { retry: { maxAttempts: 3, initialDelayMs: 100 } },
    );
    const self = await harness({ clock, tools: [flaky], calls: [{ name: "t" }] });
    const driven = self.drive();
    await clock.advance(300);
    expect((await driven).results[0]?.output).toBe("third time");
    expect(attempts).toEqual([1, 2, 3]);
    expect((await self.events()).filter((event) => event.type === "tool.call")).toHaveLength(1);
  });

  test("the last failure is reported, and a non-retryable one is not retried [tool.field.retry]", async () => {
    const clock = testClock();
    let tries = 0;
    const retry = { maxAttempts: 2, initialDelayMs: 1 };
    const failing = reader(
      () => {
        tries += 1;
        throw new Error(`try ${tries}`);
      },
      { retry },
    );
    const self = await harness({ clock, tools: [failing], calls: [{ name: "t" }] });
    const driven = self.drive();
    await clock.advance(10);
    await driven;
    expect(toolTexts(self)[0]).toContain("try 2");
    expect(tries).toBe(2);
    let once = 0;
    const final = reader(
      () => {
        once += 1;
        throw new ToolError("no", { recoverable: false });
      },
      { retry },
    );
    await (await harness({ clock, tools: [final], calls: [{ name: "t" }], runId: "run-2" })).drive();
    expect(once).toBe(1);
  });
});

describe("the context", () => {
  test("is frozen, and its functions can be destructured", async () => {
    const streaming = reader(
      (_input, { streamContent, reportProgress, getState, setState }) => {
        streamContent("a");
        reportProgress({ fraction: 0.5 });
        setState("k", 1);
        streamContent(String(getState("k")));
      },
      { streamingHint: true },
    );
    let context: ToolExecutionContext | undefined;
    const keeper = reader((_input, ctx) => void (context = ctx), { name: "u" });
    const self = await harness({ tools: [streaming, keeper], calls: [{ name: "t" }, { name: "u" }] });
    const outcome = await self.drive();
    expect(outcome.results[0]?.output).toBe("a1");
    expect(Object.isFrozen(context)).toBe(true);
    expect(context).toMatchObject({
      toolCallId: "call-1",
      toolName: "u",
      runId: "run-1",
      sessionId: "s1",
      step: 1,
      attempt: 1,
    });
    expect(self.live.map((event) => event.type)).toEqual(["tool.partial", "tool.progress", "tool.partial"]);
  });

  test("the output of a streaming tool is the text that it streamed [tool.field.execute.void]", async () => {
    const streaming = reader(
      (_input, ctx) => {
        ctx.streamContent("one ");
        ctx.streamContent("two");
      },
      { streamingHint: true },
    );
    const self = await harness({ tools: [streaming], calls: [{ name: "t" }] });
    await self.drive();
    expect(toolTexts(self)).toEqual(["one two"]);
  });

  test("a streaming tool that returns details without an output has its text as output [tool.field.execute.void]", async () => {
    const streaming = reader(
      (_input, ctx) => {
        ctx.streamContent("text");
        return toolReturn({ output: undefined, details: { rows: 2 } });
      },
      { streamingHint: true },
    );
    const self = await harness({ tools: [streaming], calls: [{ name: "t" }] });
    expect((await self.drive()).results).toMatchObject([{ output: "text", details: { rows: 2 } }]);
  });

  test.each<[string, (ctx: ToolExecutionContext) => void]>([
    ["streamContent", (ctx) => ctx.streamContent("x")],
    ["reportProgress", (ctx) => ctx.reportProgress({ message: "x" })],
  ])("%s without streamingHint throws an error that names the field [tool.field.streaming-hint]", async (name, use) => {
    const self = await harness({ tools: [reader((_input, ctx) => use(ctx))], calls: [{ name: "t" }] });
    await self.drive();
    expect(toolTexts(self)[0]).toMatch(new RegExp(`ctx\\.${name} without streamingHint: true`, "u"));
  });

  test("secrets work in needsApproval and are limited to the tool's own names [seams.pipeline.context-from-approve]", async () => {
    const asked: [string, readonly string[]][] = [];
    const secrets = {
      check: () => undefined,
      ready: () => Promise.resolve(),
      accessFor: (call: { toolName: string; allowed: readonly string[] }) => ({
        fetch: globalThis.fetch,
        secrets: {
          require: (name: string) => {
            asked.push([name, call.allowed]);
            return call.allowed.includes(name) ? Promise.resolve({} as never) : Promise.reject(new Error("denied"));
          },
        },
      }),
      scrub: <T>(value: T) => value,
      textScrubber: () => ({ push: (text: string) => text, end: () => "" }),
      holdsSecret: () => false,
    };
    const greedy = reader((_input, ctx) => ctx.secrets.require("OTHER"), {
      secretsAllowed: ["OWN"],
      needsApproval: async (_input, ctx) => {
        await ctx.secrets.require("OTHER");
        return false;
      },
    });
    const self = await harness({ tools: [greedy], calls: [{ name: "t" }], secrets });
    const outcome = await self.drive();
    expect(outcome.interruptions).toHaveLength(1);
    expect(asked).toEqual([["OTHER", ["OWN"]]]);
  });
});

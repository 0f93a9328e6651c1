import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tool } from "../../tools/tool.ts";
import { harness, toolTexts } from "./call-harness.test.helper.ts";

const echo = (ran: unknown[] = []) =>
  tool({
    name: "echo",
    description: "Echoes.",
    inputSchema: z.object({ text: z.string().optional() }),
    sideEffectClass: "read-only",
    execute: (input) => {
      ran.push(input);
      return `echo ${input.text ?? ""}`;
    },
  });

describe("resolve", () => {
  test("an unknown tool is an error for the model to correct, and the other calls run [field-bug:PB-tool-errors-06]", async () => {
    const self = await harness({
      tools: [echo()],
      calls: [{ name: "nowhere" }, { name: "echo", args: { text: "a" } }],
    });
    const outcome = await self.drive();
    expect(outcome.results.map((result) => result.error?.kind)).toEqual(["unknown_tool", undefined]);
    expect(outcome.results[0]?.error).toMatchObject({ recoverable: true, recoveryHint: "try_alternative" });
    expect(toolTexts(self)[0]).toContain("echo");
    expect(toolTexts(self)[1]).toBe("echo a");
  });

  test("the nearest names are suggested, and only a few of 500 [field-bug:PB-tool-errors-07]", async () => {
    const tools = Array.from({ length: 500 }, (_, index) => ({ ...echo(), name: `central_tool_${index}` }));
    const self = await harness({ tools, calls: [{ name: "central_list_sites" }] });
    await self.drive();
    expect(toolTexts(self)[0]).toContain("central_tool_0");
    expect(toolTexts(self)[0]?.length).toBeLessThan(500);
  });

  test("a deferred tool that was not promoted is unknown, and the error names the tool search [tool.field.defer-loading.not-promoted]", async () => {
    const search = { ...echo(), name: "tool_search" };
    const ran: unknown[] = [];
    const self = await harness({
      tools: [{ ...echo(ran), name: "hidden" }, search],
      deferred: ["hidden"],
      calls: [{ name: "hidden" }],
    });
    const outcome = await self.drive();
    expect(outcome.results[0]?.error?.kind).toBe("unknown_tool");
    expect(toolTexts(self)[0]).toContain("tool_search");
    expect(ran).toEqual([]);
  });
});

describe("parse and validate", () => {
  test.each(["", "   ", "\n"])("empty argument text %j is {} [field-bug:PB-tool-errors-09]", async (raw) => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [echo(ran)], calls: [{ name: "echo", raw }] });
    const outcome = await self.drive();
    expect(ran).toEqual([{}]);
    expect(outcome.results[0]?.isError).toBe(false);
  });

  test.each(['{"{"tagIds":', '{"text":"cut', "not json"])(
    "invalid arguments %j do not run, and the model reads its own text [field-bug:PB-tool-errors-10] [field-bug:PB-tool-errors-11]",
    async (raw) => {
      const ran: unknown[] = [];
      const self = await harness({ tools: [echo(ran)], calls: [{ name: "echo", raw }] });
      const outcome = await self.drive();
      expect(ran).toEqual([]);
      expect(outcome.results[0]).toMatchObject({
        input: raw,
        error: { kind: "invalid_input", recoveryHint: "check_input" },
      });
      expect(toolTexts(self)[0]).toContain(raw);
      expect(self.journal.state.calls.get("t1/c0")?.call?.args).toBe(raw);
    },
  );

  test("every issue is reported with its path, and the raw text is kept [tool.field.input-schema]", async () => {
    const schema = z.object({ lines: z.array(z.object({ amount: z.number() })), name: z.string() });
    const strict = tool({
      name: "strict",
      description: "d",
      inputSchema: schema,
      sideEffectClass: "pure",
      execute: () => "ran",
    });
    const self = await harness({ tools: [strict], calls: [{ name: "strict", args: { lines: [{ amount: "x" }] } }] });
    const outcome = await self.drive();
    expect(toolTexts(self)[0]).toContain("lines[0].amount");
    expect(toolTexts(self)[0]).toContain("name");
    expect(outcome.results[0]?.input).toBe('{"lines":[{"amount":"x"}]}');
  });

  test("the parsed value reaches execute and the journal, which keeps the arguments beside it", async () => {
    const seen: unknown[] = [];
    const dated = tool({
      name: "dated",
      description: "d",
      inputSchema: z.object({ day: z.string().transform((text) => text.length), n: z.number().default(3) }),
      sideEffectClass: "pure",
      execute: (input) => {
        seen.push(input);
        return "ok";
      },
    });
    const self = await harness({ tools: [dated], calls: [{ name: "dated", args: { day: "monday" } }] });
    await self.drive();
    expect(seen).toEqual([{ day: 6, n: 3 }]);
    expect(self.journal.state.calls.get("t1/c0")?.call).toMatchObject({
      args: { day: 6, n: 3 },
      given: { day: "monday" },
    });
  });
});

describe("intercept", () => {
  test("a skipped call does not run and is marked simulated [hooks.before-tool-exec.skip]", async () => {
    const ran: unknown[] = [];
    const self = await harness({
      tools: [echo(ran)],
      calls: [{ name: "echo" }],
      settings: { loopHooks: { beforeToolExec: () => ({ skip: true, result: "pretended" }) } },
    });
    const outcome = await self.drive();
    expect(ran).toEqual([]);
    expect(outcome.results[0]).toMatchObject({ simulated: true, output: "pretended", isError: false });
    expect(toolTexts(self)).toEqual(["pretended"]);
  });

  test("changed arguments are validated again [hooks.before-tool-exec.changed]", async () => {
    const ran: unknown[] = [];
    const change = (args: unknown) => ({ loopHooks: { beforeToolExec: () => ({ args }) } });
    const good = await harness({ tools: [echo(ran)], calls: [{ name: "echo" }], settings: change({ text: "new" }) });
    await good.drive();
    const bad = await harness({
      tools: [echo(ran)],
      calls: [{ name: "echo" }],
      settings: change({ text: 1 }),
      runId: "run-2",
    });
    const outcome = await bad.drive();
    expect(ran).toEqual([{ text: "new" }]);
    expect(outcome.results[0]?.error?.kind).toBe("invalid_input");
  });

  test("a beforeToolExec hook that throws refuses the call", async () => {
    const ran: unknown[] = [];
    const fails = (): never => {
      throw new Error("broken");
    };
    const self = await harness({
      tools: [echo(ran)],
      calls: [{ name: "echo" }],
      settings: { loopHooks: { beforeToolExec: fails } },
    });
    const outcome = await self.drive();
    expect(ran).toEqual([]);
    expect(outcome.results[0]?.error?.kind).toBe("policy_denied");
  });

  test("a guardrail blocks with its reason, replaces with validation, and leaves other tools alone [guardrails.tool-input]", async () => {
    const ran: unknown[] = [];
    const guardrail = (
      tools: string[] | undefined,
      verdict: { pass: false; reason: string } | { pass: true; replace: unknown },
    ) => ({
      guardrails: { toolInput: [{ name: "guard", tools, validate: () => verdict }] },
    });
    const blocked = await harness({
      tools: [echo(ran)],
      calls: [{ name: "echo" }],
      settings: guardrail(undefined, { pass: false, reason: "not today" }),
    });
    expect((await blocked.drive()).results[0]?.error).toMatchObject({ kind: "policy_denied" });
    expect(toolTexts(blocked)[0]).toContain("not today");
    const replaced = await harness({
      tools: [echo(ran)],
      calls: [{ name: "echo" }],
      runId: "run-2",
      settings: guardrail(["echo"], { pass: true, replace: { text: "r" } }),
    });
    await replaced.drive();
    const other = await harness({
      tools: [echo(ran)],
      calls: [{ name: "echo" }],
      runId: "run-3",
      settings: guardrail(["other"], { pass: false, reason: "no" }),
    });
    await other.drive();
    expect(ran).toEqual([{ text: "r" }, {}]);
  });
});

describe("each call has one result", () => {
  test("two calls with one id keep both results [tool.result.duplicate-ids]", async () => {
    const self = await harness({
      tools: [echo()],
      calls: [
        { id: "same", name: "echo", args: { text: "1" } },
        { id: "same", name: "echo", args: { text: "2" } },
      ],
    });
    const outcome = await self.drive();
    expect(toolTexts(self)).toEqual(["echo 1", "echo 2"]);
    expect(new Set(outcome.results.map((result) => result.toolCallId)).size).toBe(2);
  });

  test.each(["length", "content_filter", "error"] as const)(
    "calls of an answer that ended as %s are not executed [tool.result.unfinished-turn]",
    async (finishReason) => {
      const ran: unknown[] = [];
      const self = await harness({ tools: [echo(ran)], calls: [{ name: "echo" }], finishReason });
      const outcome = await self.drive();
      expect(ran).toEqual([]);
      expect(outcome.results[0]?.error).toMatchObject({ kind: "aborted", code: "ANSWER_UNFINISHED" });
    },
  );

  test("for any outcome of a turn's calls, each has one result, in the model's order [tool.result.one-per-call]", async () => {
    const slow = tool({
      name: "slow",
      description: "d",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      execute: () => new Promise((resolve) => setTimeout(() => resolve("slow"), 0)),
    });
    const broken = tool({
      name: "broken",
      description: "d",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      execute: () => {
        throw undefined;
      },
    });
    const names = ["slow", "broken", "gone", "echo", "slow"];
    const self = await harness({
      tools: [slow, broken, echo()],
      calls: [...names.map((name) => ({ name })), { name: "echo", raw: "{" }],
    });
    await self.drive();
    const messages = self.journal.state.messages.filter((message) => message.role === "tool");
    expect(messages.map((message) => message.toolName)).toEqual([...names, "echo"]);
    expect(messages.map((message) => message.toolCallId)).toEqual([
      "call-0",
      "call-1",
      "call-2",
      "call-3",
      "call-4",
      "call-5",
    ]);
    expect((await self.drive()).results).toEqual([]);
  });
});

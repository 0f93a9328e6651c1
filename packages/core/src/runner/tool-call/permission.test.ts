import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ApprovalConfig } from "../../contracts/approval-config.ts";
import type { Tool } from "../../contracts/tool.ts";
import type { ToolSource } from "../../contracts/vocabularies.ts";
import { withSource } from "../../registry/tool-registration.ts";
import { tool } from "../../tools/tool.ts";
import { boundDefinition } from "./approval-scope.ts";
import { harness, settleAll, toolTexts } from "./call-harness.test.helper.ts";
import { interruption } from "../interruption.ts";

type Approval = Tool["needsApproval"];

function payment(
  ran: unknown[],
  needsApproval: Approval = true,
  effect: "external-stateful" | "read-only" = "external-stateful",
): Tool {
  return tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ to: z.string(), amount: z.number() }),
    sideEffectClass: effect,
    needsApproval,
    execute: (input) => {
      ran.push(input);
      return "paid";
    },
  });
}

const free = tool({
  name: "free",
  description: "d",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: () => "free",
});
const call = { name: "pay", args: { to: "a", amount: 5 } };

describe("suspension", () => {
  test("a flagged tool without an approver suspends and does not run [tool.field.needs-approval.no-approver]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call] });
    const outcome = await self.drive();
    expect(ran).toEqual([]);
    expect(outcome.interruptions).toMatchObject([{ kind: "approval", toolName: "pay", args: { to: "a", amount: 5 } }]);
    expect(outcome.functionResults.map((result) => result.type)).toEqual(["function_approval"]);
    expect((await self.events()).map((event) => event.type)).toContain("tool.approval.requested");
  });

  test("ungated calls of the turn run and are recorded before the run suspends [people.batch.ungated-run] [field-bug:PB-approvals-14]", async () => {
    const self = await harness({ tools: [payment([]), free], calls: [call, { name: "free" }] });
    const outcome = await self.drive();
    expect(outcome.results.map((result) => result.toolName)).toEqual(["free"]);
    expect(outcome.interruptions).toHaveLength(1);
    const stored = (await self.events()).filter((event) => event.type === "tool.result");
    expect(stored).toHaveLength(1);
  });

  test("an approved call runs once, and its approval covers no second execution", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    await self.restart();
    self.decide(question!.approve({ decidedBy: "ana" }));
    const outcome = await self.drive();
    expect(ran).toEqual([{ to: "a", amount: 5 }]);
    expect(outcome.results[0]).toMatchObject({ output: "paid", isError: false });
    self.decide(question!.approve());
    expect(() => self.decide(question!.reject("no"))).toThrowError(expect.objectContaining({ code: "DECISION_USED" }));
    await self.drive();
    expect(ran).toHaveLength(1);
  });

  test("partial decisions are stored, and the other questions remain open [people.batch.partial] [field-bug:PB-approvals-11]", async () => {
    const ran: unknown[] = [];
    const self = await harness({
      tools: [payment(ran)],
      calls: [call, { ...call, args: { to: "b", amount: 1 } }, { ...call, args: { to: "c", amount: 2 } }],
    });
    const first = await self.drive();
    expect(first.interruptions.map((each) => each.toolCallId)).toEqual(["call-0", "call-1", "call-2"]);
    await self.restart();
    self.decide(first.interruptions[0]!.approve(), first.interruptions[2]!.reject("too much"));
    const second = await self.drive();
    expect(second.interruptions.map((each) => each.id)).toEqual([first.interruptions[1]!.id]);
    await self.restart();
    self.decide(first.interruptions[1]!.approve());
    const third = await self.drive();
    expect(third.interruptions).toEqual([]);
    expect(ran).toEqual([
      { to: "a", amount: 5 },
      { to: "b", amount: 1 },
    ]);
    expect(self.journal.state.toolCalls.map((each) => each.error?.kind)).toContain("approval_denied");
    expect(toolTexts(self).join("\n")).toContain("too much");
  });

  test("arguments that do not validate are never shown to a person [people.malformed-arguments]", async () => {
    const self = await harness({
      tools: [payment([])],
      calls: [
        { name: "pay", args: { to: 1 } },
        { name: "pay", raw: "{" },
      ],
    });
    const outcome = await self.drive();
    expect(outcome.interruptions).toEqual([]);
    expect(outcome.results.map((each) => each.error?.kind)).toEqual(["invalid_input", "invalid_input"]);
  });

  test("an expired approval cannot be approved, and the model reads that it expired [people.binding.expires]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    await self.clock.advance(7 * 24 * 60 * 60 * 1000 + 1);
    await self.restart();
    self.decide(question!.approve());
    const outcome = await self.drive();
    expect(ran).toEqual([]);
    expect(outcome.results[0]?.error?.kind).toBe("approval_expired");
  });

  test("the model also reads that an open question expired without a decision", async () => {
    const self = await harness({
      tools: [payment([])],
      calls: [call],
      settings: { approval: { expiresAfterMs: 1_000 } },
    });
    await self.drive();
    await self.restart();
    expect((await self.drive()).results[0]?.error?.kind).toBe("approval_expired");
  });

  const pays = { to: z.string(), amount: z.number() };
  const server: ToolSource = { kind: "mcp", serverIdentity: "bank" };
  interface ToolChange {
    readonly what: string;
    readonly asksAgain: boolean;
    readonly change: Partial<Tool>;
    readonly source?: ToolSource;
  }
  const withNote = z.object({ ...pays, more: z.object({ note: z.string() }).optional() });
  const inThousands = z.object({ ...pays, amount: z.number().describe("In thousands.") });
  const changes: readonly ToolChange[] = [
    { what: "nothing", asksAgain: false, change: {} },
    { what: "the description", asksAgain: true, change: { description: "Pays at once." } },
    { what: "an optional field", asksAgain: true, change: { inputSchema: withNote } },
    { what: "the class", asksAgain: true, change: { sideEffectClass: "side-effecting" } },
    { what: "a key", asksAgain: true, change: { idempotencyKey: "call" } },
    { what: "the meaning of a field", asksAgain: true, change: { inputSchema: inThousands } },
    {
      what: "the bounds of a field",
      asksAgain: true,
      change: { inputSchema: z.object({ ...pays, amount: z.number().max(5) }) },
    },
    {
      what: "the description, of a server's tool",
      asksAgain: true,
      change: { description: "Pays at once." },
      source: server,
    },
    { what: "nothing, of a server's tool", asksAgain: false, change: {}, source: server },
  ];
  test.each(changes)(
    "a pending call whose tool changed is asked again or stays approved: $what, $asksAgain [run.resume.tool-changed]",
    async ({ asksAgain, change, source }) => {
      const ran: unknown[] = [];
      const allowed = { allowWeakerSanitization: true };
      const marked = (given: Tool): Tool =>
        source === undefined ? given : withSource({ ...given, inboundSanitization: "pass-through" }, source, allowed);
      const pay = payment(ran);
      const self = await harness({ tools: [marked(pay)], calls: [call] });
      const [question] = (await self.drive()).interruptions;
      await self.restart({ tools: [marked({ ...pay, ...change })] });
      self.decide(question!.approve());
      const outcome = await self.drive();
      expect(ran).toHaveLength(asksAgain ? 0 : 1);
      expect(outcome.interruptions.map(({ id }) => id === question?.id)).toEqual(asksAgain ? [false] : []);
    },
  );

  test("a pending call whose tool was removed leaves the run resumable [run.resume.tool-missing]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    await self.restart({ tools: [] });
    await expect(self.drive()).rejects.toMatchObject({ code: "TOOL_MISSING" });
    await self.restart({ tools: [payment(ran)] });
    self.decide(question!.approve());
    await self.drive();
    expect(ran).toHaveLength(1);
  });

  test("a suspended sequential call blocks the calls after it", async () => {
    const order: string[] = [];
    const note = (name: string, extra: Partial<Tool>): Tool => ({
      ...free,
      name,
      execute: () => order.push(name),
      ...extra,
    });
    const tools = [note("gated", { needsApproval: true, executionMode: "sequential" }), note("later", {})];
    const self = await harness({ tools, calls: [{ name: "later" }, { name: "gated" }, { name: "later" }] });
    const [question] = (await self.drive()).interruptions;
    expect(order).toEqual(["later"]);
    await self.restart();
    self.decide(question!.approve());
    await self.drive();
    expect(order).toEqual(["later", "gated", "later"]);
  });
});

describe("the source of the question", () => {
  test("the predicate gets the validated input, once per call, also across a restart", async () => {
    const asked: unknown[] = [];
    const needs: Approval = (input) => {
      asked.push(input);
      return true;
    };
    const self = await harness({ tools: [payment([], needs)], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    await self.restart();
    self.decide(question!.approve());
    await self.drive();
    expect(asked).toEqual([{ to: "a", amount: 5 }]);
  });

  test.each([
    [
      "a throw",
      () => {
        throw new Error("no");
      },
    ],
    ["a rejection", () => Promise.reject(new Error("no"))],
  ])(
    "%s of the predicate counts as true and crashes nothing [tool.field.needs-approval.throws]",
    async (_name, needs) => {
      const ran: unknown[] = [];
      const self = await harness({ tools: [payment(ran, needs)], calls: [call] });
      const outcome = await self.drive();
      expect(ran).toEqual([]);
      expect(outcome.interruptions).toHaveLength(1);
    },
  );

  const policies: [string, ApprovalConfig["policy"], number][] = [
    ["none", "none", 0],
    ["all", "all", 2],
    ["names", ["pay"], 1],
    ["a function", (asked) => asked.name === "free", 1],
    [
      "a throwing function",
      () => {
        throw new Error("no");
      },
      2,
    ],
  ];
  test.each(policies)("approval.policy as %s", async (_name, policy, expected) => {
    const self = await harness({
      tools: [payment([], false), free],
      calls: [call, { name: "free" }],
      settings: { approval: { policy } },
    });
    expect((await self.drive()).interruptions).toHaveLength(expected);
  });
});

describe("inline", () => {
  test("an inline approver decides without a suspension; a plain value is enough [people.inline]", async () => {
    const ran: unknown[] = [];
    const asked: string[] = [];
    const onApproval: ApprovalConfig["onApproval"] = (request) => {
      asked.push(request.toolCallId);
      return { approved: request.toolCallId === "call-0", reason: "no" };
    };
    const self = await harness({ tools: [payment(ran)], calls: [call, call], settings: { approval: { onApproval } } });
    const outcome = await self.drive();
    expect(asked).toEqual(["call-0", "call-1"]);
    expect(ran).toHaveLength(1);
    expect(outcome.results.map((each) => each.error?.kind)).toEqual([undefined, "approval_denied"]);
  });

  test.each<[string, () => unknown, number]>([
    ["true", () => true, 1],
    ["a promise of true", async () => true, 1],
    ["false", () => false, 0],
    ["a promise of false", async () => false, 0],
    ["a word", () => "yes", 0],
    ["a promise of a word", async () => "yes", 0],
  ])("the run's approver may answer with %s [field-bug:PB-approvals-25]", async (_what, answer, times) => {
    const ran: unknown[] = [];
    const options = { onApprovalRequired: answer as () => boolean };
    const self = await harness({ tools: [payment(ran)], calls: [call], options });
    await self.drive();
    expect(ran).toHaveLength(times);
  });

  test.each(["yes", 1, "false", {}, null])(
    "only the value true approves a call, and not { approved: %j } [people.inline]",
    async (approved) => {
      const ran: unknown[] = [];
      const onApproval = () => ({ approved: approved as never });
      const self = await harness({ tools: [payment(ran)], calls: [call], settings: { approval: { onApproval } } });
      expect((await self.drive()).results[0]?.error?.kind).toBe("approval_denied");
      expect(ran).toEqual([]);
    },
  );

  test("an approver that returns nothing or throws does not approve the call", async () => {
    const ran: unknown[] = [];
    const nothing = await harness({
      tools: [payment(ran)],
      calls: [call],
      options: { onApprovalRequired: (() => undefined) as never },
    });
    expect((await nothing.drive()).results[0]?.error?.kind).toBe("approval_denied");
    const throwing = await harness({
      tools: [payment(ran)],
      calls: [call],
      runId: "run-2",
      options: { onApprovalRequired: () => Promise.reject(new Error("x")) },
    });
    expect((await throwing.drive()).results[0]?.error?.kind).toBe("approval_denied");
    expect(ran).toEqual([]);
  });

  test("an approval without an answer rejects the call by default, and throws with `throw` [people.inline.timeout]", async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const ran: unknown[] = [];
    const denied = await harness({
      tools: [payment(ran)],
      calls: [call],
      settings: { approval: { onApproval: never } },
    });
    const first = denied.drive();
    await denied.clock.advance(300_000);
    expect((await first).results[0]?.error?.kind).toBe("approval_denied");
    const thrown = await harness({
      tools: [payment(ran)],
      calls: [call],
      runId: "run-2",
      settings: { approval: { onApproval: never, timeout: 10, timeoutAction: "throw" } },
    });
    const second = thrown.drive().catch((error: unknown) => error);
    await thrown.clock.advance(10);
    expect(await second).toMatchObject({ code: "APPROVAL_TIMEOUT" });
    expect(ran).toEqual([]);
  });

  test("a timeout approves a reader, never a writer [people.inline.approve-refused]", async () => {
    const approval: ApprovalConfig = { onApproval: () => new Promise(() => {}), timeout: 10, timeoutAction: "approve" };
    const ran: unknown[] = [];
    const reader = await harness({ tools: [payment(ran, true, "read-only")], calls: [call], settings: { approval } });
    const first = reader.drive();
    await reader.clock.advance(10);
    await first;
    expect(ran).toHaveLength(1);
    const writer = await harness({ tools: [payment(ran)], calls: [call], runId: "run-2", settings: { approval } });
    const second = writer.drive();
    await writer.clock.advance(10);
    expect((await second).results[0]?.error?.kind).toBe("approval_denied");
    expect(ran).toHaveLength(1);
  });
});

describe("decisions", () => {
  test("edited arguments are validated and run instead [people.decisions.edited-arguments]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call, call] });
    const { interruptions } = await self.drive();
    await self.restart();
    self.decide(
      interruptions[0]!.approve({ args: { to: "a", amount: 1 } }),
      interruptions[1]!.approve({ args: { to: "a" } }),
    );
    const outcome = await self.drive();
    expect(ran).toEqual([{ to: "a", amount: 1 }]);
    expect(outcome.results.map((each) => each.error?.kind)).toEqual([undefined]);
    expect(outcome.interruptions).toMatchObject([{ args: call.args }]);
  });

  test("a decision for the tool applies to its later calls; a decision for the call only to these arguments [people.decisions.remember]", async () => {
    const ran: unknown[] = [];
    const other = { ...call, args: { to: "b", amount: 9 } };
    const self = await harness({ tools: [payment(ran)], calls: [call, other, call] });
    const { interruptions } = await self.drive();
    await self.restart();
    self.decide(interruptions[0]!.approve({ remember: "call" }));
    const second = await self.drive();
    // The question of the third call existed before the decision, so the call needs its own answer.
    expect(second.interruptions).toHaveLength(2);
    expect(self.journal.state.remembered).toMatchObject([{ toolName: "pay", approved: true }]);
  });

  test("a rejection of these arguments has precedence over an approval of the tool [people.decisions.exact-beats-sticky]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call, { ...call, args: { to: "b", amount: 1 } }] });
    const remembered = self.journal.state.remembered;
    const definitionHash = boundDefinition(self.run, self.run.catalogue.get("pay")!);
    const { canonicalJson } = await import("../../json/canonical-json.ts");
    remembered.push({ toolName: "pay", definitionHash, approved: true, at: 1 });
    remembered.push({
      toolName: "pay",
      definitionHash,
      approved: false,
      at: 2,
      reason: "never a",
      argsHash: self.run.agent.hasher.sha256(canonicalJson(call.args)),
    });
    remembered.push({ toolName: "pay", definitionHash: "another definition", approved: false, at: 3 });
    const outcome = await self.drive();
    expect(outcome.interruptions).toEqual([]);
    expect(ran).toEqual([{ to: "b", amount: 1 }]);
    expect(outcome.results[0]?.error?.kind).toBe("approval_denied");
  });

  test("a decision about an unknown question changes nothing [field-bug:PB-approvals-01]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    expect(() => self.decide({ id: "b", type: "approve" })).toThrowError(
      expect.objectContaining({ code: "UNKNOWN_DECISION" }),
    );
    expect(() => self.decide(question!.answer("yes"))).toThrowError(expect.objectContaining({ code: "DECISION_KIND" }));
    expect((await self.drive()).interruptions.map((each) => each.id)).toEqual([question!.id]);
    self.decide(question!.approve());
    await self.drive();
    expect(ran).toHaveLength(1);
  });

  test("an approval covers only the arguments that were shown [field-bug:PB-approvals-04]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    const recorded = self.journal.state.calls.get("t1/c0")!;
    recorded.call = { ...recorded.call!, args: { to: "b", amount: 5 } };
    self.decide(question!.approve());
    await self.drive();
    expect(ran).toEqual([]);
  });

  test("a substituted call, even with its hash, asks again instead of using the approval [field-bug:PB-approvals-04]", async () => {
    const ran: unknown[] = [];
    const self = await harness({ tools: [payment(ran)], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    const other = await harness({
      tools: [payment([])],
      calls: [{ name: "pay", args: { to: "b", amount: 5 } }],
      runId: "run-2",
    });
    await other.drive();
    self.journal.state.calls.get("t1/c0")!.call = other.journal.state.calls.get("t1/c0")!.call;
    self.decide(question!.approve());
    const outcome = await self.drive();
    expect(ran).toEqual([]);
    expect(outcome.interruptions).toMatchObject([{ args: { to: "b", amount: 5 } }]);
    expect(outcome.interruptions[0]?.id).not.toBe(question?.id);
  });

  test("an interruption survives JSON, and its methods are not part of it", async () => {
    const self = await harness({ tools: [payment([])], calls: [call] });
    const [question] = (await self.drive()).interruptions;
    const revived = interruption(JSON.parse(JSON.stringify(question)));
    expect(JSON.stringify(revived)).toBe(JSON.stringify(question));
    expect(Object.keys(revived)).not.toContain("approve");
    expect(revived.giveUp("x", { decidedBy: "ana" })).toEqual({
      id: question!.id,
      type: "give_up",
      reason: "x",
      decidedBy: "ana",
    });
    expect(() => interruption({} as never)).toThrowError(expect.objectContaining({ code: "INVALID_INTERRUPTION" }));
  });

  test("a run that is stopped during an approval records a result for the call", async () => {
    const self = await harness({
      tools: [payment([])],
      calls: [call],
      options: { onApprovalRequired: () => new Promise(() => {}) },
    });
    const driven = self.drive();
    await settleAll();
    self.controller.abort();
    const outcome = await driven;
    expect(outcome).toMatchObject({ stop: "cancelled", results: [{ error: { kind: "aborted" } }] });
    expect(self.clock.timers).toBe(0);
  });
});

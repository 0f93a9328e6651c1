import {
  memoryStore,
  interruption,
  tool,
  type ApprovalRequest,
  type Clock,
  type Interruption,
  type InterruptionData,
} from "@bailiwick/core";
import { withSource } from "@bailiwick/core/extension";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;
/** Makes this call first, and answers when it has the result. */
const callsOnce = (step: ReturnType<typeof writeCall> = writeCall()) =>
  scriptedModel((request) => (request.toolResults.length === 0 ? step : "Done."));
const approveAll = (asked: readonly Interruption[]) => asked.map((one) => one.approve());

test("policies require approval for no tools, all tools, named tools, or by a function; the stricter of policy and tool wins [people.when] [people.decisions]", async () => {
  const { write, ran } = counter();
  const { write: guarded } = counter({ name: "guarded", needsApproval: true });
  const statusUnder = async (
    policy: NonNullable<ConstructorParameters<typeof Agent>[0]["approval"]>["policy"],
    name: string = "write",
  ) =>
    (
      await new Agent({
        ...base,
        model: callsOnce({ toolCalls: [{ name, arguments: { line: "x" } }] }),
        tools: [write, guarded],
        approval: { policy },
      }).run("go")
    ).status;
  expect(await statusUnder("none")).toBe("completed");
  expect(await statusUnder(undefined)).toBe("completed");
  expect(await statusUnder("all")).toBe("suspended");
  expect(await statusUnder(["write"])).toBe("suspended");
  expect(await statusUnder(["guarded"])).toBe("completed");
  expect(await statusUnder((call) => (call.input as { line: string }).line === "x")).toBe("suspended");
  expect(await statusUnder(async () => false)).toBe("completed");
  expect(
    await statusUnder(() => {
      throw new Error("broken");
    }),
  ).toBe("suspended");
  expect(await statusUnder("none", "guarded")).toBe("suspended");
  expect(ran).toEqual(["x", "x", "x", "x"]);
});

test("tool names in policies follow renames, also when the agent's policy meets the run's function [people.when]", async () => {
  const { write, ran } = counter();
  const { write: other, ran: otherRan } = counter();
  const theirs = withSource(other, { kind: "mcp", serverIdentity: "crm" });
  const statusOf = async (called: string, policy: readonly string[], ofRun?: () => boolean) => {
    const agent = new Agent({
      ...base,
      model: callsOnce({ toolCalls: [{ name: called, arguments: { line: "x" } }] }),
      tools: [write, theirs],
      approval: { policy },
    });
    return (await agent.run("go", ofRun === undefined ? {} : { approval: { policy: ofRun } })).status;
  };
  expect(await statusOf("crm.write", ["crm.write"])).toBe("suspended");
  expect(await statusOf("crm.write", ["crm.write"], () => false)).toBe("suspended");
  expect(await statusOf("write", ["crm.write"])).toBe("completed");
  expect(await statusOf("write", ["crm.write"], () => true)).toBe("suspended");
  const alone = new Agent({ ...base, model: callsOnce(), tools: [theirs], approval: { policy: ["crm.write"] } });
  expect((await alone.run("go", { approval: { policy: () => false } })).status).toBe("suspended");
  const wrong = new Agent({ ...base, model: callsOnce(), tools: [write], approval: { policy: ["rite"] } });
  expect(await failureOf(wrong.run("go", { approval: { policy: () => false } }))).toMatchObject({
    code: "UNKNOWN_TOOL_NAME",
  });
  expect([ran, otherRan]).toEqual([["x"], []]);
});

test("another process resumes the run from its file after the first process ended during an approval [people.suspended-run] [people.binding]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bailiwick-agent-"));
  try {
    const path = join(folder, "runs.db");
    let sent: string;
    {
      await using store = sqliteStore({ path });
      const { write, ran } = counter({ needsApproval: true });
      const first = await new Agent({
        ...base,
        model: scriptedModel([writeCall("over night")]),
        tools: [write],
        store,
      }).run("go");
      expect(first).toMatchObject({ status: "suspended", stopReason: "awaiting_approval" });
      expect(ran).toEqual([]);
      sent = JSON.stringify(first.interruptions);
    }
    await using store = sqliteStore({ path });
    const { write, ran } = counter({ needsApproval: true });
    const agent = new Agent({ ...base, model: scriptedModel(["Done."]), tools: [write], store });
    const asked = (JSON.parse(sent) as InterruptionData[]).map((data) => interruption(data));
    const result = await agent.resume(asked[0]?.runId ?? "", approveAll(asked));
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(ran).toEqual(["over night"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("inline approvers of the agent and of the run are both asked in the process [people.inline] [messages.approval-decision]", async () => {
  const asked: unknown[] = [];
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({
    ...base,
    model: scriptedModel((request) =>
      request.toolResults.length === 0 ? writeCall(request.lastUserText) : (request.toolResults[0]?.text ?? ""),
    ),
    tools: [write],
    approval: {
      onApproval: (request: ApprovalRequest) => (
        asked.push(request.args),
        {
          approved: request.args !== undefined && (request.args as { line: string }).line !== "no",
          reason: "not that",
          ...((request.args as { line: string }).line === "a" && { args: { line: "edited" } }),
        }
      ),
    },
  });
  await agent.run("a");
  expect(ran).toEqual(["edited"]);
  expect((await agent.run("no")).text).toContain("not that");
  const byRun: unknown[] = [];
  await agent.run("b", { onApprovalRequired: (...given) => (byRun.push(given), true) });
  expect(byRun).toMatchObject([
    ["agent", { name: "write", input: { line: "b" } }, { name: "write", __isWriter: true }],
  ]);
  expect(asked).toHaveLength(3);
  expect(ran).toEqual(["edited", "b"]);
  // One rejection decides.
  await agent.run("no", { onApprovalRequired: (...given) => (byRun.push(given), true) });
  await agent.run("c", { onApprovalRequired: () => false });
  expect([byRun.length, ran]).toEqual([1, ["edited", "b"]]);
});

test("an approver of the outer agent is asked about calls inside an agent used as a tool [people.inline]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const clerk = new Agent({
    name: "clerk",
    logger: quiet,
    flow: "off",
    model: scriptedModel((request) =>
      request.toolResults.length === 0
        ? {
            toolCalls: [
              { name: "write", arguments: { line: "a" } },
              { name: "write", arguments: { line: "b" } },
            ],
          }
        : "written",
    ),
    tools: [write],
  });
  const seen: InterruptionData[] = [];
  const desk = new Agent({
    ...base,
    model: callsOnce({ toolCalls: [{ name: "clerk", arguments: { input: "x" } }] }),
    tools: [clerk.asTool()],
    approval: {
      onApproval: (request) => (seen.push(request), { approved: (request.args as { line: string }).line === "a" }),
    },
  });
  expect(await desk.run("go")).toMatchObject({
    status: "completed",
    toolCalls: [{ toolName: "clerk", output: "written" }],
  });
  expect(seen).toMatchObject([{ agentPath: ["agent", "clerk"] }, { agentPath: ["agent", "clerk"] }]);
  expect(ran).toEqual(["a"]);
});

test("an approval without an answer rejects the call by default, and throws when asked to [people.inline.timeout] [messages.approval-config]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const silent = () => new Promise<never>(() => undefined);
  const agent = (timeoutAction?: "deny" | "throw") =>
    new Agent({
      ...base,
      model: callsOnce(),
      tools: [write],
      approval: { onApproval: silent, timeout: 5, timeoutAction },
    });
  expect((await agent().run("go")).toolCalls).toMatchObject([{ isError: true, error: { kind: "approval_denied" } }]);
  expect((await agent("deny").run("go")).status).toBe("completed");
  const error = await failureOf(agent("throw").run("go"));
  expect(error).toMatchObject({ code: "APPROVAL_TIMEOUT", runId: expect.any(String) as string });
  expect(ran).toEqual([]);
});

test("an approval without an answer ends after 5 minutes [people.inline.timeout] [messages.approval-config]", async () => {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    // Time passes as soon as something waits for it.
    setTimer: (callback, delayMs) => {
      const timer = setTimeout(() => ((now += delayMs), callback()), 1);
      return () => clearTimeout(timer);
    },
  };
  const { write } = counter({ needsApproval: true });
  const approval = { onApproval: () => new Promise<never>(() => undefined), timeoutAction: "throw" } as const;
  const agent = new Agent({ ...base, clock, model: callsOnce(), tools: [write], approval });
  const error = await failureOf(agent.run("go"));
  expect(error).toMatchObject({ code: "APPROVAL_TIMEOUT", message: expect.stringContaining("300000 ms") as string });
});

test("a timeout approves no writer: not a configured tool, a tool added to the run, or a tool of another agent [people.inline.approve-refused]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const approval = {
    onApproval: () => new Promise<never>(() => undefined),
    timeout: 5,
    timeoutAction: "approve",
  } as const;
  expect(() => new Agent({ ...base, model: callsOnce(), tools: [write], approval })).toThrow("without an answer");
  const later = new Agent({ ...base, model: callsOnce(), tools: () => [write], approval });
  expect(await failureOf(later.run("go"))).toMatchObject({ code: "APPROVE_ON_TIMEOUT" });
  expect(
    await failureOf(new Agent({ ...base, model: callsOnce(), tools: [write] }).run("go", { approval })),
  ).toMatchObject({ code: "APPROVE_ON_TIMEOUT" });
  const clerk = new Agent({ name: "clerk", logger: quiet, flow: "off", model: callsOnce(), tools: [write] });
  const desk = new Agent({
    ...base,
    model: callsOnce({ toolCalls: [{ name: "clerk", arguments: { input: "x" } }] }),
    tools: [clerk.asTool()],
    approval,
  });
  await desk.run("go");
  expect(ran).toEqual([]);
  const wasRead: string[] = [];
  const read = tool({
    name: "write",
    description: "Reads.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "read-only",
    needsApproval: true,
    execute: ({ line }) => (wasRead.push(line), line),
  });
  expect((await new Agent({ ...base, model: callsOnce(), tools: [read], approval }).run("go")).status).toBe(
    "completed",
  );
  expect(wasRead).toEqual(["a"]);
});

test("edited arguments are validated and gated again [people.decisions.edited-arguments]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const guardrails = {
    toolInput: [
      {
        name: "no-z",
        validate: ({ input }: { input: unknown }) =>
          (input as { line: string }).line === "z"
            ? ({ pass: false, reason: "z is not allowed" } as const)
            : ({ pass: true } as const),
      },
    ],
  };
  const after = async (args: unknown) => {
    const agent = new Agent({ ...base, model: callsOnce(), tools: [write], guardrails });
    const first = await agent.run("go");
    return agent.resume(
      first.runId,
      first.interruptions.map((one) => one.approve({ args })),
    );
  };
  expect((await after({ line: "edited" })).toolCalls).toMatchObject([{ isError: false, input: { line: "edited" } }]);
  await expect(after({ line: 5 })).rejects.toMatchObject({ code: "EDIT_INVALID" });
  expect((await after({ line: "z" })).toolCalls).toMatchObject([{ isError: true, error: { kind: "policy_denied" } }]);
  expect(ran).toEqual(["edited"]);
});

test("an edit with an unknown field is refused, also deep inside, though the schema would drop the field [people.decisions.edited-unknown-field]", async () => {
  const ran: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ amount: z.number(), to: z.array(z.object({ iban: z.string() })), more: z.looseObject({}) }),
    needsApproval: true,
    execute: (input) => void ran.push(input),
  });
  const args = { amount: 100, to: [{ iban: "DE1" }], more: { free: 1 } };
  const made = { ...args, extra: "of the model" };
  const model = scriptedModel([{ toolCalls: [{ name: "pay", arguments: made }] }, "Done."]);
  const agent = new Agent({ ...base, model, tools: [pay] });
  const { runId, interruptions } = await agent.run("go");
  // A field that the schema drops is not part of the call.
  expect(interruptions).toMatchObject([{ args }]);
  await expect(agent.resume(runId, [interruptions[0]!.approve({ args: made })])).rejects.toThrow('no field "extra"');
  const edit = (edited: unknown) => agent.resume(runId, [interruptions[0]!.approve({ args: edited })]);
  const misspelt = edit({ ...args, ammount: 1 });
  await expect(misspelt).rejects.toMatchObject({ code: "EDIT_INVALID" });
  await expect(misspelt).rejects.toThrow('no field "ammount" (did you mean "amount"?)');
  await expect(edit({ ...args, to: [{ iban: "DE1" }, { iban: "DE2", ibann: "DE3" }] })).rejects.toThrow(
    '"to.[].ibann"',
  );
  expect(ran).toEqual([]);
  // An open object accepts any field, and keeps the fields that the model wrote.
  expect((await edit({ ...args, amount: 1, more: { other: 2 } })).status).toBe("completed");
  expect(ran).toEqual([{ amount: 1, to: [{ iban: "DE1" }], more: { other: 2 } }]);
});

test("an edit that the tool's schema refuses leaves the question open, also through the inbox [people.decisions.edited-invalid]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({ ...base, model: callsOnce(), tools: [write] });
  const { runId, interruptions } = await agent.run("go");
  const edits = [{ line: 5 }, { line: "a", map: new Map() }, {}, "a"];
  for (const args of edits) {
    const refused = agent.resume(runId, [interruptions[0]!.approve({ args })]);
    await expect(refused).rejects.toMatchObject({ code: "EDIT_INVALID", decisionId: interruptions[0]!.id });
    expect((await agent.interruptions(runId)).map(({ id }) => id)).toEqual([interruptions[0]!.id]);
  }
  expect(ran).toEqual([]);
  const output = await agent.resume(runId, [interruptions[0]!.approve({ args: { line: "fine" } })]);
  expect([output.status, ran]).toEqual(["completed", ["fine"]]);
});

test("approval settings that cannot be honoured are refused", () => {
  const make = (approval: object) => () => new Agent({ ...base, model: scriptedModel([]), approval });
  expect(make({ policy: "some" })).toThrow("approval.policy");
  expect(make({ timeoutAction: "allow" })).toThrow("approval.timeoutAction");
  expect(make({ timeout: -1 })).toThrow("approval.timeout");
  expect(make({ expiresAfterMs: 0 })).toThrow("approval.expiresAfterMs");
  expect(make({ onApproval: true })).toThrow("approval.onApproval");
});

test.each([1, 2])(
  "an invalid edit for a tool that only the driven run finds, of a question %i agents deep, runs nothing and is asked again with the reason [people.decisions.edited-invalid.later]",
  async (depth) => {
    const ran: unknown[] = [];
    const schema = z.object({ amount: z.number() });
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: schema.refine(async ({ amount }) => Promise.resolve(amount < 9), "too much"),
      needsApproval: true,
      execute: ({ amount }) => void ran.push(amount),
    });
    const store = memoryStore();
    const once = (name: string, args: object) =>
      scriptedModel(({ toolResults }) =>
        toolResults.length > 0 ? "Done." : { toolCalls: [{ name, arguments: args }] },
      );
    const version = (): Agent => {
      let agent = new Agent({ ...base, store, name: "payer", model: once("pay", { amount: 1 }), tools: () => [pay] });
      for (let level = 1; level <= depth; level += 1) {
        const inside = agent.asTool({ name: "inside" });
        agent = new Agent({
          ...base,
          store,
          name: `outer_${level}`,
          model: once("inside", { input: "x" }),
          tools: [inside],
        });
      }
      return agent;
    };
    const { runId, interruptions } = await version().run("go");
    let [question] = interruptions;
    const edits = [{ amount: 10 }, { amount: 11 }];
    for (const [index, args] of edits.entries()) {
      const decision = question!.approve({ args });
      let output;
      if (index % 2 === 0) output = await version().resume(runId, [decision]);
      else {
        await version().decide(runId, [decision]);
        output = await version().resume(runId);
      }
      expect(output).toMatchObject({ status: "suspended", interruptions: [{ toolName: "pay", args: { amount: 1 } }] });
      [question] = output.interruptions;
      expect(question!.id).not.toBe(decision.id);
      expect(JSON.stringify(question!.question.unusual)).toContain("as edited by the approver");
    }
    expect(ran).toEqual([]);
    const output = await version().resume(runId, [question!.approve({ args: { amount: 2 } })]);
    expect([output.status, ran]).toEqual(["completed", [2]]);
  },
);

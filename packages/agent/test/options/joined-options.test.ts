import { codeMode } from "@bailiwick/compose/code-mode";
import { pipeline } from "../../src/compose.ts";
import { agentTool, type ApprovalRequest, type LoopHooks, type ToolInputGuardrail } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { counter, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;
type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

/** An agent that writes one line, and the lines that it wrote. */
function writer(options: Options = {}) {
  const { write, ran } = counter();
  const agent = new Agent({
    ...base,
    model: scriptedModel([writeCall("a"), "Done."]),
    tools: [write],
    ...options,
  });
  return { agent, ran };
}

describe("hooks of an agent and of a run", () => {
  test("a run that passes a loop hook keeps the agent's blocking hook [options.chain]", async () => {
    const rounds: number[] = [];
    const { agent, ran } = writer({ loopHooks: { beforeToolExec: () => ({ skip: true, result: "blocked" }) } });
    await agent.run("go", { loopHooks: { onRoundtripComplete: (round) => void rounds.push(round) } });
    expect(ran).toEqual([]);
    expect(rounds.length).toBeGreaterThan(0);
  });

  test("both hooks of one name run, the second with the first one's changes [options.chain]", async () => {
    const seen: unknown[] = [];
    const changing = (to: string): LoopHooks => ({
      beforeToolExec: (_name, args) => (seen.push(args), { args: { line: to } }),
      afterToolExec: (_name, result) => `${result} ${to}`,
    });
    const { agent, ran } = writer({ loopHooks: changing("b") });
    const output = await agent.run("go", { loopHooks: changing("c") });
    expect(seen).toEqual([{ line: "a" }, { line: "b" }]);
    expect(ran).toEqual(["c"]);
    expect(output.messages.find(({ role }) => role === "tool")?.content).toBe("wrote c b c");
  });
});

describe("combined approvers", () => {
  const policy = ["write"];

  test("a run's approver cannot overrule a rejection by the agent's [options.chain]", async () => {
    const { agent, ran } = writer({ approval: { policy, onApproval: () => ({ approved: false }) } });
    await agent.run("go", { approval: { onApproval: () => ({ approved: true }) } });
    expect(ran).toEqual([]);
    const second = writer({ approval: { policy, onApproval: () => ({ approved: false }) } });
    await second.agent.run("go", { onApprovalRequired: () => true });
    expect(second.ran).toEqual([]);
  });

  test("each approver is called once, innermost first, and an edit calls the earlier ones again [people.chain]", async () => {
    const asked: string[] = [];
    const approver = (name: string, edit?: string) => (request: ApprovalRequest) => {
      const { line } = request.args as { line: string };
      asked.push(`${name} ${line} ${request.agentPath.join("/")}`);
      return { approved: true, ...(edit !== undefined && line !== edit && { args: { line: edit } }) };
    };
    const { write, ran } = counter({ needsApproval: true });
    const run = async (edit?: string): Promise<unknown> => {
      asked.length = 0;
      const clerk = new Agent({
        ...base,
        name: "clerk",
        model: scriptedModel([writeCall("a"), "Done."]),
        tools: [write],
        approval: { onApproval: approver("inner") },
      });
      const desk = new Agent({
        ...base,
        name: "desk",
        model: scriptedModel([{ toolCalls: [{ name: "office", arguments: { input: "x" } }] }, "Done."]),
        tools: [agentTool(pipeline({ name: "office" }, clerk))],
        approval: { onApproval: approver("outer", edit) },
      });
      await desk.run("go", {
        onApprovalRequired: (_name, call) => (asked.push(`run ${JSON.stringify(call.input)}`), true),
      });
      return [...asked];
    };
    expect(await run()).toEqual(["inner a clerk", "outer a desk/office/clerk", 'run {"line":"a"}']);
    expect(await run("b")).toEqual(["inner a clerk", "outer a desk/office/clerk", "inner b clerk", 'run {"line":"b"}']);
    expect(ran).toEqual(["a", "b"]);
  });
});

test("a run cannot stream an answer that its agent holds for guardrails [options.tighten]", async () => {
  const { agent } = writer({ outputGuardrails: "hold" });
  await expect(agent.run("go", { outputGuardrails: "after" })).rejects.toMatchObject({ code: "WEAKER_POLICY" });
});

test("a guardrail, a loop hook and an approver that an agent and the agent around it have are asked once about its call [options.once]", async () => {
  const asked: string[] = [];
  const guardrail: ToolInputGuardrail = {
    name: "count",
    tools: ["write"],
    validate: () => (asked.push("guardrail"), { pass: true }),
  };
  const shared: Options = {
    guardrails: { toolInput: [guardrail] },
    loopHooks: { beforeToolExec: (name) => void (name === "write" && asked.push("hook")) },
    approval: { policy: ["write"], onApproval: () => (asked.push("approver"), { approved: true }) },
  };
  const { agent, ran } = writer({ name: "inner", ...shared });
  const outer = new Agent({
    ...base,
    model: scriptedModel([{ toolCalls: [{ name: "inner", arguments: { input: "go" } }] }, "Done."]),
    tools: [agent.asTool()],
    ...shared,
  });
  await outer.run("go");
  expect([ran, asked.toSorted()]).toEqual([["a"], ["approver", "guardrail", "hook"]]);
});

test("a tool guardrail is asked once about a call of a program [options.once]", async () => {
  let asked = 0;
  const { write, ran } = counter();
  const agent = new Agent({
    ...base,
    model: scriptedModel([
      { toolCalls: [{ name: "run_code", arguments: { code: `return tools.write({ line: "x" });` } }] },
      "Done.",
    ]),
    tools: [codeMode({ tools: [write] })],
    guardrails: {
      toolInput: [{ name: "count", tools: ["write"], validate: () => ((asked += 1), { pass: true }) }],
      toolOutput: [{ name: "count", tools: ["write"], validate: () => ((asked += 1), { pass: true }) }],
    },
  });
  await agent.run("go");
  expect([ran, asked]).toEqual([["x"], 2]);
});

import { handoff, tool, type AgentOptions, type ApprovalConfig } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";
import { around } from "../inside.test.helper.ts";

const ways = ["an agent as a tool", ...Object.keys(around), "a handoff"];
const policies: Readonly<Record<string, NonNullable<ApprovalConfig["policy"]>>> = {
  all: "all",
  list: ["pay"],
  function: ({ name }) => name === "pay",
};

/** An agent whose approver approves its own calls, of a tool that pays or one that only looks, inside an outer agent. */
function world(way: string, outer: Partial<AgentOptions>, called: "pay" | "look" = "pay") {
  const paid: unknown[] = [];
  const asked: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    execute: () => void paid.push("paid"),
  });
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => void paid.push("looked"),
  });
  const inner = new Agent({
    name: "inner",
    logger: quiet,
    flow: "off",
    tools: [pay, look],
    approval: { policy: "all", onApproval: () => (asked.push("inner"), { approved: true }) },
    model: scriptedModel(({ toolResults }) =>
      toolResults.some(({ toolName }) => toolName === called)
        ? "Paid."
        : { toolCalls: [{ name: called, arguments: {} }] },
    ),
  });
  const isHandoff = way === "a handoff";
  const target = around[way]?.(inner) ?? inner;
  const name = isHandoff ? "transfer_to_inner" : target.name;
  const agent = new Agent({
    name: "outer",
    logger: quiet,
    flow: "off",
    model: scriptedModel([{ toolCalls: [{ name, arguments: isHandoff ? {} : { input: "go" } }] }, "Done."]),
    ...(isHandoff ? { handoffs: [handoff(inner)] } : { tools: [(target as Agent).asTool()] }),
    ...outer,
  });
  return { agent, paid, asked };
}

for (const way of ways)
  for (const place of ["agent", "run"] as const)
    test.each(Object.entries(policies))(
      `a person decides for the approval policy (%s) of an outer ${place} without an approver: the approver inside ${way} cannot [flow.inside.approvers.person]`,
      async (_name, policy) => {
        const approval = { policy };
        const { agent, paid, asked } = world(way, place === "agent" ? { approval } : {});
        const waiting = await agent.run("go", place === "run" ? { approval } : {});
        expect([waiting.status, waiting.interruptions.map(({ toolName }) => toolName), paid, asked]).toEqual([
          "suspended",
          ["pay"],
          [],
          [],
        ]);
        const decisions = waiting.interruptions.map((one) => one.approve());
        const done = await agent.resume(waiting.runId, decisions);
        expect([done.status, paid]).toEqual(["completed", ["paid"]]);
      },
    );

test.each(ways)(
  "the approver inside %s decides if no outer policy demands an approval, and with the outer approver if one does [flow.inside.approvers.person]",
  async (way) => {
    const free = world(way, { approval: { expiresAfterMs: 60_000 } });
    expect([(await free.agent.run("go")).status, free.paid, free.asked]).toEqual(["completed", ["paid"], ["inner"]]);
    const onApproval = () => (both.asked.push("outer"), { approved: true });
    const both = world(way, { approval: { policy: "all", onApproval } });
    expect([(await both.agent.run("go")).status, both.asked]).toEqual(["completed", ["inner", "outer"]]);
  },
);

const demands: readonly (readonly [
  name: string,
  called: "pay" | "look",
  decider: "person" | "approver",
  policy: ApprovalConfig["policy"],
])[] = [
  ["all", "pay", "person", "all"],
  ["all", "look", "approver", "all"],
  ["a list with pay", "pay", "person", ["pay"]],
  ["a list with pay", "look", "approver", ["pay"]],
  ["a list with look", "pay", "approver", ["look"]],
  ["a list with look", "look", "person", ["look"]],
  ["none", "pay", "approver", "none"],
  ["a function", "look", "person", ({ name }) => name === "pay"],
];

for (const way of ways)
  for (const place of ["agent", "run"] as const)
    test.each(demands)(
      `under the policy %s of an outer ${place} without an approver, a call of %s inside ${way} is decided by the %s [flow.inside.approvers.person.named]`,
      async (_name, called, decider, policy) => {
        const approval = { policy };
        const { agent, paid, asked } = world(way, place === "agent" ? { approval } : {}, called);
        const output = await agent.run("go", place === "run" ? { approval } : {});
        const ran = called === "pay" ? "paid" : "looked";
        expect([output.status, paid, asked]).toEqual(
          decider === "person" ? ["suspended", [], []] : ["completed", [ran], ["inner"]],
        );
      },
    );

test.each([
  ["pay", "suspended", []],
  ["look", "completed", ["inner", "middle"]],
] as const)(
  "an agent with an approver between the two takes over no call of the outer policy: %s [flow.inside.approvers.person.named]",
  async (called, status, deciders) => {
    const { agent, asked } = world(
      "an agent as a tool",
      { name: "middle", approval: { policy: "all", onApproval: () => (asked.push("middle"), { approved: true }) } },
      called,
    );
    const outermost = new Agent({
      name: "outermost",
      logger: quiet,
      flow: "off",
      approval: { policy: ["pay"] },
      tools: [agent.asTool()],
      model: scriptedModel([{ toolCalls: [{ name: "middle", arguments: { input: "go" } }] }, "Done."]),
    });
    expect([(await outermost.run("go")).status, asked]).toEqual([status, deciders]);
  },
);

import {
  agentTool,
  handoff,
  memoryStore,
  tool,
  type AgentOptions,
  type Decision,
  type RunOutput,
} from "@bailiwick/core";
import { codeMode } from "@bailiwick/compose/code-mode";
import { attempt, loop, map, parallel, pipeline, route } from "../../src/compose.ts";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { openAgent, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const named = { name: "inside", logger: quiet };

/** A model that makes one call, and ends once it has the result. */
const calls = (name: string, args: object) =>
  scriptedModel(({ toolResults }) =>
    toolResults.some(({ toolName }) => toolName === name) ? "Done." : { toolCalls: [{ name, arguments: args }] },
  );

const asking = (name: string, tools: AgentOptions["tools"], args: object = { input: "go" }) => ({
  tools,
  model: calls(name, args),
});

/** The options of an outer agent around one that pays. */
const ways: Readonly<Record<string, (payer: Agent, made: (options: Partial<AgentOptions>) => Agent) => object>> = {
  "an agent as a tool": (payer) => asking("payer", [payer.asTool()]),
  "two agents": (payer, made) =>
    asking("middle", [made({ name: "middle", ...asking("payer", [payer.asTool()]) }).asTool()]),
  "a handoff": (payer) => ({ handoffs: [handoff(payer)], model: calls("transfer_to_payer", {}) }),
  "a pipeline": (payer) => asking("inside", [agentTool(pipeline(named, payer))]),
  "a parallel composition": (payer) => asking("inside", [agentTool(parallel(named, { payer }))]),
  "a map": (payer) => asking("inside", [agentTool(map({ items: () => ["a"], ...named }, payer))]),
  "a route": (payer) => asking("inside", [agentTool(route({ choose: () => "payer", ...named }, { payer }))]),
  "a loop": (payer) => asking("inside", [agentTool(loop({ until: () => true, ...named }, payer))]),
  "an attempt": (payer) => asking("inside", [agentTool(attempt(named, { try: payer }))]),
  "a program": (payer) =>
    asking("run_code", [codeMode({ tools: [payer.asTool()] })], { code: "return await tools.payer({ input: 'a' });" }),
};

/** How a decision reaches the run; the last value is the code with which it is refused. */
const deliveries: Readonly<
  Record<string, (agent: Agent, runId: string, decision: Decision) => Promise<[RunOutput | undefined, unknown]>>
> = {
  "resume()": async (agent, runId, decision) =>
    agent.resume(runId, [decision]).then(
      (output) => [output, undefined],
      (error: { readonly code: unknown }) => [undefined, error.code],
    ),
  "decide()": async (agent, runId, decision) => {
    try {
      await agent.decide(runId, [decision]);
    } catch (error) {
      return [undefined, (error as { readonly code: unknown }).code];
    }
    return [await agent.resume(runId), undefined];
  },
};

for (const [delivery, deliver] of Object.entries(deliveries))
  test.each(Object.keys(ways))(
    `an invalid edit of a question inside %s through ${delivery} is refused, and the question keeps its id [people.decisions.edited-invalid.inside]`,
    async (way) => {
      const paid: unknown[] = [];
      const store = memoryStore();
      const pay = tool({
        name: "pay",
        description: "Pays.",
        // An asynchronous schema is asked too before the decision is accepted.
        inputSchema: z.object({ amount: z.number().refine(async (amount) => Promise.resolve(amount < 10)) }),
        needsApproval: true,
        execute: ({ amount }) => void paid.push(amount),
      });
      const made = (options: Partial<AgentOptions>): Agent =>
        new Agent({ ...openAgent, logger: quiet, store, name: "outer", ...options } as AgentOptions);
      const version = (): Agent => {
        const payer = made({ name: "payer", ...asking("pay", [pay], { amount: 1 }) });
        return made(ways[way]!(payer, made));
      };
      const { runId, interruptions } = await version().run("go");
      const [question] = interruptions;
      for (const args of [{ amount: "5" }, { amount: 10 }, { amount: 5, ammount: 1 }, "5", null]) {
        const [, code] = await deliver(version(), runId, question!.approve({ args }));
        expect([args, code]).toEqual([args, "EDIT_INVALID"]);
        expect((await version().interruptions(runId)).map(({ id }) => id)).toEqual([question!.id]);
      }
      expect(paid).toEqual([]);
      const [output] = await deliver(version(), runId, question!.approve({ args: { amount: 2 } }));
      expect([output?.status, paid]).toEqual(["completed", [2]]);
    },
  );

import { handoff, memoryStore, tool, type AgentOptions, type RunOptions, type RunOutput } from "@bailiwick/core";
import { pipeline } from "../../src/compose.ts";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const secret = "card 4111";

/** Verdicts of an output guardrail about an answer, and the text that the caller may then get. */
const verdicts = {
  replaces: { verdict: () => ({ pass: true, replace: "card [hidden]" }) as const, text: "card [hidden]" },
  blocks: { verdict: () => ({ pass: false, reason: "a card" }) as const, text: "I cannot say." },
  throws: {
    verdict: () => {
      throw new Error("boom");
    },
    text: "I cannot say.",
  },
};

const ask = tool({
  name: "ask",
  description: "Writes.",
  inputSchema: z.object({}),
  sideEffectClass: "external-stateful",
  needsApproval: true,
  execute: () => "done",
});
const base = { logger: quiet, flow: "off" as const };

/** An agent that hands over, once or twice, to one that answers with the secret. */
function chain(
  depth: "one handoff" | "two handoffs" | "a handoff to a pipeline",
  waits: boolean,
  last: Partial<AgentOptions>,
) {
  const store = memoryStore();
  const desk = new Agent({
    ...base,
    name: "last",
    tools: [ask],
    model: scriptedModel(({ toolResults }) =>
      waits && !toolResults.some(({ toolName }) => toolName === "ask")
        ? { toolCalls: [{ name: "ask", arguments: {} }] }
        : secret,
    ),
    ...last,
  });
  const between = (): Agent =>
    new Agent({
      ...base,
      name: "between",
      handoffs: [handoff(desk)],
      model: scriptedModel(({ toolResults }) =>
        toolResults.some(({ isError }) => isError)
          ? "I cannot say."
          : { toolCalls: [{ name: "transfer_to_last", arguments: {} }] },
      ),
    });
  const target =
    depth === "one handoff"
      ? desk
      : depth === "two handoffs"
        ? between()
        : pipeline({ name: "flow", logger: quiet }, desk);
  const front = (more: Partial<AgentOptions>): Agent =>
    new Agent({
      ...base,
      name: "front",
      store,
      handoffs: [handoff(target)],
      model: scriptedModel(({ toolResults }) =>
        toolResults.some(({ isError }) => isError)
          ? "I cannot say."
          : { toolCalls: [{ name: `transfer_to_${target.name}`, arguments: {} }] },
      ),
      ...more,
    });
  return front;
}

for (const depth of ["one handoff", "two handoffs", "a handoff to a pipeline"] as const)
  for (const waits of [false, true])
    for (const place of ["agent", "run", "both"] as const)
      test.each(Object.entries(verdicts))(
        `an output guardrail of the ${place === "both" ? "agent and the run" : place} that %s checks the answer after ${depth}${waits ? " that waited for a person" : ""} before anybody gets it [guardrails.output.handoff]`,
        async (_name, { verdict, text }) => {
          const seen: string[] = [];
          const guardrail = {
            name: "cards",
            validate: (output: RunOutput) => {
              seen.push(output.text);
              return output.text.includes(secret) ? verdict() : ({ pass: true } as const);
            },
          };
          const guardrails = { output: [guardrail] };
          const front = chain(depth, waits, { outputGuardrails: "after" });
          const agent = front(place === "run" ? {} : { guardrails });
          const shown: unknown[] = [];
          const options: RunOptions = place === "agent" ? {} : { guardrails };
          const read = async (stream: ReturnType<Agent["stream"]>): Promise<RunOutput> => {
            for await (const event of stream) shown.push(event);
            return stream.result;
          };
          let output = await read(agent.stream("go", options));
          if (waits) {
            const { runId, interruptions } = output;
            const decisions = interruptions.map((one) => one.approve());
            output = await front(place === "run" ? {} : { guardrails }).resume(runId, decisions, options);
          }
          expect(output).toMatchObject({ status: "completed", text });
          expect(seen.filter((one) => one.includes(secret))).toHaveLength(1);
          // Events of the nodes of a pipeline have their own texts, which are not the answer.
          if (depth !== "a handoff to a pipeline") expect(JSON.stringify(shown)).not.toContain(secret);
          expect(JSON.stringify(output)).not.toContain(secret);
        },
      );

test.each([
  ["one handoff", ["front", "last"]],
  ["two handoffs", ["front", "between", "last"]],
  ["a handoff to a pipeline", ["front", "flow", "last"]],
] as const)("a question after %s has the path of agents [messages.interruption.path]", async (depth, path) => {
  const { interruptions } = await chain(depth, true, {})({}).run("go");
  expect(interruptions.map(({ agentPath }) => agentPath)).toEqual([path]);
});

import {
  createAgentRuntime,
  tool,
  type AgentRuntime,
  type Logger,
  type RunOutput,
  type RunStore,
} from "@bailiwick/core";
import { systemClock } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { expect } from "vitest";
import { z } from "zod";

const nothing = (): void => undefined;
const quiet: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const look = tool({
  name: "look",
  description: "Looks.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: () => "blue",
});

/** The clock of an agent that reads a store just after it was written: its questions have not expired. */
function clockAt(writtenAt: number) {
  const late = Date.now() - writtenAt;
  return { ...systemClock, now: () => Date.now() - late };
}

/** The agent that wrote the older stores, as today's code has it. */
function deskOn(store: RunStore, answers: readonly string[], writtenAt: number) {
  const paid: number[] = [];
  const model = scriptedModel(answers);
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ n: z.number() }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    idempotencyKey: ({ n }) => `p${n}`,
    execute: ({ n }) => {
      paid.push(n);
      return `paid ${n}`;
    },
  });
  const agent = createAgentRuntime({
    name: "desk",
    model,
    tools: [look, pay],
    store,
    session: store.sessions,
    logger: quiet,
    clock: clockAt(writtenAt),
  });
  return { agent, model, paid };
}

/** Approves what is asked, at most three times: a changed definition of a tool is asked about again. */
async function approved(agent: AgentRuntime, runId: string): Promise<RunOutput> {
  let output: RunOutput | undefined;
  for (let round = 0; round < 3 && output?.status !== "completed"; round += 1) {
    const open = await agent.interruptions(runId);
    output = await agent.resume(
      runId,
      open.map((question) => question.approve()),
    );
  }
  if (output === undefined) throw new Error("Nothing was asked.");
  return output;
}

/** Time at which a store was written, by the question that waits in its text. */
export function writtenAtOf(text: string): number {
  return Number(/"requestedAt":(\d+)/u.exec(text)?.[1]);
}

/** Continues the conversation of an older store, and decides its run that waits. */
export async function continueDesk(store: RunStore, writtenAt: number): Promise<void> {
  const { agent, model } = deskOn(store, ["Blue, as I said."], writtenAt);
  expect((await agent.run("And now?", { sessionId: "s" })).text).toBe("Blue, as I said.");
  expect(model.requests[0]?.messages).toMatchObject([
    { role: "user", content: "Which colour?" },
    {
      role: "assistant",
      content: [{ type: "tool_call" }],
      usage: { inputTokens: expect.any(Number), outputTokens: 2 },
    },
    { role: "tool", content: "blue" },
    { role: "assistant", content: [{ type: "text", text: "It is blue." }] },
    { role: "user", content: "And now?" },
  ]);

  const [waiting] = await store.listRuns({ state: "suspended" });
  const later = deskOn(store, ["Paid."], writtenAt);
  const output = await approved(later.agent, waiting?.id ?? "");
  expect(output).toMatchObject({ status: "completed", text: "Paid." });
  expect(output.usage.inputTokens).toBeGreaterThan(80);
  expect(later.paid).toEqual([5]);
}

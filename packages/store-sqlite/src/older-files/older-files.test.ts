import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import {
  createAgentRuntime,
  tool,
  type AgentRuntime,
  type Logger,
  type RunOutput,
  type RunStore,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";

const nothing = (): void => undefined;
const quiet: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const look = tool({
  name: "look",
  description: "Looks.",
  inputSchema: z.object({}),
  sideEffectClass: "read-only",
  execute: () => "blue",
});

/** The agent that wrote the files, as today's code has it. */
function deskOn(store: RunStore, answers: readonly string[]) {
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

// The files were made by running older versions, not by hand.
test.each([1, 2])(
  "a file with journals of format %i keeps its conversations, and its waiting run is decided [format.journal-words]",
  async (format) => {
    using folder = temporaryFolder();
    const database = new DatabaseSync(folder.file);
    database.exec(readFileSync(new URL(`journal-${format}.fixture.sql`, import.meta.url), "utf8"));
    database.close();
    await using store = sqliteStore({ path: folder.file, logger: quiet });
    const { agent, model } = deskOn(store, ["Blue, as I said."]);
    expect((await agent.run("And now?", { sessionId: "s" })).text).toBe("Blue, as I said.");
    expect(model.requests[0]?.messages).toMatchObject([
      { role: "user", content: "Which colour?" },
      { role: "assistant", content: [{ type: "tool_call" }], usage: { inputTokens: 91, outputTokens: 2 } },
      { role: "tool", content: "blue" },
      { role: "assistant", content: [{ type: "text", text: "It is blue." }] },
      { role: "user", content: "And now?" },
    ]);

    const [waiting] = await store.listRuns({ state: "suspended" });
    const later = deskOn(store, ["Paid."]);
    const output = await approved(later.agent, waiting?.id ?? "");
    expect(output).toMatchObject({ status: "completed", text: "Paid." });
    expect(output.usage.inputTokens).toBeGreaterThan(89);
    expect(later.paid).toEqual([5]);
  },
);

import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { z } from "zod";
import { cuttingLink } from "../cutting-link.fixture.ts";
import { postgresStore } from "../index.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent whose tool waits until it is let go. */
function waitingAgent(
  store: RunStore,
  storeMs: number,
): { readonly agent: AgentRuntime; readonly letGo: () => void; readonly begun: () => number } {
  let letGo: () => void = () => undefined;
  let begun = 0;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    async execute() {
      begun += 1;
      await gate;
      return "seen";
    },
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "look" }] },
  );
  const agent: AgentRuntime = createAgentRuntime({
    name: "looker",
    model,
    tools: [look],
    store,
    leaseMs: 20_000,
    timeouts: { storeMs },
    logger: quiet,
  });
  return { agent, letGo: () => letGo(), begun: () => begun };
}

test.each([
  ["wait for it", 60_000],
  ["are given back", 1],
])(
  "the database goes away under a caller's run and a worker's run, which %s, and comes back: both complete with one end [store.away] [store.away.worker]",
  async (_what, storeMs) => {
    await using place = temporarySchema();
    await using link = await cuttingLink();
    await using direct = postgresStore({ url: testUrl, schema: place.schema });
    await using store = postgresStore({ url: link.url, schema: place.schema, logger: quiet, timeoutMs: 300 });
    const { agent, letGo, begun } = waitingAgent(store, storeMs);
    await agent.enqueue("By a worker.", { userId: "bob" });
    await using _crew = worker({ agents: [agent], store, stopOn: [], logger: quiet, pollMs: 50 });
    const own = agent.run("By a caller.", { userId: "ana" }).catch((error: unknown) => error);
    await expect.poll(begun).toBe(2);
    link.breakDown();
    letGo();
    if (storeMs === 1) expect(await own).toMatchObject({ retryable: true });
    link.mend();
    const states = async (): Promise<readonly string[]> =>
      (await direct.listRuns({ allTenants: true })).map(({ state }) => state);
    await expect.poll(states, { interval: 200 }).toEqual(["completed", "completed"]);
    for (const { id } of await direct.listRuns({ allTenants: true })) {
      const ends = (await direct.load(id)).filter(({ type }) => type === "run.end");
      expect(ends).toMatchObject([{ status: "completed" }]);
    }
  },
);

import { createAgentRuntime, tool, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The largest number of runs that were driven at the same time: of each tenant, and of the agent. */
export interface MostDriven {
  readonly tenants: Readonly<Record<string, number>>;
  readonly agent: number;
  /** Runs that completed. */
  readonly done: number;
}

/**
 * Lets a worker on each store drive the runs of three tenants, with at most two runs of a tenant and five of the agent.
 *
 * @param stores - The same data, opened as often as there are processes.
 */
export async function drivenWithLimits(stores: readonly RunStore[]): Promise<MostDriven> {
  const active = new Map<string, number>();
  const most = new Map<string, number>();
  let done = 0;
  const change = (name: string, by: number): void => {
    const now = (active.get(name) ?? 0) + by;
    active.set(name, now);
    most.set(name, Math.max(most.get(name) ?? 0, now));
  };
  const work = tool({
    name: "work",
    description: "Works.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    async execute(_input, ctx) {
      const names = [ctx.tenantId ?? "", "agent"];
      for (const name of names) change(name, 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const name of names) change(name, -1);
      return "done";
    },
  });
  const agents = stores.map((store) =>
    createAgentRuntime({
      name: "worker",
      store,
      tools: [work],
      logger: quiet,
      model: scriptedModel(({ toolResults }) =>
        toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "work", arguments: {} }] },
      ),
    }),
  );
  const total = 36;
  for (let n = 0; n < total; n += 1) await agents[0]?.enqueue("Go.", { tenantId: `t${n % 3}` });
  await new Promise<void>((resolve) => {
    const crews = agents.map((agent, index) =>
      worker({
        agents: [{ agent, limit: { concurrency: 5 } }],
        store: stores[index] as RunStore,
        concurrency: 4,
        logger: quiet,
        pollMs: 20,
        stopOn: [],
        tenants: { concurrency: 2 },
        onRun: () => {
          done += 1;
          if (done === total) void Promise.all(crews.map((crew) => crew.drain())).then(() => resolve());
        },
      }),
    );
  });
  const { agent = 0, ...tenants } = Object.fromEntries(most);
  return { tenants, agent, done };
}

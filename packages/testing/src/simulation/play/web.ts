import type { AgentRuntime, RunStore } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import type { App, SimulatedAgent, WorkItem } from "../options.ts";
import type { SimulatedProcess } from "../world/simulated-process.ts";
import { pause, type Stage } from "./stage.ts";

/** Time after which a web page repeats what failed, in milliseconds. */
const againMs = 1_000;

/** Enqueues the work of a simulation, as web pages do: with idempotency keys, and again until it is accepted. */
export async function webLoop(
  stage: Stage,
  process: SimulatedProcess,
  app: App,
  store: RunStore,
  isChat: boolean,
): Promise<void> {
  const { work } = stage.options;
  // Several web processes share the work by its number.
  // The pages of a chat send all work themselves.
  if (process.name !== "web" || isChat) return;
  const agents = app.agents.map((entry) => ("agent" in entry ? entry.agent : entry));
  if (typeof work === "function") {
    const named = Object.fromEntries(agents.map((agent) => [agent.name, agent]));
    const web = Object.assign(Object.create(stage.view) as Stage["view"], { agents: named, store });
    await untilDone(process, () => work(web));
  } else {
    const items = work.map((one): WorkItem => (typeof one === "string" ? { input: one } : one));
    await Promise.all(items.map((item, index) => accept(stage, process, agents, item, index)));
  }
  stage.isWorkDone = true;
}

async function accept(
  stage: Stage,
  process: SimulatedProcess,
  agents: readonly SimulatedAgent[],
  item: WorkItem,
  index: number,
): Promise<void> {
  const { input, options = {}, agent } = item;
  const chosen = agent === undefined ? agents[0] : agents.find(({ name }) => name === agent);
  const runtime = chosen && agentRuntimeOf(chosen);
  if (runtime === undefined)
    throw new Error(`Work item ${index} names the agent "${String(agent)}", and "app" has none of that name.`);
  const given = { idempotencyKey: `work-${index + 1}`, ...options };
  await untilDone(process, async () => {
    if (stage.options.drive !== undefined) {
      if (stage.accepted.has(index)) return;
      const { runId } = await runtime.enqueue(input, given);
      stage.accepted.set(index, runId);
      return;
    }
    await runToEnd(stage, runtime, input, given, index);
  });
}

/** Runs an agent in the web process until its run ends. */
async function runToEnd(
  stage: Stage,
  runtime: AgentRuntime,
  input: WorkItem["input"],
  options: Readonly<Record<string, unknown>>,
  index: number,
): Promise<void> {
  let output = await runtime.run(input, options);
  stage.accepted.set(index, output.runId);
  while (output.status === "suspended" || output.status === "sleeping") {
    if (stage.isWaiting(output.runId)) return;
    await pause(againMs);
    output = await runtime.resume(output.runId);
  }
}

async function untilDone(process: SimulatedProcess, attempt: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      process.log("warn", ["The page tries again:", error instanceof Error ? error.message : error]);
      await pause(againMs);
    }
  }
}

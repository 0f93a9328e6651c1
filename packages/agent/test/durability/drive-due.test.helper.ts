import { setTimeout } from "node:timers/promises";
import type { RunOutput } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { driveDue, type PassOptions, type WorkerAgent } from "@bailiwick/worker";
import { quiet } from "../fixtures.test.helper.ts";

/** Delay before a run that could not be driven is due again, in milliseconds: short, but longer than one pass. */
const againMs = 50;

/** Drives the due runs of one agent, once. */
export async function drivenNow(agent: WorkerAgent, options: Partial<PassOptions> = {}): Promise<readonly RunOutput[]> {
  const store = agentRuntimeOf(agent)?.definition.store;
  if (store === undefined) throw new Error("The agent has no store.");
  await setTimeout(againMs);
  return driveDue({ agents: [agent], store, logger: quiet, retry: { attempts: 0, firstMs: againMs }, ...options });
}

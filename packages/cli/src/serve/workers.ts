import type { AgentRuntime, RunStore } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import type { DrivenRunReport } from "@bailiwick/worker";
import type { BailiwickConfig } from "../entry/config.ts";
import { agentOf } from "../entry/load-entry.ts";
import { oneLine } from "../output/printable.ts";
import type { Terminal } from "../output/terminal.ts";

/** Workers of all agents: one for each store. */
export interface Workers {
  /** Gives the runs back. */
  drain(): Promise<void>;
  /** Resolves when nothing is driven and nothing is due. */
  idle(): Promise<void>;
  readonly stopped: Promise<void>;
}

/** Starts a worker for each store of the configured agents, and prints each run that it drove. */
export async function startWorkers(
  terminal: Terminal,
  config: BailiwickConfig,
  { concurrency }: { readonly concurrency?: number | undefined } = {},
): Promise<Workers> {
  const { worker } = await import("@bailiwick/worker");
  const byStore = new Map<RunStore, BailiwickConfig["agents"][number][]>();
  for (const entry of config.agents) {
    const store = (agentRuntimeOf(agentOf(entry)) as AgentRuntime).definition.store;
    byStore.set(store, [...(byStore.get(store) ?? []), entry]);
  }
  const workers = [...byStore].map(([store, agents]) =>
    worker({
      ...config.worker,
      ...(concurrency !== undefined && { concurrency }),
      agents,
      store,
      stopOn: [],
      onRun: (run) => {
        report(terminal, run);
        config.worker?.onRun?.(run);
      },
    }),
  );
  const stopped = Promise.all(workers.map((one) => one.stopped)).then(() => undefined);
  stopped.catch(() => undefined);
  return {
    drain: async () => void (await Promise.all(workers.map((one) => one.drain()))),
    idle: async () => void (await Promise.all(workers.map((one) => one.idle()))),
    stopped,
  };
}

/** With `--json`, prints one line for each run as it ends. */
function report(terminal: Terminal, { runId, agentName, tenantId, output, error }: DrivenRunReport): void {
  const status = output?.status ?? "failed";
  const code = error === undefined ? undefined : ((error as { readonly code?: string }).code ?? error.name);
  if (terminal.json)
    process.stdout.write(
      `${JSON.stringify({ runId, agent: agentName, tenantId: tenantId ?? null, status, error: code ?? null })}\n`,
    );
  else
    terminal.print(
      `${status.padEnd(9)}  ${runId}  ${agentName}  ${oneLine(error === undefined ? (output?.text ?? "") : `${code ?? ""}: ${error.message}`, 120)}`.trimEnd(),
    );
}

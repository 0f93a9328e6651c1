import type { AgentRuntime, RunStore, StoredRun } from "@bailiwick/core";
import { RunNotFoundError } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { BailiwickConfig } from "./config.ts";
import { agentOf, findEntry, loadEntry, type LoadedEntry } from "./load-entry.ts";
import { openStore } from "./open-store.ts";
import { viewer } from "./viewer.ts";

/** Options that say where runs are. */
export interface TargetOptions {
  readonly entry?: string | undefined;
  readonly store?: string | undefined;
}

/** Runs that a command looks at: the stores, and the agents where an entry module was loaded. */
export interface Target {
  readonly entry: LoadedEntry | undefined;
  readonly agents: readonly AgentRuntime[];
  readonly stores: readonly RunStore[];
  /** Finds a run in the stores. */
  find(runId: string): Promise<FoundRun>;
  close(): Promise<void>;
}

/** A stored run, with a runtime to read it. */
export interface FoundRun {
  readonly run: StoredRun;
  readonly store: RunStore;
  /** Reads the run, and decides about it; does not drive it. */
  readonly reader: AgentRuntime;
  /** The agent that drives the run; `undefined` without an entry module, or if none of its agents has the name. */
  readonly agent: AgentRuntime | undefined;
}

/**
 * Opens what a command looks at: the store of `--store`, else the agents of the entry module with their stores.
 *
 * @throws CommandError `CLI_CONFIG`, `CLI_STORE`
 */
export async function openTarget(options: TargetOptions): Promise<Target> {
  const { store: address } = options;
  const path = address === undefined || options.entry !== undefined ? findEntry(options.entry) : undefined;
  if (path === undefined && address === undefined)
    throw new CommandError(
      "CLI_CONFIG",
      "There is no bailiwick.config.ts here. Pass --entry with the module that exports your agents, or --store sqlite:runs.db to look at a store.",
      exitCodes.failed.code,
    );
  const entry = path === undefined ? undefined : await loadEntry(path);
  const owned = entry === undefined ? [] : ownersOf(entry.config);
  const agents = owned.map(({ runtime }) => runtime);
  const opened = address === undefined ? undefined : await openStore(address, { migrate: false });
  const stores = opened === undefined ? [...new Set(agents.map(({ definition }) => definition.store))] : [opened];

  return {
    entry,
    agents,
    stores,
    async find(runId) {
      for (const store of stores) {
        const run = await store.getRun(runId);
        if (run === undefined) continue;
        const own = owned.find(({ names, runtime }) => names.has(run.agentId) && runtime.definition.store === store);
        return { run, store, reader: own?.runtime ?? viewer(store, run.agentId), agent: own?.runtime };
      }
      throw new RunNotFoundError(runId, stores.map(({ name }) => name).join(", "));
    },
    async close() {
      await Promise.all(stores.map(async (store) => store.close?.()));
    },
  };
}

/** The agent of a run, to drive it. */
export function requireAgent({ run, agent, store }: FoundRun): AgentRuntime {
  if (agent !== undefined) return agent;
  throw new CommandError(
    "CLI_NEEDS_ENTRY",
    `Run "${run.id}" belongs to agent "${run.agentId}", and the command has only the store "${store.name}". Run it where bailiwick.config.ts has that agent, or pass --entry.`,
    exitCodes.failed.code,
  );
}

function ownersOf(
  config: BailiwickConfig,
): readonly { readonly runtime: AgentRuntime; readonly names: ReadonlySet<string> }[] {
  return config.agents.flatMap((entry) => {
    const runtime = agentRuntimeOf(agentOf(entry));
    const aliases = "agent" in entry ? (entry.aliases ?? []) : [];
    return runtime === undefined ? [] : [{ runtime, names: new Set([runtime.name, ...aliases]) }];
  });
}

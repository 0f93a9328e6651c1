import type { AgentRuntime, RunStore, StoredRun } from "@bailiwick/core";
import { RunNotFoundError } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { BailiwickConfig } from "./config.ts";
import { agentOf, findEntry, loadEntry, type LoadedEntry } from "./load-entry.ts";
import { openStore } from "./open-store.ts";
import { isOwnedBy, type OwnerOptions } from "./owner.ts";
import { viewer } from "./viewer.ts";

/** Options that name the store or entry. */
export interface TargetOptions {
  readonly entry?: string | undefined;
  readonly store?: string | undefined;
}

/** The runs of a command: the stores, and the agents if an entry module was loaded. */
export interface Target {
  readonly entry: LoadedEntry | undefined;
  readonly agents: readonly AgentRuntime[];
  readonly stores: readonly RunStore[];
  /**
   * Finds a run in the stores by its id, or by the beginning of it.
   *
   * @throws RunNotFoundError if there is none of the owner that the command names, CommandError `CLI_USAGE` if several
   * ids have this beginning.
   */
  find(runId: string, owner?: OwnerOptions): Promise<FoundRun>;
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
 * Opens the target of a command: the store of `--store`, else the agents of the entry module with their stores.
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
    async find(given, owner = {}) {
      const runs = (await runsNamed(given, stores)).filter(({ run }) => isOwnedBy(run, owner));
      const [first] = runs;
      if (first === undefined) throw new RunNotFoundError(given, stores.map(({ name }) => name).join(", "));
      if (runs.length > 1)
        throw new CommandError(
          "CLI_USAGE",
          `${runs.length} runs begin with "${given}". Write more of the id.`,
          exitCodes.usage.code,
        );
      const { run, store } = first;
      const own = owned.find(({ names, runtime }) => names.has(run.agentId) && runtime.definition.store === store);
      return { run, store, reader: own?.runtime ?? viewer(store, run.agentId), agent: own?.runtime };
    },
    async close() {
      await Promise.all(stores.map(async (store) => store.close?.()));
    },
  };
}

/**
 * Minimum number of letters that can stand for a whole id, and number of newest runs of a store that are compared with
 * them.
 */
const shortestBeginning = 4;
const mostCompared = 1_000;

interface NamedRun {
  readonly run: StoredRun;
  readonly store: RunStore;
}

/** The run with an id; else the runs whose ids begin with it. */
async function runsNamed(given: string, stores: readonly RunStore[]): Promise<readonly NamedRun[]> {
  for (const store of stores) {
    const run = await store.getRun(given);
    if (run !== undefined) return [{ run, store }];
  }
  if (given.length < shortestBeginning) return [];
  const compared = await Promise.all(
    stores.map(async (store) => {
      const runs = await store.listRuns({ allTenants: true, limit: mostCompared });
      return runs.filter(({ id }) => id.startsWith(given)).map((run) => ({ run, store }));
    }),
  );
  return compared.flat();
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

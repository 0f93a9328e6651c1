import type { AgentRuntime, RunStore } from "@bailiwick/core";
import { CommandError } from "../command-error.ts";
import { openTarget, type Target } from "../entry/target.ts";
import { exitCodes } from "../exit-codes.ts";

/** Options of the commands that read stored runs. */
export interface StoredRunsOptions {
  readonly store?: string | undefined;
  readonly agent?: string | undefined;
  readonly since?: string | undefined;
  readonly tenant?: string | undefined;
  readonly limit?: number | undefined;
}

/** The stores and agents of a command, and its choice of runs. */
export interface StoredRunsTarget {
  readonly target: Target;
  /** The agent; `undefined` if no module was given. */
  readonly agent: AgentRuntime | undefined;
  readonly store: RunStore;
  readonly runs: Readonly<Record<string, unknown>>;
}

/**
 * Opens the store of `--store`, or that of the agent in a module.
 *
 * @throws CommandError `CLI_USAGE` if the module has several agents and `--agent` names none.
 */
export async function storedRunsOf(module: string | undefined, options: StoredRunsOptions): Promise<StoredRunsTarget> {
  const { store: address, agent: name, since, tenant, limit } = options;
  const target = await openTarget({
    ...(module !== undefined && { entry: module }),
    ...(address !== undefined && { store: address }),
  });
  const chosen = target.agents.filter((agent) => name === undefined || agent.name === name);
  const [agent] = chosen;
  if (module !== undefined && (agent === undefined || chosen.length > 1)) {
    const names = target.agents.map((one) => one.name).join(", ");
    await target.close();
    throw new CommandError(
      "CLI_USAGE",
      `"${module}" exports the agents ${names}. Choose one with --agent.`,
      exitCodes.usage.code,
    );
  }
  const store = target.stores[0];
  if (store === undefined)
    throw new CommandError("CLI_STORE", "There is no store. Pass --store sqlite:runs.db.", exitCodes.failed.code);
  const runs = {
    ...(name !== undefined && { agent: name }),
    ...(since !== undefined && { since }),
    ...(tenant !== undefined && { tenantId: tenant }),
    ...(limit !== undefined && { limit }),
  };
  return { target, agent, store, runs };
}

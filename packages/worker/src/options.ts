import {
  ConfigurationError,
  type AgentRuntime,
  type ClaimLimit,
  type ClaimedAgent,
  type RunOutput,
  type RunStore,
} from "@bailiwick/core";
import { agentRuntimeOf, checkKnownNames, type Logger } from "@bailiwick/core/extension";

/** An agent: an `Agent` of `@bailiwick/agent`, or a runtime of `@bailiwick/core`. */
export interface WorkerAgent {
  /** Name of the agent; a worker drives the runs of this name. */
  readonly name: string;
  /**
   * Drives the run until it ends, suspends or sleeps.
   *
   * @param runId - Id of the run.
   */
  resume(runId: string): Promise<RunOutput>;
}

/** An agent, and the settings with which a worker drives its runs. */
export interface AgentEntry {
  /** The agent whose runs are driven. */
  readonly agent: WorkerAgent;
  /** Former names of the agent: its stored runs are driven too. */
  readonly aliases?: readonly string[] | undefined;
  /** Maximum number of parallel runs of this agent in this worker; default that of the worker. */
  readonly concurrency?: number | undefined;
  /** Maximum numbers of runs of this agent, over all processes of the store. Default: none. */
  readonly limit?: ClaimLimit | undefined;
  /**
   * Definitions of the agent whose runs are driven: `any` (default) continues every run with today's code, `own` only
   * runs that were stored under today's definition, a list names hashes. Other runs wait for a matching worker.
   */
  readonly definitions?: "any" | "own" | readonly string[] | undefined;
}

/** Limits for each tenant; runs without a tenant are one tenant. */
export interface TenantLimits {
  /** Maximum number of parallel runs, over all processes of the store. */
  readonly concurrency?: number | undefined;
  /** Maximum number of runs that start or continue per minute, over all processes of the store. */
  readonly runsPerMinute?: number | undefined;
  /** Turns that a tenant gets for one turn of the others, by tenant; default 1. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  /** Maximum number of tokens per minute, in this worker: a tenant that used them up waits for the next minute. */
  readonly tokensPerMinute?: number | undefined;
}

/** Delays before the retry of a run that could not be driven, or failed with a temporary error. */
export interface RetryOptions {
  /** Retries of a failed run; default 3. A run that could not be driven is retried without a limit. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the first retry; doubled each time. Default 1,000. */
  readonly firstMs?: number | undefined;
  /** Longest delay in milliseconds; default 300,000. */
  readonly longestMs?: number | undefined;
}

/** The result of a run that a worker drove. */
export interface DrivenRunReport {
  /** Id of the run. */
  readonly runId: string;
  /** Name of its agent. */
  readonly agentName: string;
  /** Its tenant, if it has one. */
  readonly tenantId: string | undefined;
  /** The output, also of a run that failed, waits or sleeps. */
  readonly output?: RunOutput | undefined;
  /**
   * Reason why the run failed, could not be driven, or was handed back. `RUN_STUCK`: it crashed its process too often.
   */
  readonly error?: Error | undefined;
}

/** Options that a worker and one pass of it share. */
export interface DriveDueOptions {
  /** The agents whose runs are driven, each with or without limits. */
  readonly agents: readonly (WorkerAgent | AgentEntry)[];
  /** The store of all the agents. */
  readonly store: RunStore;
  /** Maximum number of parallel runs; default 8. */
  readonly concurrency?: number | undefined;
  /** Called with each run as soon as its result is known. */
  readonly onRun?: ((run: DrivenRunReport) => void) | undefined;
  /** Receives warnings. Default: the console. */
  readonly logger?: Logger | undefined;
  /** Limits for each tenant. Default: none. */
  readonly tenants?: TenantLimits | undefined;
  /** Retries of runs that failed with a temporary error. */
  readonly retry?: RetryOptions | undefined;
  /**
   * Number of times that a run is continued without progress after its process died. After the next death it becomes
   * `stuck`: it is not driven until a person retries it. Default 5.
   */
  readonly maxAttempts?: number | undefined;
  /** Drains when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Time for turns to finish when the worker drains, in milliseconds; default 20,000. */
  readonly drainMs?: number | undefined;
}

/** An agent as the claims see it. */
interface DrivenAgent {
  readonly runtime: AgentRuntime;
  /** Its name and its former names, for a claim. */
  readonly claims: readonly ClaimedAgent[];
  readonly concurrency: number;
}

/** Checked options. */
export interface Checked {
  readonly agents: readonly DrivenAgent[];
  readonly store: RunStore;
  readonly concurrency: number;
  readonly tenants: TenantLimits;
  readonly retry: Required<{ [Name in keyof RetryOptions]: number }>;
  readonly maxAttempts: number;
  readonly drainMs: number;
  readonly logger: Logger;
  readonly onRun: ((run: DrivenRunReport) => void) | undefined;
}

/** The compiler checks that every option is listed. */
const names: { readonly [Name in keyof Required<DriveDueOptions>]: true } = {
  agents: true,
  store: true,
  concurrency: true,
  onRun: true,
  logger: true,
  tenants: true,
  retry: true,
  maxAttempts: true,
  signal: true,
  drainMs: true,
};

/**
 * Checks options when they are given.
 *
 * @param more - Names of further options.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkOptions(options: DriveDueOptions, where: string, more: readonly string[] = []): Checked {
  checkKnownNames(options, [...Object.keys(names), ...more], where);
  const { store, concurrency = 8, retry = {}, tenants = {}, maxAttempts = 5, drainMs = 20_000 } = options;
  checkKnownNames(retry, ["attempts", "firstMs", "longestMs"], `retry of ${where}`);
  checkKnownNames(tenants, ["concurrency", "runsPerMinute", "tokensPerMinute", "weights"], `tenants of ${where}`);
  const invalid = (what: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${what}`);
  };
  if (typeof (store as Partial<RunStore> | undefined)?.claim !== "function")
    invalid(`"store" must be a run store, such as sqliteStore({ path }): give the store of the agents.`);
  if (!Array.isArray(options.agents) || options.agents.length === 0)
    invalid(`"agents" must be a list with at least one agent.`);
  const whole = (name: string, value: number | undefined, least: number): void => {
    if (value !== undefined && !(Number.isInteger(value) && value >= least))
      invalid(`"${name}" must be a whole number of ${least} or more, not ${String(value)}.`);
  };
  whole("concurrency", concurrency, 1);
  whole("maxAttempts", maxAttempts, 1);
  whole("drainMs", drainMs, 0);
  whole("retry.attempts", retry.attempts, 0);
  whole("retry.firstMs", retry.firstMs, 0);
  whole("retry.longestMs", retry.longestMs, 0);
  checkTenants(tenants, whole, invalid);
  const agents = options.agents.map((given) => drivenAgent(given, store, concurrency, invalid));
  const claimed = agents.flatMap(({ claims }) => claims.map(({ agentId }) => agentId));
  const twice = claimed.find((name, index) => claimed.indexOf(name) !== index);
  if (twice !== undefined) invalid(`two agents have the name or alias "${twice}": a run could be driven by either.`);
  return {
    agents,
    store,
    concurrency,
    tenants,
    retry: { attempts: retry.attempts ?? 3, firstMs: retry.firstMs ?? 1_000, longestMs: retry.longestMs ?? 300_000 },
    maxAttempts,
    drainMs,
    logger: options.logger ?? console,
    onRun: options.onRun,
  };
}

function checkTenants(
  tenants: TenantLimits,
  whole: (name: string, value: number | undefined, least: number) => void,
  invalid: (what: string) => never,
): void {
  const { weights = {}, ...counts } = tenants;
  for (const [name, value] of Object.entries(counts)) whole(`tenants.${name}`, value, 1);
  if (typeof weights !== "object" || weights === null || Array.isArray(weights))
    invalid(`"tenants.weights" must be an object of numbers by tenant.`);
  for (const [tenantId, weight] of Object.entries(weights))
    if (!(Number.isFinite(weight) && weight > 0))
      invalid(`"tenants.weights" of "${tenantId}" must be a number above 0, not ${String(weight)}.`);
}

function drivenAgent(
  given: WorkerAgent | AgentEntry,
  store: RunStore,
  most: number,
  invalid: (what: string) => never,
): DrivenAgent {
  const entry: AgentEntry = typeof given === "object" && "agent" in given ? given : { agent: given };
  checkKnownNames(entry, ["agent", "aliases", "concurrency", "definitions", "limit"], `an agent of the worker`);
  const { aliases = [], concurrency = most, definitions = "any", limit } = entry;
  const runtime = agentRuntimeOf(entry.agent);
  if (runtime === undefined)
    return invalid(`"agents" holds something that is not an agent. Give an Agent of this framework.`);
  if (runtime.definition.store !== store) {
    invalid(
      `agent "${runtime.name}" has another store, "${runtime.definition.store.name}", than the worker, "${store.name}". Give both the same object.`,
    );
  }
  if (!(Number.isInteger(concurrency) && concurrency >= 1))
    invalid(`"concurrency" of agent "${runtime.name}" must be a whole number of 1 or more.`);
  if (limit !== undefined) {
    checkKnownNames(limit, ["concurrency", "runsPerMinute"], `limit of agent "${runtime.name}"`);
    for (const [name, value] of Object.entries(limit))
      if (value !== undefined && !(Number.isInteger(value) && value >= 1))
        invalid(`"limit.${name}" of agent "${runtime.name}" must be a whole number of 1 or more.`);
  }
  if (!["any", "own"].includes(definitions as string) && !Array.isArray(definitions))
    invalid(`"definitions" of agent "${runtime.name}" is "any", "own" or a list of hashes.`);
  const definitionHashes =
    definitions === "any" ? undefined : definitions === "own" ? [runtime.definition.definitionHash] : definitions;
  return {
    runtime,
    claims: [runtime.name, ...aliases].map((agentId) => ({
      agentId,
      definitionHashes: definitionHashes as readonly string[] | undefined,
      limit,
    })),
    concurrency,
  };
}

import { ConfigurationError, type AgentRuntime, type RunOutput, type RunStore } from "@bailiwick/core";
import { agentRuntimeOf, checkKnownNames, type Logger } from "@bailiwick/core/extension";

/** An agent: an `Agent` of `@bailiwick/agent`, or a runtime of `@bailiwick/core`. */
export interface RestateAgent {
  /** Name of the agent; each process of the deployment needs it. */
  readonly name: string;
  /**
   * Drives the run until it ends, suspends or sleeps.
   *
   * @param runId - Id of the run.
   */
  resume(runId: string): Promise<RunOutput>;
}

/** Options of `restateRuns`. */
export interface RestateOptions {
  /** Agents whose runs the engine drives, found by their names. */
  readonly agents: readonly RestateAgent[];
  /** The store of all the agents. Every process of the deployment reaches it, such as a PostgreSQL database. */
  readonly store: RunStore;
  /** Address of Restate's ingress, such as `http://127.0.0.1:8080`. */
  readonly ingressUrl: string;
  /** Name of the virtual object; default `bailiwick`. Its keys are the ids of runs. */
  readonly name?: string | undefined;
  /**
   * Maximum time of one invocation, in milliseconds; default 30,000. After the step that exceeds
   * it, the run continues in a new invocation, so that long runs move to a new deployment.
   */
  readonly sliceMs?: number | undefined;
  /** Longest step of a run, such as a model call or a tool, in milliseconds; default 600,000. Restate aborts longer ones. */
  readonly longestStepMs?: number | undefined;
  /** Maximum number of retries of a run that failed with a transient error; default 3. */
  readonly attempts?: number | undefined;
  /** Number of times that a run may crash its process without progress before it becomes `stuck`; default 5. */
  readonly maxAttempts?: number | undefined;
  /** Sends requests to the ingress, for example with your own headers; default the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Receives warnings; default the console. */
  readonly logger?: Logger | undefined;
}

/** Checked options. */
export interface CheckedRestate {
  readonly runtimes: ReadonlyMap<string, AgentRuntime>;
  readonly store: RunStore;
  readonly ingressUrl: string;
  readonly name: string;
  readonly sliceMs: number;
  readonly longestStepMs: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly fetch: typeof globalThis.fetch;
  readonly logger: Logger;
}

const names: { readonly [Name in keyof Required<RestateOptions>]: true } = {
  agents: true,
  store: true,
  ingressUrl: true,
  name: true,
  sliceMs: true,
  longestStepMs: true,
  attempts: true,
  maxAttempts: true,
  fetch: true,
  logger: true,
};

/** @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION` */
export function checkRestate(options: RestateOptions): CheckedRestate {
  checkKnownNames(options, Object.keys(names), "restateRuns()");
  const { agents, store, ingressUrl, name = "bailiwick", logger = console } = options;
  const { sliceMs = 30_000, longestStepMs = 600_000, attempts = 3, maxAttempts = 5 } = options;
  const refuse = (what: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `restateRuns(): ${what}`);
  };
  const whole = (option: string, value: number, least: number): void => {
    if (!(Number.isInteger(value) && value >= least)) refuse(`"${option}" must be a whole number of ${least} or more.`);
  };
  if (typeof (store as Partial<RunStore> | undefined)?.acquire !== "function")
    refuse(`"store" must be a run store, such as postgresStore({ url }).`);
  if (!URL.canParse(ingressUrl))
    refuse(`"ingressUrl" must be the address of Restate's ingress, such as "http://127.0.0.1:8080".`);
  if (options.fetch !== undefined && typeof options.fetch !== "function") refuse(`"fetch" must be a function.`);
  if (!/^[A-Za-z][\w-]*$/u.test(name)) refuse(`"name" begins with a letter and has letters, digits, "_" and "-".`);
  whole("sliceMs", sliceMs, 1);
  whole("longestStepMs", longestStepMs, 1_000);
  whole("attempts", attempts, 0);
  whole("maxAttempts", maxAttempts, 1);
  if (!Array.isArray(agents) || agents.length === 0) refuse(`"agents" must be a list with at least one agent.`);
  const runtimes = new Map<string, AgentRuntime>();
  for (const agent of agents) {
    const runtime = agentRuntimeOf(agent);
    if (runtime === undefined) return refuse(`"agents" holds something that is not an agent. Give an Agent.`);
    if (runtime.definition.store !== store)
      refuse(`agent "${runtime.name}" has another store than "${store.name}". Give both the same object.`);
    if (runtimes.has(runtime.name)) refuse(`two agents have the name "${runtime.name}".`);
    runtimes.set(runtime.name, runtime);
  }
  return {
    runtimes,
    store,
    ingressUrl: ingressUrl.replace(/\/+$/u, ""),
    name,
    sliceMs,
    longestStepMs,
    attempts,
    maxAttempts,
    fetch: options.fetch ?? globalThis.fetch,
    logger,
  };
}

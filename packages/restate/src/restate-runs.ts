import {
  BailiwickError,
  StoreError,
  type Decision,
  type EnqueueOptions,
  type RunInput,
  checkArgument,
} from "@bailiwick/core";
import { agentRuntimeOf, askUserCode, systemClock } from "@bailiwick/core/extension";
import * as restate from "@restatedev/restate-sdk";
import { driveSlice, type Driven, type DriveRequest } from "./drive-slice.ts";
import { checkRestate, type RestateAgent, type RestateOptions } from "./options.ts";

/** Handlers of the virtual object. */
interface RunHandlers {
  drive: (context: restate.ObjectContext, request?: DriveRequest) => Promise<Driven>;
}

/** Runs that Restate drives. */
export interface RestateRuns {
  /** The virtual object, to be bound to an endpoint: `restate.serve({ services: [runs.object] })`. */
  readonly object: restate.VirtualObjectDefinition<string, RunHandlers>;
  /**
   * Stores a run, and sends its id to Restate. Repeat a call that failed, with the same `idempotencyKey`.
   *
   * @param agent - The agent that executes the run.
   * @param input - A text, parts, or a user message.
   * @param options - Settings of the run, and its `idempotencyKey`.
   * @throws StoreError `RESTATE_UNAVAILABLE`: the run is stored, and `wakeDue()` sends it too.
   */
  enqueue(agent: RestateAgent, input: RunInput, options?: EnqueueOptions): Promise<{ readonly runId: string }>;
  /**
   * Stores decisions, and wakes the run. Restate gets its id only.
   *
   * @param agent - The agent of the run.
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions.
   * @throws DecisionError for a decision that does not fit its question.
   * @throws StoreError `RESTATE_UNAVAILABLE`: the decisions are stored, and `wakeDue()` wakes the run too.
   */
  decide(agent: RestateAgent, runId: string, decisions: readonly Decision[]): Promise<void>;
  /**
   * Sends the id of a run to Restate. Repeating it is harmless.
   *
   * @param runId - Id of the run.
   * @param delayMs - Time until the run continues, in milliseconds; default 0.
   */
  wake(runId: string, delayMs?: number): Promise<void>;
  /**
   * Sends the ids of all runs that are queued, driven or asleep: after a crash between the store and Restate, or with a
   * new Restate server. Call it regularly.
   *
   * @returns how many.
   */
  wakeDue(): Promise<number>;
  /** Gives runs back after their step; call it before the endpoint's server is closed. */
  drain(): void;
}

/** Longest wait for the ingress to accept the id of a run, in milliseconds. */
const wakeTimeoutMs = 30_000;
/** Restate pauses an invocation after this number of tries: never, in practice. */
const mostTries = 1_000_000;

/**
 * Runs that Restate drives: it routes them to processes, keeps their timers, retries, and detects processes that died.
 * The store has all data; Restate has only ids of runs. Drive these runs with Restate alone: it takes a run from any
 * process that holds its lease.
 *
 * @param options - The agents, their store, and the address of Restate's ingress.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import type { AgentRuntime, RunStore } from "@bailiwick/core";
 * import { restateRuns } from "@bailiwick/restate";
 * import * as restate from "@restatedev/restate-sdk";
 *
 * export async function serve(clerk: AgentRuntime, store: RunStore): Promise<string> {
 *   const runs = restateRuns({ agents: [clerk], store, ingressUrl: "http://127.0.0.1:8080" });
 *   await restate.serve({ services: [runs.object], port: 9080 });
 *   return (await runs.enqueue(clerk, "Sort the mail.", { idempotencyKey: "mail-17" })).runId;
 * }
 * ```
 */
export function restateRuns(options: RestateOptions): RestateRuns {
  checkArgument(options, "object", "restateRuns({ agents, store, ingressUrl })");
  const checked = checkRestate(options);
  const { name, store, ingressUrl, runtimes } = checked;
  const draining = new AbortController();

  async function drive(context: restate.ObjectContext, request: DriveRequest = {}): Promise<Driven> {
    const runId = context.key;
    const { attemptCompletedSignal } = context.request();
    const signals = { draining: draining.signal, attemptEnded: attemptCompletedSignal };
    const driven = await context.run("drive", async () => {
      if (draining.signal.aborted) throw new Error("This process stops. Another one drives the run.");
      try {
        return await driveSlice(checked, runId, request, signals);
      } catch (error) {
        throw toRestate(error);
      }
    });
    if (driven.againMs !== undefined) {
      const { againMs, failures } = driven;
      const parameter: DriveRequest = failures === undefined ? {} : { failures };
      context.objectSendClient<RunHandlers>({ name }, runId).drive(parameter, restate.rpc.sendOpts({ delay: againMs }));
    }
    return driven;
  }

  const object: RestateRuns["object"] = restate.object({
    name,
    handlers: { drive },
    options: {
      // The defaults of Restate double the pause up to a minute, and pause an invocation after 70 tries.
      retryPolicy: { initialInterval: 100, exponentiationFactor: 2, maxInterval: 2_000, maxAttempts: mostTries },
      inactivityTimeout: checked.sliceMs + 30_000,
      abortTimeout: checked.longestStepMs,
      journalRetention: 0,
    },
  });

  async function wake(runId: string, delayMs = 0): Promise<void> {
    const delay = delayMs > 0 ? `?delay=${Math.ceil(delayMs)}ms` : "";
    const url = `${ingressUrl}/${name}/${encodeURIComponent(runId)}/drive/send${delay}`;
    const send = async (): Promise<string | undefined> => {
      const headers = { "content-type": "application/json" };
      const signal = AbortSignal.timeout(wakeTimeoutMs);
      const response = await checked.fetch(url, { method: "POST", headers, body: "{}", signal });
      await response.body?.cancel();
      return response.ok ? undefined : `it answered with status ${response.status}`;
    };
    const answer = await askUserCode(send, { name: "fetch", timeoutMs: wakeTimeoutMs, clock: systemClock });
    if (answer.ok && answer.value === undefined) return;
    const reason = answer.ok ? answer.value : answer.error.message;
    throw new StoreError(
      "RESTATE_UNAVAILABLE",
      `Run "${runId}" could not be sent to Restate at ${ingressUrl}: ${reason}. It is stored: call wake() or wakeDue() later.`,
      { runId },
    );
  }

  return {
    object,
    wake,
    async enqueue(agent, input, enqueueOptions = {}) {
      const { runId } = await runtimeOf(agent).enqueue(input, enqueueOptions);
      const { at, delayMs = at === undefined ? 0 : at - Date.now() } = enqueueOptions;
      await wake(runId, delayMs);
      return { runId };
    },
    async decide(agent, runId, decisions) {
      await runtimeOf(agent).decide(runId, decisions);
      await wake(runId);
    },
    async wakeDue() {
      let count = 0;
      for (const agentId of runtimes.keys()) {
        for await (const { id, dueAt, parent } of waitingRuns(agentId)) {
          if (parent !== undefined) continue;
          await wake(id, dueAt === undefined ? 0 : dueAt - Date.now());
          count += 1;
        }
      }
      return count;
    },
    drain: () => draining.abort(),
  };

  function runtimeOf(agent: RestateAgent) {
    const runtime = agentRuntimeOf(agent);
    if (runtime !== undefined && runtimes.get(runtime.name) === runtime) return runtime;
    throw new StoreError("AGENT_UNKNOWN", `Agent "${agent.name}" was not given to restateRuns().`);
  }

  async function* waitingRuns(agentId: string) {
    let before: number | undefined;
    const seen = new Set<string>();
    for (let limit = 500; ;) {
      const page = await store.listRuns({
        allTenants: true,
        agentId,
        state: ["queued", "running", "sleeping"],
        before,
        limit,
      });
      const fresh = page.filter(({ id }) => !seen.has(id));
      for (const run of fresh) {
        seen.add(run.id);
        yield run;
      }
      const last = page.at(-1);
      if (page.length < limit || last === undefined) return;
      if (fresh.length === 0) limit *= 2;
      before = last.createdAt + 1;
    }
  }
}

/** Makes errors that a retry cannot fix terminal; Restate retries all others. */
function toRestate(error: unknown): unknown {
  if (!BailiwickError.isInstance(error)) return error;
  if (error.code === "RUN_NOT_FOUND") return new restate.TerminalError(error.message, { errorCode: 404 });
  if (error.code === "RUN_STUCK") return new restate.TerminalError(error.message, { errorCode: 409 });
  if (error.code === "SESSION_BUSY") return restate.RetryableError.from(error, { retryAfter: 1_000 });
  return error;
}

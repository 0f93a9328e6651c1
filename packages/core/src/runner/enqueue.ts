import type { Owner } from "../contracts/owner.ts";
import type { RunInput, RunOptions } from "../contracts/run-options.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { QueueFullError } from "../errors/run-errors.ts";
import { list, number, text, type Check, type Fields } from "../errors/value-checks.ts";
import { copyOfGiven } from "../user-code/copies.ts";
import { checkGiven } from "./settings/check-settings.ts";
import { durableRecord } from "./settings/option-checks.ts";
import { newRecord, queuedInput, checkRunInput, withOwnValues, givenMessages } from "./start/run-input.ts";
import type { Agent } from "./run.ts";

/**
 * Options of `enqueue`. All other settings come from the agent in the process that drives the run.
 *
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 *
 * export async function handleTomorrow(clerk: Agent, mail: { readonly id: string; readonly text: string }): Promise<string> {
 *   const { runId } = await clerk.enqueue([{ type: "text", text: mail.text, untrusted: true }], {
 *     idempotencyKey: `mail-${mail.id}`, // a second delivery of the mail gives the same run
 *     delayMs: 86_400_000,
 *     priority: 5,
 *   });
 *   return runId;
 * }
 * ```
 */
export interface EnqueueOptions extends Owner, Pick<RunOptions, "sessionId" | "metadata" | "messages"> {
  /** The same key and owner return the same run, also if `run` started it. */
  readonly idempotencyKey?: string | undefined;
  /** Earliest time at which the run is driven, in milliseconds since the epoch. */
  readonly at?: number | undefined;
  /** Delay before the run is driven, in milliseconds; `at` and `delayMs` exclude each other. */
  readonly delayMs?: number | undefined;
  /** Runs with a larger number are driven first; a whole number, default 0. */
  readonly priority?: number | undefined;
  /** Refuses the run with `QUEUE_FULL` while this many runs of the agent wait for a worker. Default: no limit. */
  readonly maxQueued?: number | undefined;
  /** The run fails as expired after this time, in milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
}

/** A run that was stored to be driven later. */
export interface EnqueuedRun {
  /** Id of the stored run. */
  readonly runId: string;
  /** `false`: a run with the idempotency key existed already. */
  readonly created: boolean;
}

const time: Check = number(0, "milliseconds since the epoch");
const checks: Fields<keyof EnqueueOptions> = {
  tenantId: text,
  userId: text,
  sessionId: text,
  metadata: durableRecord,
  messages: list,
  idempotencyKey: text,
  at: time,
  delayMs: number(0, "milliseconds"),
  priority: number(-1_000_000, "a priority", true),
  deadlineAt: time,
  maxQueued: number(1, "a number of runs", true),
};

/** Limited runs that are being stored, by agent. */
const storing = new WeakMap<Agent, number>();
/** Shortest and longest time after which a full queue is worth another try, in milliseconds. */
const [soonestMs, latestMs] = [1_000, 60_000];

/**
 * Stores a run if the queue of the agent is not full. Calls at the same time in this process count each other, so together
 * they do not exceed the limit.
 *
 * @throws QueueFullError
 */
async function ifNotFull<Result>(
  agent: Agent,
  maxQueued: number | undefined,
  store: () => Promise<Result>,
): Promise<Result> {
  if (maxQueued === undefined) return store();
  const before = storing.get(agent) ?? 0;
  storing.set(agent, before + 1);
  try {
    const depth = (await agent.store.queueDepth()).find(({ agentId }) => agentId === agent.name);
    const waiting = (depth?.queued ?? 0) + (depth?.delayed ?? 0);
    if (waiting + before >= maxQueued) {
      // The longest wait of the queue tells how slowly it moves.
      const waitMs = agent.clock.now() - (depth?.oldestQueuedAt ?? agent.clock.now());
      throw new QueueFullError(agent.name, waiting + before, Math.min(Math.max(waitMs, soonestMs), latestMs));
    }
    return await store();
  } finally {
    storing.set(agent, (storing.get(agent) ?? 1) - 1);
  }
}

/**
 * Stores a run without driving it.
 *
 * @throws ConfigurationError `INVALID_INPUT`, `UNKNOWN_OPTION`, `INVALID_OPTION`, `CONFLICTING_OPTIONS` before the run
 * is stored.
 * @throws QueueFullError
 */
export async function enqueueRun(agent: Agent, given: RunInput, options: EnqueueOptions): Promise<EnqueuedRun> {
  checkEnqueued(given, options);
  const own = withOwnValues(options);
  const ownInput = copyOfGiven(given);
  const input = queuedInput(own, ownInput);
  const { at, delayMs, sessionId, tenantId, userId = agent.options.userId, priority, idempotencyKey } = options;
  const { deadlineAt = agent.options.deadlineAt } = options;
  // The caller may change its objects from here on.
  await givenMessages(own);
  await agent.checkInput?.(ownInput);
  const id = agent.ids.next("run");
  const dueAt = delayMs === undefined ? at : agent.clock.now() + delayMs;
  const record = await newRecord(agent, id, {
    sessionId: sessionId ?? agent.ids.next("session"),
    tenantId,
    userId,
    input,
    deadlineAt,
    idempotencyKey,
    dueAt,
    priority,
    inSession: agent.options.session !== undefined,
  });
  const { run, created } = await ifNotFull(agent, options.maxQueued, () => agent.store.create(record));
  return { runId: run.id, created };
}

/**
 * Refuses an input and options that `enqueue()` would refuse.
 *
 * @param given - The input.
 * @param options - Options of `enqueue()`.
 * @param what - Function that took them, for the message.
 * @throws ConfigurationError `INVALID_INPUT`, `UNKNOWN_OPTION`, `INVALID_OPTION`, `CONFLICTING_OPTIONS`
 * @example
 * ```ts
 * import { checkEnqueued } from "@bailiwick/core/extension";
 *
 * checkEnqueued("Write the digest.", { priority: 5 }, "everyMorning()");
 * ```
 */
export function checkEnqueued(given: RunInput, options: EnqueueOptions, what = "enqueue()"): void {
  checkGiven(options, checks, what);
  checkRunInput(given);
  if (options.at !== undefined && options.delayMs !== undefined)
    throw new ConfigurationError("CONFLICTING_OPTIONS", `${what} has both "at" and "delayMs". Keep one.`);
}

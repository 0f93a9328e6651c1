import {
  ConfigurationError,
  isSameOwner,
  type Owner,
  type RunInput,
  type RunStore,
  checkArgument,
} from "@bailiwick/core";
import { agentRuntimeOf, checkEnqueued, checkKnownNames, writePlain } from "@bailiwick/core/extension";
import type { WorkerAgent } from "../options.ts";
import {
  deleteSchedule,
  loadSchedule,
  loadSchedules,
  writeSchedule,
  type ScheduleDefinition,
  type StoredSchedule,
} from "./stored-schedule.ts";
import { checkTimes, nextTick } from "./tick-times.ts";

/** Options of `schedule`. */
export interface ScheduleOptions {
  /**
   * Names the schedule in its store: at most 512 characters. A second call with the same id replaces it; the schedule of
   * another tenant or user is not replaced, so an id that users choose needs the user in it, such as `digest:ana`.
   */
  readonly id: string;
  /** Its store keeps the schedule. */
  readonly agent: WorkerAgent;
  /** A cron pattern of five fields, or of six with seconds. */
  readonly cron?: string | undefined;
  /** Milliseconds between two ticks, 1,000 or more; instead of `cron`. */
  readonly everyMs?: number | undefined;
  /** The time zone of `cron`, such as `Europe/Berlin`; default that of the process. */
  readonly timezone?: string | undefined;
  /** Input of each run. */
  readonly input: RunInput;
  /**
   * A tick while the last run has not ended: `skip` (default) starts none, `queue` starts one when the last has ended, so
   * that each tick has its run, `cancel-previous` cancels the last one.
   */
  readonly overlap?: "skip" | "queue" | "cancel-previous" | undefined;
  /**
   * Ticks that were missed while no worker ran: `once` (default) starts one run for all of them, `skip` leaves out
   * those that are more than a minute old, `all` starts one for each, one after the other. `all` implies `overlap:
   * "queue"` by default, and the reverse.
   */
  readonly missed?: "once" | "all" | "skip" | undefined;
  /** Delays each run by a random time up to this many milliseconds; default 0. */
  readonly jitterMs?: number | undefined;
  /** The conversation that each run belongs to. Default: a new one each time. */
  readonly sessionId?: string | undefined;
  /** The tenant of each run. */
  readonly tenantId?: string | undefined;
  /** The user of each run. */
  readonly userId?: string | undefined;
  /** JSON that each run gets as `ctx.metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Runs with a higher number are driven first. Default 0. */
  readonly priority?: number | undefined;
}

/** A stored schedule. */
export interface Schedule {
  /** Id of the schedule, unique in its store. */
  readonly id: string;
  /** Name of the agent whose runs it starts. */
  readonly agentName: string;
  /** The tenant of its runs. */
  readonly tenantId: string | undefined;
  /** The user of its runs. */
  readonly userId: string | undefined;
  /** Absent for a schedule with `everyMs`. */
  readonly cron: string | undefined;
  /** Time between two ticks in milliseconds; absent for a schedule with `cron`. */
  readonly everyMs: number | undefined;
  /** Time zone of the cron expression, such as `Europe/Berlin`. */
  readonly timezone: string | undefined;
  /** True if it starts no runs until it is resumed. */
  readonly paused: boolean;
  /** The next tick, in milliseconds since the epoch; `undefined` while it is paused or if there is none. */
  readonly nextAt: number | undefined;
  /** The last tick that was handled, in milliseconds since the epoch. */
  readonly lastTickAt: number | undefined;
  /** The last run that it started. */
  readonly lastRunId: string | undefined;
}

const mostIdLength = 512;

const names: { readonly [Name in keyof Required<ScheduleOptions>]: true } = {
  id: true,
  agent: true,
  cron: true,
  everyMs: true,
  timezone: true,
  input: true,
  overlap: true,
  missed: true,
  jitterMs: true,
  sessionId: true,
  tenantId: true,
  userId: true,
  metadata: true,
  priority: true,
};

/**
 * Stores a schedule. Workers that drive the agent start its runs, one for each tick across all processes.
 *
 * @param options - The agent, the times, and the input.
 * @throws ConfigurationError `INVALID_SCHEDULE` for wrong times, `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws StoreError `SCHEDULES_UNSUPPORTED`
 * @example
 * ```ts
 * import type { AgentRuntime } from "@bailiwick/core";
 * import { schedule } from "@bailiwick/worker";
 *
 * export async function everyMorning(agent: AgentRuntime): Promise<void> {
 *   await schedule({ id: "digest", agent, cron: "0 7 * * 1-5", timezone: "Europe/Berlin", input: "Write the digest." });
 * }
 * ```
 */
export async function schedule(options: ScheduleOptions): Promise<Schedule> {
  checkArgument(options, "object", "schedule({ id, agent, input })");
  checkKnownNames(options, Object.keys(names), "schedule()");
  const { id, agent, cron, everyMs, timezone, input, jitterMs = 0 } = options;
  const { overlap = options.missed === "all" ? "queue" : "skip" } = options;
  const { missed = overlap === "queue" ? "all" : "once" } = options;
  const runtime = agentRuntimeOf(agent);
  const refuse = (what: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `schedule(): ${what}`);
  };
  if (runtime === undefined) return refuse(`"agent" is not an agent of this framework.`);
  if (typeof id !== "string" || id === "" || id.length > mostIdLength || !id.isWellFormed() || /\p{Cc}/u.test(id))
    refuse(`"id" is a text of 1 to ${mostIdLength} characters, without control characters.`);
  if (!["skip", "queue", "cancel-previous"].includes(overlap))
    refuse(`"overlap" is "skip", "queue" or "cancel-previous".`);
  if (!["once", "all", "skip"].includes(missed)) refuse(`"missed" is "once", "all" or "skip".`);
  if ((overlap === "queue") !== (missed === "all"))
    refuse(
      `overlap: "${overlap}" and missed: "${missed}" contradict each other. If each tick needs a run, give overlap: "queue" and missed: "all"; else neither of the two.`,
    );
  if (!(Number.isFinite(jitterMs) && jitterMs >= 0)) refuse(`"jitterMs" is a number of milliseconds, 0 or more.`);
  checkTimes({ cron, everyMs, timezone });
  const { sessionId, tenantId, userId, metadata, priority } = options;
  checkEnqueued(input, { sessionId, tenantId, userId, metadata, priority }, "schedule()");
  const definition = {
    agentName: runtime.name,
    cron,
    everyMs,
    timezone,
    input,
    overlap,
    missed,
    jitterMs,
    run: { sessionId, tenantId, userId, metadata, priority },
  } satisfies ScheduleDefinition;
  const { store } = runtime.definition;
  await replace(store, id, definition);
  return shown(await required(store, id));
}

/** Writes a definition; the ticks of a schedule whose times changed count from now on. */
async function replace(store: RunStore, id: string, given: ScheduleDefinition): Promise<void> {
  const definition: unknown = JSON.parse(JSON.stringify(writePlain(given)));
  for (;;) {
    const before = await loadSchedule(store, id);
    if (before !== undefined && !isSameOwner(before.definition.run, given.run))
      throw new ConfigurationError(
        "INVALID_SCHEDULE",
        `schedule(): the store "${store.name}" has a schedule "${id}" of another tenant or user, which stays as it is. Put the owner into the id, such as "${id}:${given.run.userId ?? given.run.tenantId ?? "all"}", or remove that schedule first.`,
      );
    const sameTimes =
      before?.definition.cron === given.cron &&
      before?.definition.everyMs === given.everyMs &&
      before?.definition.timezone === given.timezone;
    if (before === undefined || !sameTimes) await writeSchedule(store, id, "since", Date.now(), before?.since);
    if (before !== undefined && !sameTimes && before.ticked !== undefined)
      await writeSchedule(store, id, "ticked", { ...before.ticked, at: Date.now() }, before.ticked);
    if (await writeSchedule(store, id, "definition", definition, before?.stored)) return;
  }
}

/**
 * Lists the schedules of a store.
 *
 * @param store - The store of the agents.
 * @param owner - Lists only the schedules of this tenant and user. Default: the schedules of all owners.
 * @throws StoreError `SCHEDULES_UNSUPPORTED`
 */
export async function listSchedules(store: RunStore, owner: Owner = {}): Promise<readonly Schedule[]> {
  const found = await loadSchedules(store);
  return found
    .filter((one) => isOf(one, owner))
    .map(shown)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Stops a schedule from starting runs until it is resumed. Runs that it started continue.
 *
 * @param store - The store of its agent.
 * @param id - The schedule.
 * @param owner - The tenant and user who ask: a schedule of another owner is not found. Default: any schedule is.
 * @throws ConfigurationError `SCHEDULE_NOT_FOUND`
 */
export async function pauseSchedule(store: RunStore, id: string, owner: Owner = {}): Promise<void> {
  const { paused } = await required(store, id, owner);
  if (!paused) await writeSchedule(store, id, "paused", true, await rawPaused(store, id));
}

/**
 * Resumes a paused schedule. Ticks during the pause are left out.
 *
 * @param store - The store of its agent.
 * @param id - The schedule.
 * @param owner - The tenant and user who ask: a schedule of another owner is not found. Default: any schedule is.
 * @throws ConfigurationError `SCHEDULE_NOT_FOUND`
 */
export async function resumeSchedule(store: RunStore, id: string, owner: Owner = {}): Promise<void> {
  const { paused, ticked } = await required(store, id, owner);
  if (!paused) return;
  await writeSchedule(store, id, "ticked", { ...ticked, at: Date.now() }, ticked);
  await writeSchedule(store, id, "paused", false, true);
}

/**
 * Removes a schedule. Runs that it started continue.
 *
 * @param store - The store of its agent.
 * @param id - The schedule.
 * @param owner - The tenant and user who ask: a schedule of another owner stays. Default: any schedule is removed.
 */
export async function removeSchedule(store: RunStore, id: string, owner: Owner = {}): Promise<void> {
  const found = await loadSchedule(store, id);
  if (found !== undefined && isOf(found, owner)) await deleteSchedule(store, id);
}

async function rawPaused(store: RunStore, id: string): Promise<boolean | undefined> {
  const state = await store.sessions?.loadState(id, { tenantId: "bailiwick:schedules" });
  return state?.["paused"] as boolean | undefined;
}

/** [schedule.owner] True if an owner that is named is the schedule's. */
function isOf({ definition }: StoredSchedule, owner: Owner): boolean {
  const isNamed = owner.tenantId !== undefined || owner.userId !== undefined;
  return !isNamed || isSameOwner(definition.run, owner);
}

async function required(store: RunStore, id: string, owner: Owner = {}): Promise<StoredSchedule> {
  const found = await loadSchedule(store, id);
  if (found !== undefined && isOf(found, owner)) return found;
  throw new ConfigurationError(
    "SCHEDULE_NOT_FOUND",
    `There is no schedule "${id}" in the store "${store.name}". listSchedules() lists the existing ones.`,
  );
}

function shown(stored: StoredSchedule): Schedule {
  const { id, definition, paused, ticked, since } = stored;
  return {
    id,
    agentName: definition.agentName,
    tenantId: definition.run.tenantId,
    userId: definition.run.userId,
    cron: definition.cron,
    everyMs: definition.everyMs,
    timezone: definition.timezone,
    paused,
    nextAt: paused ? undefined : nextTick(stored, ticked?.at ?? since),
    lastTickAt: ticked?.at,
    lastRunId: ticked?.runId,
  };
}

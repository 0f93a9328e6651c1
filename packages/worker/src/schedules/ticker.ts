import { isEnded, type AgentRuntime, type StoredRun } from "@bailiwick/core";
import type { Checked } from "../options.ts";
import { loadSchedule, loadSchedules, writeSchedule, type StoredSchedule } from "./stored-schedule.ts";
import { dueTicks, newestTick, nextTick } from "./tick-times.ts";

/** Interval at which the stored schedules are read, in milliseconds. */
const readMs = 5_000;
/** Age from which a tick counts as missed, in milliseconds. */
const missedMs = 60_000;
/** Time until a waiting tick is checked again while the last run has not ended, in milliseconds. */
const waitMs = 1_000;

/** Starts the runs of schedules. */
export interface Ticker {
  /** Starts due runs; returns the time of the next check, in milliseconds since the epoch. */
  tick(): Promise<number | undefined>;
}

/** Creates the ticker of one worker: it drives the schedules of the worker's agents. */
export function createTicker({ agents, store, logger }: Checked): Ticker {
  const runtimes = new Map(
    agents.flatMap(({ runtime, claims }) => claims.map(({ agentId }) => [agentId, runtime] as const)),
  );
  let known: readonly StoredSchedule[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  /** The last tick for which a schedule warned. */
  const warned = new Map<string, number>();

  async function read(now: number): Promise<void> {
    if (store.sessions === undefined || now - readAt < readMs) return;
    known = (await loadSchedules(store)).filter(({ definition }) => runtimes.has(definition.agentName));
    readAt = now;
  }

  /** @returns the time of the next check of this schedule. */
  async function see(stale: StoredSchedule, now: number): Promise<number | undefined> {
    const runtime = runtimes.get(stale.definition.agentName);
    const seemsDue = nextTick(stale, stale.ticked?.at ?? stale.since);
    if (runtime === undefined || stale.paused || seemsDue === undefined || seemsDue > now)
      return stale.paused ? undefined : seemsDue;
    // Another process may have handled it.
    readAt = Number.NEGATIVE_INFINITY;
    const schedule = await loadSchedule(store, stale.id);
    if (schedule === undefined || schedule.paused) return undefined;
    for (const at of chosenTicks(schedule, now)) {
      const current = (await loadSchedule(store, schedule.id)) ?? schedule;
      if ((current.ticked?.at ?? 0) >= at) continue;
      if (!(await fire(runtime, current, at))) return now + waitMs;
    }
    return nextTick(schedule, now);
  }

  /** Warns at each tick, once: a schedule whose last run asks a person would otherwise stop unnoticed. */
  function warnOfQuestion(schedule: StoredSchedule, runId: string, at: number): void {
    const { id, definition } = schedule;
    // A queued tick waits while later ones pass.
    const newest = newestTick(schedule, Date.now()) ?? at;
    if (warned.get(id) === newest) return;
    warned.set(id, newest);
    const what = definition.overlap === "cancel-previous" ? "cancels its last run" : "starts no run";
    logger.warn(
      `Schedule "${id}" ${what}: run ${runId} is suspended and waits for a person. Decide its questions, for example with "npx bailiwick inbox list", or set flow.unattended: "fail" on the agent.`,
    );
  }

  /** @returns `false` if the tick has to wait for the last run. */
  async function fire(runtime: AgentRuntime, current: StoredSchedule, at: number): Promise<boolean> {
    const { id, definition, ticked } = current;
    const { overlap, input, jitterMs, run } = definition;
    const lastRunId = ticked?.runId;
    const last = lastRunId === undefined ? undefined : await store.getRun(lastRunId);
    const isDriven = lastRunId !== undefined && !hasEnded(last);
    if (isDriven && last?.state === "suspended") warnOfQuestion(current, lastRunId, at);
    if (isDriven && overlap === "queue") return false;
    let runId = lastRunId;
    if (!isDriven || overlap === "cancel-previous") {
      if (isDriven) await runtime.cancel(lastRunId, `Schedule "${id}" started its next run.`);
      // The key makes it one run, however many processes handle this tick.
      const key = `schedule:${id}:${at}`;
      runId = (await runtime.enqueue(input, { ...run, idempotencyKey: key, at: at + Math.random() * jitterMs })).runId;
    }
    await writeSchedule(store, id, "ticked", { at, ...(runId !== undefined && { runId }) }, ticked);
    return true;
  }

  return {
    async tick() {
      const now = Date.now();
      await read(now);
      const times: number[] = [];
      for (const schedule of known) {
        try {
          const next = await see(schedule, now);
          if (next !== undefined) times.push(next);
        } catch (error) {
          logger.error(`Schedule "${schedule.id}" could not start its run.`, { error });
          times.push(now + waitMs);
        }
      }
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

function hasEnded(run: StoredRun | undefined): boolean {
  return run === undefined || isEnded(run.state) || run.state === "stuck";
}

/** The ticks that start a run, by the policies for missed and for overlapping ones. */
function chosenTicks(schedule: StoredSchedule, now: number): readonly number[] {
  const { missed, overlap } = schedule.definition;
  if (missed === "all" || overlap === "queue") return dueTicks(schedule, now);
  const newest = newestTick(schedule, now);
  return newest === undefined || (missed === "skip" && newest <= now - missedMs) ? [] : [newest];
}

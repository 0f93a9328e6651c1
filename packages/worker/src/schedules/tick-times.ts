import { ConfigurationError } from "@bailiwick/core";
import { Cron } from "croner";
import type { ScheduleDefinition, StoredSchedule } from "./stored-schedule.ts";

type Times = Pick<ScheduleDefinition, "cron" | "everyMs" | "timezone">;

/** Maximum number of ticks that a check returns. */
const mostTicks = 1_000;

/**
 * Checks when a schedule ticks.
 *
 * @throws ConfigurationError `INVALID_SCHEDULE`
 */
export function checkTimes({ cron, everyMs, timezone }: Times): void {
  if ((cron === undefined) === (everyMs === undefined)) invalid(`give either "cron" or "everyMs".`);
  if (everyMs !== undefined && !(Number.isInteger(everyMs) && everyMs >= 1_000))
    invalid(`"everyMs" must be a whole number of milliseconds, 1,000 or more, not ${String(everyMs)}.`);
  if (timezone !== undefined && everyMs !== undefined) invalid(`"timezone" belongs to "cron"; "everyMs" has none.`);
  if (cron === undefined) return;
  try {
    Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    invalid(`"${String(timezone)}" is not a time zone. Use a name such as "Europe/Berlin".`);
  }
  try {
    if (cronOf({ cron, timezone }).nextRun() === null) invalid(`the cron pattern "${cron}" has no tick in the future.`);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    invalid(`the cron pattern "${cron}" cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function invalid(what: string): never {
  throw new ConfigurationError("INVALID_SCHEDULE", `schedule(): ${what}`);
}

/** The first tick after a time, in milliseconds since the epoch. */
export function nextTick(
  { definition, since }: Pick<StoredSchedule, "definition" | "since">,
  after: number,
): number | undefined {
  const { cron, everyMs, timezone } = definition;
  if (everyMs !== undefined) return since + (Math.floor(Math.max(0, after - since) / everyMs) + 1) * everyMs;
  if (cron === undefined) return undefined;
  return cronOf({ cron, timezone }).nextRun(new Date(after))?.getTime();
}

/** The newest tick that is due, however many ticks were missed before it. */
export function newestTick({ definition, since, ticked }: StoredSchedule, now: number): number | undefined {
  const { cron, everyMs, timezone } = definition;
  let tick: number | undefined;
  if (everyMs !== undefined) tick = since + Math.floor((now - since) / everyMs) * everyMs;
  // The search is exclusive, and a tick may be due in this millisecond.
  else if (cron !== undefined)
    tick = cronOf({ cron, timezone })
      .previousRuns(1, new Date(now + 1))[0]
      ?.getTime();
  return tick !== undefined && tick > (ticked?.at ?? since) ? tick : undefined;
}

/** The ticks that are due, oldest first; if there are very many, only the oldest. */
export function dueTicks(schedule: StoredSchedule, now: number): readonly number[] {
  const ticks: number[] = [];
  // If a clock was set back, handled ticks are not due again.
  let tick = nextTick(schedule, schedule.ticked?.at ?? schedule.since);
  while (tick !== undefined && tick <= now && ticks.length < mostTicks) {
    ticks.push(tick);
    tick = nextTick(schedule, tick);
  }
  return ticks;
}

function cronOf({ cron, timezone }: { readonly cron: string; readonly timezone: string | undefined }): Cron {
  return new Cron(cron, { paused: true, ...(timezone !== undefined && { timezone }) });
}

import type { Database } from "@bailiwick/store-sqlite/portable";
import type { ObjectStorage } from "./object-storage.ts";

/** Interval at which the object searches for more runs to wake while it drives some, in milliseconds. */
const lookMs = 1_000;
/** First and longest delay before undriven runs are tried again, in milliseconds. */
const firstPauseMs = 1_000;
const longestPauseMs = 3_600_000;

/** The object's only alarm, for the time at which the next run can continue. */
export interface WakeAlarm {
  /** Sets the alarm. Called after each write that may change its time. */
  plan(): void;
  /** Wakes the due runs, and schedules the next alarm. Never rejects: a Durable Object drops alarms that fail. */
  ring(): Promise<void>;
}

interface DueRun {
  readonly key: string;
  readonly due: number;
}

/**
 * @param driveRuns - Drives runs that are due.
 * @param onError - Receives the errors of `driveRuns`.
 */
export function wakeAlarm(
  storage: ObjectStorage,
  database: Database,
  driveRuns: () => Promise<unknown>,
  onError: (error: unknown) => void,
): WakeAlarm {
  const active = database.prepare(
    `SELECT id, epoch, CASE state WHEN 'running' THEN expires_at ELSE ifnull(due_at, 0) END AS due
     FROM runs WHERE state IN ('queued', 'sleeping', 'running') AND parent IS NULL ORDER BY due LIMIT 1000`,
  );
  const fruitless = database.prepare("SELECT times FROM fruitless_wakes WHERE n = 1");
  const setFruitless = database.prepare(
    "INSERT INTO fruitless_wakes (n, times) VALUES (1, ?) ON CONFLICT DO UPDATE SET times = excluded.times",
  );
  /** The time of the alarm; unknown after the object was loaded again. */
  let alarmAt: number | undefined;
  let ringing = false;

  const runs = (): readonly DueRun[] =>
    active.all().map((row) => ({ key: `${String(row["id"])}/${String(row["epoch"])}`, due: Number(row["due"]) }));

  function set(due: number): void {
    const at = Math.max(due, Date.now());
    // An alarm that fires too early costs less than moving it with each renewal of a lease.
    if (alarmAt !== undefined && alarmAt <= at) return;
    alarmAt = at;
    void storage.setAlarm(at);
  }

  async function round(): Promise<void> {
    try {
      await driveRuns();
    } catch (error) {
      onError(error);
    }
  }

  /** Starts a round for due runs, and further ones for runs that become due meanwhile. */
  async function drive(): Promise<ReadonlySet<string>> {
    const tried = new Set<string>();
    const rounds = new Set<Promise<void>>();
    for (;;) {
      const now = Date.now();
      const due = runs().filter((run) => run.due <= now && !tried.has(run.key));
      if (due.length > 0) {
        for (const { key } of due) tried.add(key);
        const started = round().finally(() => rounds.delete(started));
        rounds.add(started);
      }
      if (rounds.size === 0) return tried;
      await Promise.race([...rounds, new Promise((resolve) => setTimeout(resolve, lookMs))]);
    }
  }

  return {
    plan() {
      if (ringing) return;
      const [next] = runs();
      if (next !== undefined) set(next.due);
    },
    async ring() {
      alarmAt = undefined;
      ringing = true;
      try {
        const tried = await drive();
        const now = Date.now();
        const left = runs();
        const stuck = left.some((run) => run.due <= now && tried.has(run.key));
        const times = stuck ? Number(fruitless.get()?.["times"] ?? 0) + 1 : 0;
        setFruitless.run(times);
        const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(times - 1, 20), longestPauseMs);
        if (stuck) set(now + pauseMs);
        const next = left.find((run) => !(run.due <= now && tried.has(run.key)));
        if (next !== undefined) set(next.due);
      } finally {
        ringing = false;
      }
    },
  };
}

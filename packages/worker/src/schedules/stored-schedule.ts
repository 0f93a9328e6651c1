import { checkArgument, StoreError, type RunInput, type RunStore, type SessionStore } from "@bailiwick/core";
import { readPlain } from "@bailiwick/core/extension";

/** Schedules are stored in the sessions of the store, under a separate tenant. */
const place = { tenantId: "bailiwick:schedules" } as const;
const writer = { ...place, runId: "schedule" } as const;

/** The runs that a schedule starts, and their times. */
export interface ScheduleDefinition {
  readonly agentName: string;
  readonly cron?: string | undefined;
  readonly everyMs?: number | undefined;
  readonly timezone?: string | undefined;
  readonly input: RunInput;
  readonly overlap: "skip" | "queue" | "cancel-previous";
  readonly missed: "once" | "all" | "skip";
  readonly jitterMs: number;
  readonly run: {
    readonly sessionId?: string | undefined;
    readonly tenantId?: string | undefined;
    readonly userId?: string | undefined;
    readonly metadata?: Readonly<Record<string, unknown>> | undefined;
    readonly priority?: number | undefined;
  };
}

/** The last tick that was handled. */
interface Ticked {
  readonly at: number;
  /** The last run that it started; unchanged by a skipped tick. */
  readonly runId?: string | undefined;
}

/** A stored schedule. */
export interface StoredSchedule {
  readonly id: string;
  readonly definition: ScheduleDefinition;
  /** The definition in its stored form, in which bytes of the input are marked text. */
  readonly stored: unknown;
  readonly paused: boolean;
  /** Ticks after this time count, in milliseconds since the epoch. */
  readonly since: number;
  readonly ticked: Ticked | undefined;
}

/** @throws StoreError `SCHEDULES_UNSUPPORTED` for a store without sessions. */
function sessionsFor(store: RunStore): SessionStore {
  checkArgument(store, "object", "listSchedules(store)");
  if (store.sessions !== undefined) return store.sessions;
  throw new StoreError(
    "SCHEDULES_UNSUPPORTED",
    `The store "${store.name}" keeps no sessions, where schedules are stored. Use sqliteStore() or postgresStore().`,
  );
}

export async function loadSchedule(store: RunStore, id: string): Promise<StoredSchedule | undefined> {
  const state = await sessionsFor(store).loadState(id, place);
  const stored = state["definition"] as ScheduleDefinition | undefined;
  if (stored === undefined) return undefined;
  return {
    id,
    definition: readPlain(stored),
    stored,
    paused: state["paused"] === true,
    since: state["since"] as number,
    ticked: state["ticked"] as Ticked | undefined,
  };
}

export async function loadSchedules(store: RunStore): Promise<readonly StoredSchedule[]> {
  const ids = await sessionsFor(store).list({ ...place, limit: 10_000 });
  const found = await Promise.all(ids.map(({ id }) => loadSchedule(store, id)));
  return found.filter((one) => one !== undefined);
}

/** Writes one part of a schedule. `false`: another process wrote it since it was read. */
export async function writeSchedule(
  store: RunStore,
  id: string,
  key: "definition" | "paused" | "since" | "ticked",
  value: unknown,
  expected: unknown,
): Promise<boolean> {
  const { written } = await sessionsFor(store).writeState(id, [{ key, value, expected }], writer);
  return written;
}

export async function deleteSchedule(store: RunStore, id: string): Promise<void> {
  await sessionsFor(store).delete(id, place);
}

import { StoreError, type RunStore, type SessionStore, type StoredRun } from "@bailiwick/core";

/** An event to send. */
export interface PendingEvent {
  /** The id of the message: the same for each try. */
  readonly id: string;
  readonly runId: string;
  readonly epoch: number;
  /** Tries that were begun. */
  readonly attempts: number;
  /** Time of the next try, in milliseconds since the epoch. */
  readonly nextAt: number;
}

/** Epochs of processed runs, by their ids. */
type Seen = Readonly<Record<string, number>>;

/** State of a webhook in the store. It is bounded: each event that is found, sent or put off rewrites it. */
interface Outbox {
  /** Time of the first check: runs that settled earlier have no events. */
  readonly since: number;
  /** Runs that settled before this time have been processed, by the store's clock. */
  readonly cursor: number;
  /** Processed runs that settled at the cursor. */
  readonly atCursor: Seen;
  readonly pending: readonly PendingEvent[];
}

/** Distance behind the cursor within which runs are read again: a transaction may commit later than its timestamp. */
const overlapMs = 60_000;
/** Time between two readings of the overlap, in milliseconds. */
const overlapEveryMs = 10_000;
/** Maximum number of waiting events. Further ones are found later. */
const mostPending = 64;
/** Number of runs in one list of the overlap. */
const pageSize = 1_000;
/** Maximum number of rows with processed runs that are read. */
const mostRows = 100_000;
const tenantId = "bailiwick:webhooks";

/** Events of a webhook, kept in the store: they survive a crash, and several processes share them. */
export interface WebhookOutbox {
  /** Records the runs that settled since the last check. */
  discover(): Promise<void>;
  /**
   * Takes due events, so that no other process sends them.
   *
   * @param againAt - When another process may take them, should this one die.
   */
  take(limit: number, againAt: number): Promise<readonly PendingEvent[]>;
  /** Removes an event, or moves it to the time of its next try. */
  settle(event: PendingEvent, nextAt: number | undefined): Promise<void>;
  /** The waiting events, and the time of the next try. */
  waiting(): Promise<{ readonly count: number; readonly nextAt: number | undefined }>;
}

/**
 * Opens the outbox of a webhook.
 *
 * @param name - Names the webhook in its store.
 * @throws StoreError `WEBHOOKS_UNSUPPORTED` for a store without sessions.
 */
export function webhookOutbox(store: RunStore, name: string, now: () => number): WebhookOutbox {
  const sessions = sessionsOf(store);

  async function load(): Promise<Outbox | undefined> {
    const state = await sessions.loadState(name, { tenantId });
    return state["outbox"] as Outbox | undefined;
  }

  /** Changes the outbox; another process may have changed it since it was read. */
  async function change<Result>(
    apply: (
      outbox: Outbox,
      isNew: boolean,
    ) => Promise<readonly [Outbox | undefined, Result]> | readonly [Outbox | undefined, Result],
  ): Promise<Result> {
    for (;;) {
      const expected = await load();
      const at = now();
      const start = { since: at, cursor: at, atCursor: {}, pending: [] };
      const [next, result] = await apply(expected ?? start, expected === undefined);
      if (next === undefined) return result;
      const write = [{ key: "outbox", value: next, expected }];
      const { written } = await sessions.writeState(name, write, { tenantId, runId: "webhooks" });
      if (written) return result;
    }
  }

  /**
   * Runs that settled at the cursor or later, oldest first.
   *
   * @param most - Number of runs; there are more if the last ones settled at the same time.
   */
  async function settledRuns({ cursor, atCursor }: Outbox, most: number): Promise<readonly StoredRun[]> {
    for (let limit = most + Object.keys(atCursor).length; ; limit *= 2) {
      const page = await store.listRuns({ allTenants: true, settledSince: cursor, limit });
      const fresh = page.filter(({ id, epoch }) => atCursor[id] !== epoch);
      // A page of known runs with a single time does not show the runs after it.
      if (fresh.length > 0 || page.length < limit) return fresh.slice(0, most);
    }
  }

  /** Runs that settled shortly before the cursor and were committed later, so that no list has shown them. */
  async function lateRuns({ cursor, since }: Outbox): Promise<readonly StoredRun[]> {
    const known = await seenRuns(cursor - 2 * overlapMs);
    const late: StoredRun[] = [];
    let settledSince = Math.max(since, cursor - overlapMs);
    let read = new Set<string>();
    for (let limit = pageSize; ;) {
      const page = await store.listRuns({ allTenants: true, settledSince, settledBefore: cursor, limit });
      late.push(...page.filter(({ id, epoch }) => !read.has(id) && known.get(id) !== epoch));
      const last = page.at(-1)?.settledAt;
      if (page.length < limit || last === undefined) return late;
      if (last === settledSince) limit *= 2;
      read = new Set(page.filter(({ settledAt }) => settledAt === last).map(({ id }) => id));
      settledSince = last;
    }
  }

  /** The processed runs of the overlap. Each search has a separate row; old rows are deleted. */
  async function seenRuns(since: number): Promise<ReadonlyMap<string, number>> {
    const known = new Map<string, number>();
    const note = (seen: Seen): void => {
      for (const [id, epoch] of Object.entries(seen)) known.set(id, Math.max(epoch, known.get(id) ?? 0));
    };
    for (const { id, updatedAt } of await sessions.list({ tenantId, limit: mostRows })) {
      if (!id.startsWith(`${name}/seen/`)) continue;
      if (updatedAt < since) await sessions.delete(id, { tenantId });
      else note(((await sessions.loadState(id, { tenantId }))["seen"] ?? {}) as Seen);
    }
    return known;
  }

  /** Adds runs to the waiting events; returns them. */
  async function addEvents(found: (outbox: Outbox) => Promise<readonly StoredRun[]>): Promise<readonly StoredRun[]> {
    const fresh = await change<readonly StoredRun[]>(async (outbox, isNew) => {
      const room = mostPending - outbox.pending.length;
      const runs = room < 1 ? [] : (await found(outbox)).slice(0, room);
      // The time of the first check is stored: runs that settle later are found, also by another process.
      if (runs.length === 0) return [isNew ? outbox : undefined, []];
      const cursor = runs.reduce((latest, { settledAt = 0 }) => Math.max(latest, settledAt), outbox.cursor);
      const before = cursor === outbox.cursor ? outbox.atCursor : {};
      const atCursor = runs
        .filter(({ settledAt }) => settledAt === cursor)
        .map(({ id, epoch }) => [id, epoch] as const);
      const added = await Promise.all(
        runs.map(async ({ id: runId, epoch }) => {
          const id = await messageId(name, runId, epoch);
          return { id, runId, epoch, attempts: 0, nextAt: 0 };
        }),
      );
      const known = new Set(outbox.pending.map(({ id }) => id));
      const pending = [...outbox.pending, ...added.filter(({ id }) => !known.has(id))];
      return [{ since: outbox.since, cursor, atCursor: { ...before, ...Object.fromEntries(atCursor) }, pending }, runs];
    });
    if (fresh.length > 0) {
      const seen = Object.fromEntries(fresh.map(({ id, epoch }) => [id, epoch]));
      const row = `${name}/seen/${crypto.randomUUID()}`;
      const write = [{ key: "seen", value: seen, expected: undefined }];
      await sessions.writeState(row, write, { tenantId, runId: "webhooks" });
    }
    return fresh;
  }

  let overlapReadAt = Number.NEGATIVE_INFINITY;

  return {
    async discover() {
      await addEvents((outbox) => settledRuns(outbox, mostPending - outbox.pending.length));
      if (now() - overlapReadAt < overlapEveryMs) return;
      overlapReadAt = now();
      await addEvents(lateRuns);
    },
    take: (limit, againAt) =>
      change((outbox) => {
        const due = outbox.pending.filter(({ nextAt }) => nextAt <= now()).slice(0, limit);
        if (due.length === 0) return [undefined, []];
        const taken = due.map((event) => ({ ...event, attempts: event.attempts + 1, nextAt: againAt }));
        const ids = new Map(taken.map((event) => [event.id, event]));
        const pending = outbox.pending.map((event) => ids.get(event.id) ?? event);
        return [{ ...outbox, pending }, taken];
      }),
    settle: (event, nextAt) =>
      change((outbox) => {
        const pending = outbox.pending.flatMap((one) => {
          if (one.id !== event.id) return [one];
          return nextAt === undefined ? [] : [{ ...one, nextAt }];
        });
        return [{ ...outbox, pending }, undefined];
      }),
    async waiting() {
      const pending = (await load())?.pending ?? [];
      const times = pending.map(({ nextAt }) => nextAt);
      return { count: pending.length, nextAt: times.length === 0 ? undefined : Math.min(...times) };
    },
  };
}

/** The id of a message: the same in every process. */
async function messageId(name: string, runId: string, epoch: number): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([name, runId, epoch]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `msg_${[...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function sessionsOf(store: RunStore): SessionStore {
  if (store.sessions !== undefined) return store.sessions;
  throw new StoreError(
    "WEBHOOKS_UNSUPPORTED",
    `The store "${store.name}" keeps no sessions, where events of webhooks are stored. Use sqliteStore() or postgresStore().`,
  );
}

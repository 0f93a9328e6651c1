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

/** State of a webhook in the store: the runs that it has processed, and the waiting events. */
interface Outbox {
  /** Runs that settled before this time have been processed, by the store's clock. */
  readonly cursor: number;
  /** Processed runs with a settling time near the cursor, with their epoch. */
  readonly seen: Readonly<Record<string, number>>;
  readonly pending: readonly PendingEvent[];
}

/** Distance behind the cursor within which runs are read again: a transaction may commit later than its timestamp. */
const overlapMs = 60_000;
/** Maximum number of waiting events. Further ones are found later. */
const mostPending = 500;
/** Number of runs in one list. */
const pageSize = 1_000;
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
      const [next, result] = await apply(expected ?? { cursor: now(), seen: {}, pending: [] }, expected === undefined);
      if (next === undefined) return result;
      const write = [{ key: "outbox", value: next, expected }];
      const { written } = await sessions.writeState(name, write, { tenantId, runId: "webhooks" });
      if (written) return result;
    }
  }

  /**
   * Lists runs that settled since the cursor or shortly before it.
   *
   * @yields them, oldest first.
   */
  async function* settledRuns({ cursor }: Outbox): AsyncGenerator<StoredRun> {
    let settledSince = cursor - overlapMs;
    let atSince = new Set<string>();
    for (let limit = pageSize; ;) {
      const page = await store.listRuns({ allTenants: true, settledSince, limit });
      for (const run of page) if (!atSince.has(run.id)) yield run;
      const last = page.at(-1)?.settledAt;
      if (page.length < limit || last === undefined) return;
      // A page with a single timestamp does not show the runs after it.
      if (last === settledSince) limit *= 2;
      atSince = new Set(page.filter(({ settledAt }) => settledAt === last).map(({ id }) => id));
      settledSince = last;
    }
  }

  return {
    discover: () =>
      change(async (outbox, isNew) => {
        const room = mostPending - outbox.pending.length;
        const fresh: StoredRun[] = [];
        const known: StoredRun[] = [];
        let { cursor } = outbox;
        for await (const run of settledRuns(outbox)) {
          if (outbox.seen[run.id] !== run.epoch) {
            if (fresh.length >= room) break;
            fresh.push(run);
          }
          known.push(run);
          cursor = Math.max(cursor, run.settledAt ?? 0);
        }
        // The time of the first check is stored: runs that settle later are found, also by another process.
        if (fresh.length === 0 && !isNew) return [undefined, undefined];
        const near = known.filter(({ settledAt = 0 }) => settledAt >= cursor - overlapMs);
        const seen = Object.fromEntries(near.map(({ id, epoch }) => [id, epoch]));
        const added = await Promise.all(
          fresh.map(async ({ id: runId, epoch }) => {
            const id = await messageId(name, runId, epoch);
            return { id, runId, epoch, attempts: 0, nextAt: 0 };
          }),
        );
        return [{ cursor, seen, pending: [...outbox.pending, ...added] }, undefined];
      }),
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

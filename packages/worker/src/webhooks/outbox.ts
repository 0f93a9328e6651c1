import { StoreError, type Outbox, type RunStore, type SessionStore, type TakenEvent } from "@bailiwick/core";

/** The progress of a webhook in its store. It has no events: each is a row of the outbox. */
interface Progress {
  /** Time of the first check: runs that settled earlier have no events. */
  readonly since: number;
  /** Runs that settled before this time have events, by the store's clock. */
  readonly cursor: number;
}

/** Distance behind the cursor within which runs are read again: a transaction may commit later than its timestamp. */
const overlapMs = 60_000;
/** Time between two readings of the overlap, in milliseconds. */
const overlapEveryMs = 10_000;
/** Number of runs in one list. */
const pageSize = 100;
const tenantId = "bailiwick:webhooks";

/** Events of a webhook, kept in the store: they survive a crash, and several processes share them. */
export interface WebhookOutbox {
  /** Adds events of the runs that settled since the last check. */
  discover(): Promise<void>;
  /**
   * Takes due events, so that no other process sends them.
   *
   * @param ttlMs - Time after which another process may take them, should this one die.
   */
  take(limit: number, ttlMs: number): Promise<readonly TakenEvent[]>;
  /** Settles an event, or puts it off. */
  settle(event: TakenEvent, againMs?: number): Promise<void>;
  /** The waiting events, and the time of the next try. */
  waiting(): Promise<{ readonly count: number; readonly nextAt: number | undefined }>;
}

/**
 * Opens the outbox of a webhook.
 *
 * @param name - Names the webhook in its store.
 * @throws StoreError `WEBHOOKS_UNSUPPORTED` for a store without sessions or without an outbox.
 */
export function webhookOutbox(store: RunStore, name: string, now: () => number): WebhookOutbox {
  const { sessions, outbox } = portsOf(store);
  const queue = `webhook:${name}`;
  /** Events of the overlap that this process has added, with the time of their run. The outbox knows all others. */
  const added = new Map<string, number>();
  let overlapReadAt = Number.NEGATIVE_INFINITY;

  async function load(): Promise<Progress> {
    const state = await sessions.loadState(name, { tenantId });
    const known = state["progress"] as Progress | undefined;
    if (known !== undefined) return known;
    // The time of the first check is stored: runs that settle later are found, also by another process.
    const first = { since: now(), cursor: now() };
    return (await write(first, undefined)) ? first : load();
  }

  async function write(value: Progress, expected: Progress | undefined): Promise<boolean> {
    const writes = [{ key: "progress", value, expected }];
    return (await sessions.writeState(name, writes, { tenantId, runId: "webhooks" })).written;
  }

  /** Adds events of the runs that settled within a time. */
  async function addEvents(since: number, before: number | undefined, cursor: number): Promise<number> {
    let from = since;
    for (let limit = pageSize; ;) {
      const page = await store.listRuns({ allTenants: true, settledSince: from, settledBefore: before, limit });
      const events = await Promise.all(
        page.map(async ({ id: runId, epoch, settledAt = 0 }) => {
          const id = await messageId(name, runId, epoch);
          return { id, runId, epoch, at: settledAt };
        }),
      );
      const fresh = events.filter(({ id }) => !added.has(id));
      if (fresh.length > 0) await outbox.add(queue, fresh, cursor - 2 * overlapMs);
      for (const { id, at } of fresh) added.set(id, at);
      const last = page.at(-1)?.settledAt ?? from;
      if (page.length < limit) return last;
      // A page with a single time does not show the runs after it.
      if (last === from) limit *= 2;
      from = last;
    }
  }

  return {
    async discover() {
      const progress = await load();
      const { since, cursor } = progress;
      const last = await addEvents(cursor, undefined, cursor);
      // Another process may have written a later time.
      if (last > cursor) await write({ since, cursor: last }, progress);
      if (now() - overlapReadAt < overlapEveryMs) return;
      overlapReadAt = now();
      await addEvents(Math.max(since, last - overlapMs), last, last);
      for (const [id, at] of added) if (at < last - overlapMs) added.delete(id);
    },
    take: (limit, ttlMs) => outbox.take(queue, limit, ttlMs),
    async settle(event, againMs) {
      await outbox.settle(queue, event, againMs);
    },
    waiting: () => outbox.waiting(queue),
  };
}

/** The id of a message: the same in every process. */
async function messageId(name: string, runId: string, epoch: number): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([name, runId, epoch]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `msg_${[...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function portsOf({ name, sessions, outbox }: RunStore): { readonly sessions: SessionStore; readonly outbox: Outbox } {
  if (sessions !== undefined && outbox !== undefined) return { sessions, outbox };
  throw new StoreError(
    "WEBHOOKS_UNSUPPORTED",
    `The store "${name}" has no sessions or no outbox, where events of webhooks are stored. Use sqliteStore() or postgresStore().`,
  );
}

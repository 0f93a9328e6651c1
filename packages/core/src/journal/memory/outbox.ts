import type { Clock } from "../../contracts/ports/clock.ts";
import type { Outbox, TakenEvent } from "../../contracts/ports/outbox.ts";

/** An event of a queue. */
interface Row extends TakenEvent {
  /** `undefined` for a settled event. */
  readonly dueAt: number | undefined;
}

/** The events of one queue. */
interface Queue {
  readonly rows: Map<string, Row>;
  /** Ids of the events that are not settled, by the time at which they are due. */
  readonly due: { readonly id: string; readonly at: number }[];
  /** Ids of the settled events, by the time of the event. */
  readonly settled: { readonly id: string; readonly at: number }[];
}

/** The outbox of a store in memory. */
export function memoryOutbox(clock: Pick<Clock, "now">): Outbox {
  const queues = new Map<string, Queue>();

  function queueOf(name: string): Queue {
    const queue = queues.get(name) ?? { rows: new Map(), due: [], settled: [] };
    queues.set(name, queue);
    return queue;
  }

  function forget({ rows, settled }: Queue, before: number): void {
    for (const { id } of settled.splice(0, placeOf(settled, before - 1))) rows.delete(id);
  }

  return {
    async add(name, events, forgetBefore) {
      const queue = queueOf(name);
      if (forgetBefore !== undefined) forget(queue, forgetBefore);
      const now = clock.now();
      for (const { id, runId, epoch, at } of events) {
        if (queue.rows.has(id)) continue;
        queue.rows.set(id, { id, runId, epoch, at, attempts: 0, dueAt: now });
        insert(queue.due, id, now);
      }
    },
    async take(name, limit, ttlMs) {
      const { rows, due } = queueOf(name);
      const now = clock.now();
      const taken = due.splice(0, Math.min(limit, placeOf(due, now)));
      return taken.flatMap(({ id }) => {
        const row = rows.get(id);
        if (row === undefined) return [];
        const { dueAt: _dueAt, ...event } = { ...row, attempts: row.attempts + 1 };
        rows.set(id, { ...event, dueAt: now + ttlMs });
        insert(due, id, now + ttlMs);
        return [event];
      });
    },
    async settle(name, { id, attempts }, againMs) {
      const { rows, due, settled } = queueOf(name);
      const row = rows.get(id);
      if (row?.dueAt === undefined || row.attempts !== attempts) return false;
      remove(due, id, row.dueAt);
      const dueAt = againMs === undefined ? undefined : clock.now() + againMs;
      rows.set(id, { ...row, dueAt });
      if (dueAt === undefined) insert(settled, id, row.at);
      else insert(due, id, dueAt);
      return true;
    },
    async waiting(name) {
      const { due } = queueOf(name);
      return { count: due.length, nextAt: due[0]?.at };
    },
  };
}

/** Number of entries up to and with a time. */
function placeOf(sorted: readonly { readonly at: number }[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(sorted: { readonly id: string; readonly at: number }[], id: string, at: number): void {
  sorted.splice(placeOf(sorted, at), 0, { id, at });
}

function remove(sorted: { readonly id: string; readonly at: number }[], id: string, at: number): void {
  for (let place = placeOf(sorted, at) - 1; sorted[place]?.at === at; place -= 1) {
    if (sorted[place]?.id === id) return void sorted.splice(place, 1);
  }
}

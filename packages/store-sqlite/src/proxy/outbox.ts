import type { Outbox } from "@bailiwick/core/store";
import type { DatabaseLink } from "../thread/link.ts";

/** The outbox of a store. */
export function outboxOf(link: DatabaseLink): Outbox {
  return {
    add: async (queue, events, forgetBefore) =>
      link.call(
        "addToOutbox",
        queue,
        events.map(({ id, runId, epoch, at }) => ({ id, runId, epoch, at: Math.floor(at) })),
        forgetBefore === undefined ? null : Math.floor(forgetBefore),
      ),
    take: async (queue, limit, ttlMs) => link.call("takeFromOutbox", queue, limit, Math.ceil(ttlMs)),
    settle: async (queue, { id, attempts }, againMs) =>
      link.call("settleInOutbox", queue, id, attempts, againMs === undefined ? null : Math.ceil(againMs)),
    async waiting(queue) {
      const { count, nextAt } = await link.call("waitingInOutbox", queue);
      return { count, nextAt: nextAt ?? undefined };
    },
  };
}

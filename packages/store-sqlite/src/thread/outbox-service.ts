import type { OutboxEvent, TakenEvent } from "@bailiwick/core/store";

/** The calls of the outbox. */
export interface OutboxCalls {
  addToOutbox(queue: string, events: readonly OutboxEvent[], forgetBefore: number | null): Promise<void>;
  takeFromOutbox(queue: string, limit: number, ttlMs: number): Promise<readonly TakenEvent[]>;
  /** False if the event was taken again since. */
  settleInOutbox(queue: string, id: string, attempts: number, againMs: number | null): Promise<boolean>;
  waitingInOutbox(queue: string): Promise<{ readonly count: number; readonly nextAt: number | null }>;
}

/** An event of a queue of the outbox, as it is added. */
interface OutboxColumns {
  readonly id: string;
  readonly runId: string;
  readonly epoch: number;
  readonly at: number;
}

/** An event that a process delivers. */
interface TakenColumns extends OutboxColumns {
  readonly attempts: number;
}

/** The calls of the outbox. */
export interface OutboxCalls {
  addToOutbox(queue: string, events: readonly OutboxColumns[], forgetBefore: number | null): Promise<void>;
  takeFromOutbox(queue: string, limit: number, ttlMs: number): Promise<readonly TakenColumns[]>;
  /** False if the event was taken again since. */
  settleInOutbox(queue: string, id: string, attempts: number, againMs: number | null): Promise<boolean>;
  waitingInOutbox(queue: string): Promise<{ readonly count: number; readonly nextAt: number | null }>;
}

/** An event that a queue of the outbox gets. */
export interface OutboxEvent {
  /** Id of the event, unique in its queue. */
  readonly id: string;
  /** Id of the run that the event is about. */
  readonly runId: string;
  /** Epoch of the run at the time of the event. */
  readonly epoch: number;
  /** Time of the event, in milliseconds since the epoch. */
  readonly at: number;
}

/** An event that one process delivers now. */
export interface TakenEvent extends OutboxEvent {
  /** Number of times that the event was taken, this one included. */
  readonly attempts: number;
}

/**
 * Events that wait for their delivery, each in its own row. Several processes deliver the events of one queue: `take`
 * gives an event to one of them, as `claim` does with runs. Times are those of the store's clock.
 */
export interface Outbox {
  /**
   * Adds events that are due now. An event whose id the queue knows, also a settled one, is not added again.
   *
   * @param queue - Name of the queue.
   * @param events - The events.
   * @param forgetBefore - The queue may forget settled events from before this time, in milliseconds since the epoch.
   *   Default: it forgets none.
   */
  add(queue: string, events: readonly OutboxEvent[], forgetBefore?: number): Promise<void>;
  /**
   * Takes due events, the one that is due longest first. They are due again after `ttlMs`, in case this process dies.
   *
   * @param queue - Name of the queue.
   * @param limit - Maximum number of events.
   * @param ttlMs - Time for which no other process gets them, in milliseconds.
   */
  take(queue: string, limit: number, ttlMs: number): Promise<readonly TakenEvent[]>;
  /**
   * Ends a delivery: the event is settled, or due again later.
   *
   * @param queue - Name of the queue.
   * @param event - The event, as `take` returned it.
   * @param againMs - Time until it is due again, in milliseconds. Default: it is settled.
   * @returns `false` if another process took the event since then; nothing is written then.
   */
  settle(queue: string, event: TakenEvent, againMs?: number): Promise<boolean>;
  /**
   * Counts the events that are not settled.
   *
   * @param queue - Name of the queue.
   * @returns their number, and when the next one is due, in milliseconds since the epoch.
   */
  waiting(queue: string): Promise<{ readonly count: number; readonly nextAt: number | undefined }>;
}

/** Identity of a kept result: scope (tenant, session or run), tool and key. */
export interface LedgerKey {
  /** `idempotency` or `cache`. */
  readonly kind: "idempotency" | "cache";
  /** Such as `tenant:t1`, `session:s1`, `run:r1`, `user:t1/u1`. */
  readonly scope: string;
  /** Name of the tool whose result is kept. */
  readonly toolName: string;
  /** A hash of the key. */
  readonly key: string;
}

/** A row of the ledger: reserved before the effect, done after it. */
export interface LedgerRow extends LedgerKey {
  /** `reserved` from before the execution until its outcome is stored, then `done`. */
  readonly state: "reserved" | "done";
  /** Id of the run that reserved the key. */
  readonly runId: string;
  /** Key of the call in that run, such as `t2/c0`. */
  readonly callKey: string;
  /** Hash of the canonical input; empty where it is sealed with the outcome. */
  readonly inputHash: string;
  /** The `tool.outcome` payload, when done; with `keys.seal` a sealed value, also while reserved. */
  readonly outcome?: unknown;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Results kept beyond one run, for idempotency keys and caches. A journal append can carry rows, which are then written
 * in the same transaction.
 */
export interface Ledger {
  /**
   * Returns the row of a key; `undefined` if there is none or it has expired.
   *
   * @param key - Scope, tool and hashed key.
   */
  get(key: LedgerKey): Promise<LedgerRow | undefined>;
  /**
   * Reserves a key for a call; returns the row of another call if that one has the key.
   *
   * @param row - The row to store, in the state `reserved`.
   */
  reserve(row: LedgerRow): Promise<{ readonly reserved: true } | { readonly reserved: false; readonly row: LedgerRow }>;
  /**
   * Stores a row, and replaces the earlier row of the same key.
   *
   * @param row - The row to store, in the state `done`.
   */
  put(row: LedgerRow): Promise<void>;
  /**
   * Deletes the reservation of a key, if this run holds it and it is not done.
   *
   * @param key - Scope, tool and hashed key.
   * @param runId - The run that made the reservation.
   */
  release(key: LedgerKey, runId: string): Promise<void>;
}

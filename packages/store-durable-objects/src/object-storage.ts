/** A value of a row in a Durable Object's storage. */
export type ObjectValue = ArrayBuffer | string | number | null;

/** The rows of one statement. */
export interface ObjectCursor extends Iterable<Record<string, ObjectValue>> {
  /** Returns all remaining rows. */
  toArray(): Record<string, ObjectValue>[];
}

/** The SQLite database of a Durable Object: `ctx.storage.sql`. */
export interface ObjectSql {
  /**
   * Runs an SQL statement with the values of its parameters.
   *
   * @param query - The statement, with `?` for each parameter.
   * @param values - Values of the parameters, in order.
   */
  exec(query: string, ...values: (ArrayBuffer | string | number | null)[]): ObjectCursor;
}

/** The storage of a Durable Object with SQLite: `ctx.storage`. */
export interface ObjectStorage {
  /** The SQLite database of the object. */
  readonly sql: ObjectSql;
  /**
   * Runs a function in a transaction, and rolls back if the function throws.
   *
   * @param work - Makes its changes synchronously; its result is returned.
   */
  transactionSync<Result>(work: () => Result): Result;
  /**
   * Schedules the next call of the object's `alarm()`.
   *
   * @param at - Milliseconds since the epoch.
   */
  setAlarm(at: number): Promise<void>;
}

/** The state that the constructor of a Durable Object gets: `ctx`. */
export interface ObjectState {
  /** Storage of the object. */
  readonly storage: ObjectStorage;
  /** Id of the object, with its name if it was made by name. */
  readonly id: { readonly name?: string | undefined; toString(): string };
}

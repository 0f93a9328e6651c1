/** A value of a row in a Durable Object's storage. */
export type ObjectValue = ArrayBuffer | string | number | null;

/** The rows of one statement. */
export interface ObjectCursor extends Iterable<Record<string, ObjectValue>> {
  toArray(): Record<string, ObjectValue>[];
}

/** The SQLite database of a Durable Object: `ctx.storage.sql`. */
export interface ObjectSql {
  exec(query: string, ...values: (ArrayBuffer | string | number | null)[]): ObjectCursor;
}

/** The storage of a Durable Object with SQLite: `ctx.storage`. */
export interface ObjectStorage {
  readonly sql: ObjectSql;
  transactionSync<Result>(work: () => Result): Result;
  /** @param at - Milliseconds since the epoch. */
  setAlarm(at: number): Promise<void>;
}

/** The state that the constructor of a Durable Object gets: `ctx`. */
export interface ObjectState {
  readonly storage: ObjectStorage;
  readonly id: { readonly name?: string | undefined; toString(): string };
}

import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { ObjectState, ObjectValue } from "./object-storage.ts";

/** A Durable Object's storage over `node:sqlite`, with its limits: positional parameters, no PRAGMA, 2 MB per value. */
export interface FakeState extends ObjectState {
  readonly database: DatabaseSync;
  /** The times that the alarm was set for. */
  readonly alarms: number[];
}

export function fakeState(name: string, database: DatabaseSync = new DatabaseSync(":memory:")): FakeState {
  database.exec("PRAGMA foreign_keys = ON");
  const alarms: number[] = [];
  return {
    database,
    alarms,
    id: { name, toString: () => name },
    storage: {
      sql: {
        exec(query, ...values) {
          if (/\bPRAGMA\b|\bBEGIN\b|\bSAVEPOINT\b/i.test(query)) throw new Error("not authorized: SQLITE_AUTH");
          for (const value of values) {
            if (value instanceof ArrayBuffer ? value.byteLength > 2_000_000 : String(value).length > 2_000_000)
              throw new Error("string or blob too big: SQLITE_TOOBIG");
          }
          const rows = run(database, query, values);
          return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
        },
      },
      transactionSync(work) {
        database.exec("BEGIN");
        try {
          const result = work();
          database.exec("COMMIT");
          return result;
        } catch (error) {
          database.exec("ROLLBACK");
          throw error;
        }
      },
      setAlarm: async (at) => void alarms.push(at),
    },
  };
}

function run(database: DatabaseSync, query: string, values: readonly ObjectValue[]): Record<string, ObjectValue>[] {
  try {
    if (values.length === 0 && query.includes(";")) {
      database.exec(query);
      return [];
    }
    const given = values.map((value): SQLInputValue => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    return database
      .prepare(query)
      .all(...given)
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [
            column,
            value instanceof Uint8Array ? new Uint8Array(value).buffer : (value as ObjectValue),
          ]),
        ),
      );
  } catch (error) {
    const { errcode } = error as { readonly errcode?: number };
    throw (errcode ?? 0) % 256 === 19 ? new Error(`${String(error)}: SQLITE_CONSTRAINT`) : error;
  }
}

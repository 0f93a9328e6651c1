import { sqliteCode } from "@bailiwick/store-sqlite/portable";
import type { Database, SqlInput, SqlNamed, SqlRow, Statement } from "@bailiwick/store-sqlite/portable";
import type { ObjectSql, ObjectValue } from "./object-storage.ts";

type Given = readonly [SqlNamed] | readonly SqlInput[];

/** The SQLite of a Durable Object, as the store's statements use it. */
export function objectDatabase(sql: ObjectSql): Database {
  function prepare(text: string): Statement {
    const { numbered, names } = withNumbers(text);
    const rows = (given: Given): SqlRow[] =>
      coded(() => sql.exec(numbered, ...valuesOf(given, names)).toArray()).map(toRow);
    return {
      run(...given) {
        rows(given);
        const [written] = sql.exec("SELECT changes() AS changes, last_insert_rowid() AS n").toArray();
        return { changes: Number(written?.["changes"]), lastInsertRowid: Number(written?.["n"]) };
      },
      get: (...given: Given) => rows(given)[0],
      all: (...given: Given) => rows(given),
      *iterate(named) {
        for (const row of coded(() => sql.exec(numbered, ...valuesOf([named], names)))) yield toRow(row);
      },
    };
  }
  return { prepare, exec: (text) => void coded(() => sql.exec(text)) };
}

/** Named parameters get numbers, in the order of their appearance, because a Durable Object has no named ones. */
function withNumbers(text: string): { readonly numbered: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const numbered = text.replaceAll(/:([a-zA-Z]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return { numbered, names };
}

function valuesOf(given: Given, names: readonly string[]): ObjectValue[] {
  const [first] = given;
  if (names.length > 0 && isNamed(first)) return names.map((name) => toValue(first[name] ?? null));
  return given.map((value) => toValue(value as SqlInput));
}

function isNamed(value: SqlNamed | SqlInput | undefined): value is SqlNamed {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

function toValue(value: SqlInput): ObjectValue {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? new Uint8Array(value).buffer : value;
}

function toRow(row: Record<string, ObjectValue>): SqlRow {
  const entries = Object.entries(row).map(([name, value]): [string, SqlRow[string]] => [
    name,
    value instanceof ArrayBuffer ? new Uint8Array(value) : value,
  ]);
  return Object.fromEntries(entries);
}

const codes: Readonly<Record<string, number>> = {
  SQLITE_CONSTRAINT: sqliteCode.constraint,
  SQLITE_FULL: sqliteCode.full,
  SQLITE_IOERR: sqliteCode.io,
  SQLITE_CORRUPT: sqliteCode.corrupt,
};

/**
 * Adds the error code that `node:sqlite` sets; a Durable Object has it only at the end of the
 * message.
 */
function coded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const name = error instanceof Error ? /\b(SQLITE_[A-Z]+)/.exec(error.message)?.[1] : undefined;
    const errcode = name === undefined ? undefined : codes[name];
    throw errcode === undefined ? error : Object.assign(error as Error, { errcode });
  }
}

/** A value that SQLite accepts. */
export type SqlInput = null | number | bigint | string | Uint8Array;

/** A row that SQLite returns. */
export type SqlRow = Record<string, null | number | bigint | string | Uint8Array>;

/** Values by the names of a statement's parameters, without their colon. */
export type SqlNamed = Record<string, SqlInput>;

/** A prepared statement. */
export interface Statement {
  run(...values: SqlInput[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(named: SqlNamed): SqlRow | undefined;
  get(...values: SqlInput[]): SqlRow | undefined;
  all(named: SqlNamed): SqlRow[];
  all(...values: SqlInput[]): SqlRow[];
  iterate(named: SqlNamed): Iterable<SqlRow>;
}

/** The part of an SQLite database that the store needs: `node:sqlite`, or the storage of a Durable Object. */
export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
}

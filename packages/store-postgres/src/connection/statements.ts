import { DatabaseFaultError } from "./database-fault.ts";
import type { PostgresConnection } from "./postgres-pool.ts";

/** A row, each value as PostgreSQL wrote it. */
export type Row = Readonly<Record<string, string | null>>;

/** Runs statements within one transaction, or outside of any. */
export type Ask = (text: string, values?: unknown[]) => Promise<readonly Row[]>;

const asText = { getTypeParser: () => (value: string) => value };

/**
 * Statements on one connection; a statement without an answer in time counts as a lost connection.
 *
 * @param longestMs - How long the answer to one may take, in milliseconds.
 */
export function asking(connection: PostgresConnection, longestMs: number): Ask {
  return async (text, values = []) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Connection terminated: no answer within ${longestMs} ms`)), longestMs);
    });
    try {
      // Without values it is sent as a simple query, which may hold several statements; never by a name, so that a
      // pooler may give each transaction another connection.
      const answer = connection.query({ text, values, types: asText });
      return rowsOf(await Promise.race([answer, late]));
    } catch (error) {
      throw new DatabaseFaultError("statement", error);
    } finally {
      clearTimeout(timer);
    }
  };
}

function rowsOf(answer: unknown): readonly Row[] {
  const results = (Array.isArray(answer) ? answer : [answer]) as readonly { readonly rows: readonly Row[] }[];
  return results.at(-1)?.rows ?? [];
}

/** A value of a row that is never null. */
export function text(row: Row, column: string): string {
  return row[column] ?? "";
}

/** A number of a row. */
export function number(row: Row, column: string): number {
  return Number(row[column]);
}

/** A nullable number of a row. */
export function optionalNumber(row: Row, column: string): number | undefined {
  const value = row[column];
  return value === null || value === undefined ? undefined : Number(value);
}

/** A boolean of a row. */
export function yes(row: Row, column: string): boolean {
  return row[column] === "t";
}

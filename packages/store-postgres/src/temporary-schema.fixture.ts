import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** The database that the tests of this package use. */
export const testUrl: string = process.env["BAILIWICK_POSTGRES_URL"] ?? "";

/** A unique schema name; its content is dropped with it. */
export function temporarySchema(): { readonly schema: string } & AsyncDisposable {
  const schema = `test_${randomUUID().replaceAll("-", "")}`;
  return {
    schema,
    [Symbol.asyncDispose]: () => statement(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`).then(() => undefined),
  };
}

/** Runs a statement on a separate connection. */
export async function statement(
  text: string,
  values: unknown[] = [],
  url: string = testUrl,
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const answer: unknown = await client.query(text, values);
    // Several statements return several results.
    const results = (Array.isArray(answer) ? answer : [answer]) as { readonly rows: Record<string, unknown>[] }[];
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

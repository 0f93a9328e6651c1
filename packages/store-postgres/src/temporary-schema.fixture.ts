import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** The database that the tests of this package use. */
export const testUrl: string = process.env["BAILIWICK_POSTGRES_URL"] ?? "";

/** A schema's name that nothing else uses; what is made in it is dropped with it. */
export function temporarySchema(): { readonly schema: string } & AsyncDisposable {
  const schema = `test_${randomUUID().replaceAll("-", "")}`;
  return {
    schema,
    [Symbol.asyncDispose]: () => statement(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`).then(() => undefined),
  };
}

/** Runs a statement on a connection of its own. */
export async function statement(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: testUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

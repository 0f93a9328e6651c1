import { Pool } from "pg";
import type { PoolClient } from "pg";
import type { PostgresPool, PostgresStatement } from "./connection/postgres-pool.ts";

/**
 * A pool that behaves as a pooler in transaction mode: each transaction, and each statement outside of one, gets any
 * free connection, and nothing of a session is kept in between. `LISTEN` never receives a
 * notification.
 */
export function transactionPooler(url: string): PostgresPool & AsyncDisposable {
  const pool = new Pool({ connectionString: url, max: 6 });
  pool.on("error", () => undefined);
  return {
    on: () => undefined,
    removeListener: () => undefined,
    async connect() {
      let pinned: PoolClient | undefined;
      async function letGo(): Promise<void> {
        const client = pinned;
        pinned = undefined;
        await client?.query("DISCARD ALL");
        client?.release();
      }
      return {
        async query(statement: PostgresStatement) {
          const begins = statement.text.startsWith("BEGIN");
          const ends = /^(?:COMMIT|ROLLBACK)/.test(statement.text);
          const within = pinned !== undefined;
          pinned ??= await pool.connect();
          try {
            return await pinned.query(statement);
          } finally {
            if (ends || !(begins || within)) await letGo();
          }
        },
        release: () => void letGo(),
        on: () => undefined,
        removeListener: () => undefined,
      };
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

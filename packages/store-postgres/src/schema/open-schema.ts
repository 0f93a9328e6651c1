import { StoreError } from "@bailiwick/core/store";
import { fromColumn, fromTenant, sharedOwner } from "../connection/names.ts";
import { number, text, yes } from "../connection/statements.ts";
import type { Ask, Row } from "../connection/statements.ts";
import { firstTables, formatWithOwners, migrationSql, supportedFormat } from "./migrations.ts";
import type { UseConnection } from "../connection/database.ts";

/** The schema of a store. */
export interface SchemaSettings {
  /** The store, for errors. */
  readonly name: string;
  readonly schema: string;
  /** True if missing tables are created and old ones migrated. */
  readonly migrate: boolean;
  /** Logs the warnings for the caller. */
  readonly warn: (text: string) => void;
}

/** Time to wait for other processes that migrate, in milliseconds. */
const longestMigrationMs: number = 600_000;
const oldestServer = 130_000;

/** A schema's name as SQL. */
export function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}

/**
 * Makes sure that a schema has the tables of this version.
 *
 * @throws StoreError `STORE_VERSION`, `STORE_ENCODING`, `STORE_FOREIGN`, `STORE_FORMAT`
 */
async function openSchema(ask: Ask, settings: SchemaSettings): Promise<void> {
  await checkServer(ask, settings);
  if ((await formatOf(ask, settings)) === supportedFormat) return;
  if (!settings.migrate) {
    throw new StoreError(
      "STORE_FORMAT",
      `The store "${settings.name}" does not have the tables of format ${supportedFormat}, and migrate is false. Run what postgresSchemaSql() gives with a role that may create tables, or open the store once with such a role.`,
    );
  }
  await ask(
    `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = ${longestMigrationMs}; SET LOCAL statement_timeout = ${longestMigrationMs}; SET LOCAL idle_in_transaction_session_timeout = 60000`,
  );
  try {
    // Locked until the transaction ends, so a pooler that shares connections cannot break the lock.
    await ask("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`bailiwick:${settings.schema}`]);
    // Another process may have done it in the meantime.
    const format = await formatOf(ask, settings);
    if (format < supportedFormat) {
      const { there } =
        (await ask("SELECT to_regnamespace($1) IS NOT NULL AS there", [quoted(settings.schema)]))[0] ?? {};
      if (there !== "t") await ask(`CREATE SCHEMA ${quoted(settings.schema)}`);
      await ask(migrationSql(quoted(settings.schema), format));
    }
    const shared = format > 0 && format < formatWithOwners ? await sharedSessions(ask, settings.schema) : [];
    await ask("COMMIT");
    if (shared.length > 0) settings.warn(sharedText(settings.name, shared));
  } catch (error) {
    // Without the connection, the transaction is lost.
    await ask("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Maximum number of sessions that the warning about a migration names. */
const mostNamed = 100;

/** Sessions that had no user or several before sessions had users, described for people. */
async function sharedSessions(ask: Ask, schema: string): Promise<readonly string[]> {
  const rows = await ask(`SELECT id, tenant FROM ${quoted(schema)}.sessions WHERE owner = '${sharedOwner}' ORDER BY n`);
  return rows.map((row) => {
    const tenant = fromTenant(text(row, "tenant"));
    const id = `"${fromColumn(text(row, "id"))}"`;
    return tenant === undefined ? id : `${id} of tenant "${tenant}"`;
  });
}

function sharedText(name: string, shared: readonly string[]): string {
  const more = shared.length > mostNamed ? `, and ${shared.length - mostNamed} more` : "";
  return `The store "${name}" was migrated to format ${supportedFormat}, in which a session belongs to a user. ${shared.length} sessions had no user or several, and every user of their tenant can continue them: ${shared.slice(0, mostNamed).join(", ")}${more}. Delete or claim the sessions that should not be shared.`;
}

async function checkServer(ask: Ask, { name, warn }: SchemaSettings): Promise<void> {
  const [row] = await ask(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_version') AS named, current_setting('server_encoding') AS encoding, current_setting('fsync')::bool AS fsync",
  );
  const found: Row = row ?? {};
  if (number(found, "version") < oldestServer) {
    throw new StoreError(
      "STORE_VERSION",
      `The store "${name}" is on PostgreSQL ${text(found, "named")}; 13 or newer is needed. Upgrade the server.`,
    );
  }
  if (text(found, "encoding") !== "UTF8") {
    throw new StoreError(
      "STORE_ENCODING",
      `The store "${name}" is in a database with the encoding ${text(found, "encoding")}, which cannot hold every text. Give a database that was created with ENCODING 'UTF8'.`,
    );
  }
  if (!yes(found, "fsync"))
    warn(`The store "${name}" is on a server with fsync = off: what it answers may be lost when the machine stops.`);
}

/** The format of the existing tables; 0 if there are none. */
async function formatOf(ask: Ask, { name, schema }: SchemaSettings): Promise<number> {
  const place = quoted(schema);
  const [row] = await ask(
    `SELECT to_regclass($1) IS NOT NULL AS known,
       (SELECT string_agg(relname, ', ') FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = $2 AND relname = ANY ($3::text[])) AS taken`,
    [`${place}.store_format`, schema, firstTables],
  );
  const found: Row = row ?? {};
  if (!yes(found, "known")) {
    const taken = found["taken"];
    if (taken === null || taken === undefined) return 0;
    throw new StoreError(
      "STORE_FOREIGN",
      `The store "${name}" cannot use the schema "${schema}": it has tables of another program (${taken}) and was left as it is. Give another "schema".`,
    );
  }
  const [stored] = await ask(`SELECT format FROM ${place}.store_format`);
  const format = stored === undefined ? 0 : number(stored, "format");
  if (format > supportedFormat) {
    throw new StoreError(
      "STORE_FORMAT",
      `The store "${name}" was written in format ${format}; this version reads up to ${supportedFormat}. Use a newer version of @bailiwick/store-postgres.`,
    );
  }
  return format;
}

/** Opens a schema on first use; if that fails, the next use tries again. */
export function createOpening(settings: SchemaSettings): (use: UseConnection) => Promise<void> {
  let opening: Promise<void> | undefined;
  return (use) => {
    opening ??= use(longestMigrationMs, (ask) => openSchema(ask, settings)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

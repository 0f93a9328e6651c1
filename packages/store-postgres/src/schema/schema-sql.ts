import { checkSchemaName } from "../options.ts";
import { migrationSql } from "./migrations.ts";
import { quoted } from "./open-schema.ts";

/**
 * SQL that makes an empty schema with the tables of this version, for an administrator to run, or for a tool that keeps
 * migrations. The store then runs with `migrate: false`, and its user needs `USAGE` of the schema, `SELECT`, `INSERT`,
 * `UPDATE` and `DELETE` of its tables, and `USAGE` of its sequences.
 *
 * @param schema - Its name; default `bailiwick`.
 * @throws ConfigurationError `INVALID_OPTION`
 * @example
 * ```ts
 * import { postgresSchemaSql } from "@bailiwick/store-postgres";
 *
 * console.log(postgresSchemaSql());
 * ```
 */
export function postgresSchemaSql(schema: string = "bailiwick"): string {
  checkSchemaName(schema, "postgresSchemaSql()");
  return `BEGIN;\nCREATE SCHEMA ${quoted(schema)};\n${migrationSql(quoted(schema), 0)}\nCOMMIT;\n`;
}

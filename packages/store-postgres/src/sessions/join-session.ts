import { messageText } from "@bailiwick/core/store";
import type { Message, SessionAppend, Owner } from "@bailiwick/core/store";
import type { Transaction } from "../connection/database.ts";
import { sharedOwner, toColumn, toOwner, toTenant } from "../connection/names.ts";
import { text } from "../connection/statements.ts";
import type { Row } from "../connection/statements.ts";
import { fromText, toText } from "../plain-text.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";

/** The owner and id of the session, which define the order of locks. */
export function sessionKey({ sessionId, tenantId, userId }: SessionAppend): string {
  return `${toTenant(tenantId)} ${toColumn(sessionId)} ${toOwner(userId)}`;
}

/** Tenant, owner and id in their columns. */
export function sessionColumns(id: string, scope: Owner | undefined): [tenant: string, owner: string, id: string] {
  return [toTenant(scope?.tenantId), toOwner(scope?.userId), toColumn(id)];
}

/**
 * The number of the session that an owner finds by an id, with the values of `sessionColumns`: its own before a shared
 * one.
 */
export function findSession(sessions: string): string {
  return `(SELECT n FROM ${sessions} WHERE tenant = $1 AND owner IN ($2, '${sharedOwner}') AND id = $3 ORDER BY owner = '${sharedOwner}' LIMIT 1)`;
}

/** In a transaction: the session that an owner finds, locked; a new one of the owner if there is none. */
export async function openSession(
  { ask, mark }: Transaction,
  { sessions, nextChange }: Tables,
  id: string,
  owner: Owner | undefined,
): Promise<Row> {
  const columns = sessionColumns(id, owner);
  // An existing session is locked, not changed. A shared one is only found if the owner has none.
  const [shared] = await ask(
    `SELECT n, state FROM ${sessions} WHERE n = ${findSession(sessions)} AND owner = '${sharedOwner}' FOR NO KEY UPDATE`,
    columns,
  );
  if (shared !== undefined) return shared;
  const [row] = await ask(
    `INSERT INTO ${sessions} AS known (tenant, owner, id, state, updated_at, changes, mark, version) VALUES ($1, $2, $3, '{}', ${now}, ${nextChange}, $4, 0)
     ON CONFLICT (tenant, owner, id) DO UPDATE SET id = known.id RETURNING n, state, (xmax = 0)::text AS made`,
    [...columns, mark],
  );
  return row ?? {};
}

/** Ids, texts and search texts of messages, a column each. */
export function messageColumns(messages: readonly Message[]): [ids: string[], texts: string[], searched: string[]] {
  return [
    messages.map(({ id }) => toColumn(id)),
    messages.map(toText),
    messages.map((message) => searchable(messageText(message))),
  ];
}

/** Text in its searched form: in lower case, with a replacement for characters that a column cannot hold. */
export function searchable(given: string): string {
  return given.toLowerCase().toWellFormed().replaceAll("\0", "\ufffd");
}

/** In a transaction: adds a run's messages once, and creates the session if it does not exist. */
export async function joinSession(
  transaction: Transaction,
  tables: Tables,
  { sessionId, messages: added, state, runId, seq, ...owner }: SessionAppend,
): Promise<void> {
  const { ask } = transaction;
  const { sessions, messages, appends, nextChange } = tables;
  const stored = await openSession(transaction, tables, sessionId, owner);
  await ask(
    `WITH once AS (INSERT INTO ${appends} (session, run_id, seq) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING session),
       added AS (
         INSERT INTO ${messages} (session, position, id, text, search, version)
         SELECT once.session, place - 1 + (SELECT coalesce(max(position) + 1, 0) FROM ${messages} WHERE session = $1), given.id, given.text, given.search,
           (SELECT version + 1 FROM ${sessions} WHERE n = $1)
         FROM once, unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS given (id, text, search, place)
       )
     UPDATE ${sessions} AS known SET state = $7, version = known.version + 1, updated_at = ${now}, changes = ${nextChange} FROM once WHERE known.n = once.session`,
    [
      stored["n"],
      toColumn(runId),
      seq,
      ...messageColumns(added),
      toText({ ...fromText<Record<string, unknown>>(text(stored, "state")), ...state }),
    ],
  );
}

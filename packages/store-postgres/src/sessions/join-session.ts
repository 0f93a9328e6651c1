import { messageText } from "@bailiwick/core/store";
import type { Message, SessionAppend, SessionScope } from "@bailiwick/core/store";
import type { Transaction } from "../connection/database.ts";
import { toColumn, toTenant } from "../connection/names.ts";
import { text } from "../connection/statements.ts";
import { fromText, toText } from "../plain-text.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";

/** Which session, for one order of locks. */
export function sessionKey({ sessionId, tenantId }: SessionAppend): string {
  return `${toTenant(tenantId)} ${toColumn(sessionId)}`;
}

/** Tenant and id in their columns. */
export function sessionColumns(id: string, scope: SessionScope | undefined): [tenant: string, id: string] {
  return [toTenant(scope?.tenantId), toColumn(id)];
}

/** Ids, texts and searched texts of messages, each a column. */
export function messageColumns(messages: readonly Message[]): [ids: string[], texts: string[], searched: string[]] {
  return [
    messages.map(({ id }) => toColumn(id)),
    messages.map(toText),
    messages.map((message) => searchable(messageText(message))),
  ];
}

/** Text as it is searched: in lower case, and with a sign in place of what a column cannot hold. */
export function searchable(given: string): string {
  return given.toLowerCase().toWellFormed().replaceAll("\0", "\ufffd");
}

/** Inside a transaction: adds a run's messages once, and makes the session where it is not there. */
export async function joinSession(
  { ask, mark }: Transaction,
  { sessions, messages, appends, nextChange }: Tables,
  { sessionId, messages: added, state, runId, seq, ...scope }: SessionAppend,
): Promise<void> {
  // That of a session that is there changes nothing, but locks it.
  const [row] = await ask(
    `INSERT INTO ${sessions} AS known (tenant, id, state, updated_at, changes, mark) VALUES ($1, $2, '{}', ${now}, ${nextChange}, $3)
     ON CONFLICT (tenant, id) DO UPDATE SET id = known.id RETURNING n, state`,
    [...sessionColumns(sessionId, scope), mark],
  );
  const stored = row ?? {};
  await ask(
    `WITH once AS (INSERT INTO ${appends} (session, run_id, seq) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING session),
       added AS (
         INSERT INTO ${messages} (session, position, id, text, search)
         SELECT once.session, place - 1 + (SELECT coalesce(max(position) + 1, 0) FROM ${messages} WHERE session = $1), given.id, given.text, given.search
         FROM once, unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS given (id, text, search, place)
       )
     UPDATE ${sessions} AS known SET state = $7, updated_at = ${now}, changes = ${nextChange} FROM once WHERE known.n = once.session`,
    [
      stored["n"],
      toColumn(runId),
      seq,
      ...messageColumns(added),
      toText({ ...fromText<Record<string, unknown>>(text(stored, "state")), ...state }),
    ],
  );
}

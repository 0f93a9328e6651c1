import { randomUUID } from "node:crypto";
import {
  SessionNotFoundError,
  checkedSessions,
  checkMessages,
  parseSession,
  printSession,
  queryWords,
  sessionWindow,
} from "@bailiwick/core/store";
import type { Message, Session, Owner, SessionStore } from "@bailiwick/core/store";
import type { Database, Transaction } from "../connection/database.ts";
import { fromColumn, sharedOwner, toColumn, toOwner, toTenant } from "../connection/names.ts";
import { number, text } from "../connection/statements.ts";
import type { Ask, Row } from "../connection/statements.ts";
import { fromText, toText } from "../plain-text.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { deletionOf } from "./delete-session.ts";
import { exists, handOverOf } from "./hand-over.ts";
import { findSession, joinSession, messageColumns, searchable, sessionColumns } from "./join-session.ts";
import { stateOf } from "./session-state.ts";

/** Conversations across runs. */
export function sessionsOf(database: Database, tables: Tables): SessionStore {
  const { sessions, messages, former, appends, nextChange } = tables;
  const whole = `SELECT state, known.version, stored.text FROM ${sessions} AS known LEFT JOIN ${messages} AS stored ON stored.session = known.n
    WHERE known.n = ${findSession(sessions)} ORDER BY position`;
  const asOfVersion = `SELECT state, known.version, coalesce((
      SELECT former.text FROM ${former} AS former WHERE former.session = stored.session AND former.position = stored.position AND former.until > $4
      ORDER BY former.until LIMIT 1), stored.text) AS text
    FROM ${sessions} AS known LEFT JOIN ${messages} AS stored ON stored.session = known.n AND stored.version <= $4
    WHERE known.n = ${findSession(sessions)} ORDER BY position`;

  /** Sessions that an owner finds: its own, and the shared ones whose id it does not use itself. */
  const found = `tenant = $1 AND (owner = $2 OR owner = '${sharedOwner}' AND NOT EXISTS (
    SELECT FROM ${sessions} AS own WHERE own.tenant = $1 AND own.owner = $2 AND own.id = known.id))`;

  /** One statement: state and messages belong to one point in time. */
  async function find(
    id: string,
    scope: (Owner & { readonly asOf?: number | undefined }) | undefined,
  ): Promise<Omit<Session, "id"> | undefined> {
    const columns = sessionColumns(id, scope);
    const asOf = scope?.asOf;
    return toSession(
      await (asOf === undefined ? database.read(whole, columns) : database.read(asOfVersion, [...columns, asOf])),
    );
  }

  /** Inside a transaction: the session's number, locked, and the mark of the write that made it or changed it. */
  async function lock(ask: Ask, id: string, scope: Owner | undefined): Promise<{ n: string; mark: string }> {
    const [row] = await ask(
      `SELECT n, mark FROM ${sessions} WHERE n = ${findSession(sessions)} FOR NO KEY UPDATE`,
      sessionColumns(id, scope),
    );
    if (row === undefined) throw new SessionNotFoundError(id, scope);
    return { n: text(row, "n"), mark: text(row, "mark") };
  }

  async function placeOf(
    ask: Ask,
    n: string,
    id: string,
    scope: Owner | undefined,
    messageId: string,
  ): Promise<string> {
    const [row] = await ask(
      `SELECT position FROM ${messages} WHERE session = $1 AND id = $2 ORDER BY position LIMIT 1`,
      [n, toColumn(messageId)],
    );
    if (row === undefined) throw new SessionNotFoundError(id, scope, messageId);
    return text(row, "position");
  }

  /**
   * Inside a transaction: a new session's number; `undefined` if this write already created it and its answer was lost.
   */
  async function add(
    { ask, mark }: Transaction,
    id: string,
    scope: Owner | undefined,
    state: string,
  ): Promise<string | undefined> {
    const columns = sessionColumns(id, scope);
    const [made] = await ask(
      `INSERT INTO ${sessions} (tenant, owner, id, state, updated_at, changes, mark, version) VALUES ($1, $2, $3, $4, ${now}, ${nextChange}, $5, 1) ON CONFLICT DO NOTHING RETURNING n`,
      [...columns, state, mark],
    );
    if (made !== undefined) return text(made, "n");
    const [known] = await ask(`SELECT mark FROM ${sessions} WHERE tenant = $1 AND owner = $2 AND id = $3`, columns);
    if (known?.["mark"] === mark) return undefined;
    throw exists(id);
  }

  return checkedSessions({
    async load(id, options) {
      const found = await find(id, options);
      if (found === undefined) return { id, messages: [], state: {} };
      return { ...found, id, messages: sessionWindow(found.messages, options) };
    },
    async append(sessionId, added, run) {
      checkMessages(added);
      await database.write((transaction) =>
        joinSession(transaction, tables, { sessionId, messages: added, ...run, state: run.state ?? {} }),
      );
    },
    ...stateOf(database, tables),
    ...handOverOf(database, tables),
    async list(options) {
      const rows = await database.read(
        `SELECT id, updated_at FROM ${sessions} AS known WHERE ${found} ORDER BY changes DESC LIMIT $3`,
        [...ownerColumns(options), options?.limit ?? 50],
      );
      return rows.map((row) => ({ id: fromColumn(text(row, "id")), updatedAt: number(row, "updated_at") }));
    },
    async search(query, options) {
      const words = queryWords(query).map((word) => `%${searchable(word).replace(/[\\%_]/g, "\\$&")}%`);
      if (words.length === 0) return [];
      // Each word is a separate condition, which a trigram index can answer.
      const conditions = words.map((_word, index) => `AND search LIKE $${index + 4}`).join(" ");
      const rows = await database.read(
        `SELECT known.id, stored.text FROM ${messages} AS stored JOIN ${sessions} AS known ON known.n = stored.session
         WHERE ${found} ${conditions} ORDER BY changes DESC, position LIMIT $3`,
        [...ownerColumns(options), options?.limit ?? 50, ...words],
      );
      return rows.map((row) => ({
        id: fromColumn(text(row, "id")),
        message: fromText<Message>(text(row, "text")),
      }));
    },
    async branch(id, options) {
      const newId = options?.newId ?? randomUUID();
      await database.write(async (transaction) => {
        const { ask } = transaction;
        const { n } = await lock(ask, id, options);
        const upto = options?.uptoMessageId;
        const last = upto === undefined ? null : await placeOf(ask, n, id, options, upto);
        const branch = await add(transaction, newId, options, "{}");
        if (branch === undefined) return;
        await ask(
          `WITH copied AS (INSERT INTO ${messages} (session, position, id, text, search)
             SELECT $1, position, id, text, search FROM ${messages} WHERE session = $2 AND ($3::bigint IS NULL OR position <= $3))
           UPDATE ${sessions} SET state = (SELECT state FROM ${sessions} WHERE n = $2) WHERE n = $1`,
          [branch, n, last],
        );
      });
      return newId;
    },
    async edit(id, messageId, message, options) {
      checkMessages([message]);
      await database.write(async ({ ask, mark }) => {
        const { n, mark: last } = await lock(ask, id, options);
        // Done by an earlier attempt of this write, whose answer was lost; the message may have another id now.
        if (last === mark) return;
        const position = await placeOf(ask, n, id, options, messageId);
        const [ids, texts, searched] = messageColumns([message]);
        await ask(
          `WITH changed AS (
             UPDATE ${sessions} SET updated_at = ${now}, changes = ${nextChange}, mark = $6, version = version + 1 WHERE n = $1 RETURNING version
           ), kept AS (
             INSERT INTO ${former} (session, position, until, text)
             SELECT session, position, (SELECT version FROM changed), text FROM ${messages} WHERE session = $1 AND position = $2
           )
           UPDATE ${messages} SET id = $3, text = $4, search = $5 WHERE session = $1 AND position = $2`,
          [n, position, ids[0], texts[0], searched[0], mark],
        );
      });
    },
    delete: deletionOf(database, tables),
    async export(id, options) {
      const { rows, joins } = await database.readAtOnce(async (ask) => ({
        rows: await ask(whole, sessionColumns(id, options)),
        joins: await ask(
          `SELECT run_id, seq FROM ${appends} WHERE session = ${findSession(sessions)} ORDER BY run_id, seq`,
          sessionColumns(id, options),
        ),
      }));
      const found = toSession(rows);
      if (found === undefined) throw new SessionNotFoundError(id, options);
      const joined = joins.map((row) => [fromColumn(text(row, "run_id")), number(row, "seq")] as const);
      return printSession({ ...found, joined });
    },
    async import(jsonl, options) {
      const { messages: given, state, joined } = parseSession(jsonl);
      const id = options?.id ?? randomUUID();
      await database.write(async (transaction) => {
        const n = await add(transaction, id, options, toText(state));
        if (n === undefined) return;
        if (joined.length > 0)
          await transaction.ask(
            `INSERT INTO ${appends} (session, run_id, seq) SELECT $1, run_id, seq FROM unnest($2::text[], $3::bigint[]) AS given (run_id, seq) ON CONFLICT DO NOTHING`,
            [n, joined.map(([runId]) => toColumn(runId)), joined.map(([, seq]) => seq)],
          );
        if (given.length === 0) return;
        await transaction.ask(
          `INSERT INTO ${messages} (session, position, id, text, search)
           SELECT $1, place - 1, given.id, given.text, given.search
           FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS given (id, text, search, place)`,
          [n, ...messageColumns(given)],
        );
      });
      return id;
    },
  });
}

const ownerColumns = (owner: Owner | undefined): [tenant: string, owner: string] => [
  toTenant(owner?.tenantId),
  toOwner(owner?.userId),
];

/** A session from its rows, one for each message, or a single one if it has none. */
function toSession(rows: readonly Row[]): Omit<Session, "id"> | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    state: fromText<Session["state"]>(text(first, "state")),
    version: number(first, "version"),
    messages: rows.flatMap((row) => (typeof row["text"] === "string" ? [fromText<Message>(row["text"])] : [])),
  };
}

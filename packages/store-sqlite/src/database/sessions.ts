import type { Database } from "./database.ts";
import { Refused, refuse } from "../thread/failure.ts";
import type { DatabaseService, MessageColumns, SessionJoined, SessionKey, SessionTexts } from "../thread/service.ts";
import type { GroupCommit } from "./group-commit.ts";
import { mergeState } from "./session-state.ts";
import { sessionStatements } from "./session-statements.ts";

type SessionCalls = Pick<
  DatabaseService,
  | "loadSession"
  | "exportSession"
  | "joinSession"
  | "listSessions"
  | "searchSessions"
  | "branchSession"
  | "editMessage"
  | "deleteSession"
  | "importSession"
>;

/** Sessions that a run's release can write to. */
export interface SessionTables {
  readonly calls: SessionCalls;
  /** Inside a write: adds a run's messages once. */
  join(session: SessionJoined): void;
}

interface SessionRow {
  readonly n: number;
  readonly state: string;
}

export function sessionTables(database: Database, commits: GroupCommit): SessionTables {
  const sql = sessionStatements(database);

  const find = (key: SessionKey): SessionRow | undefined =>
    sql.find.get(key.id, key.tenantId) as SessionRow | undefined;

  function known(key: SessionKey): SessionRow {
    const row = find(key);
    if (row === undefined) throw notFound(key);
    return row;
  }

  function add(key: SessionKey, state: string, messages: readonly MessageColumns[]): number {
    if (find(key) !== undefined) {
      throw refuse("SESSION_EXISTS", `There is a session "${key.id}" already. Choose another id, or delete it first.`);
    }
    const n = Number(sql.insert.run(key.id, key.tenantId, state).lastInsertRowid);
    addMessages(n, messages);
    return n;
  }

  function addMessages(session: number, messages: readonly MessageColumns[]): void {
    let position = (sql.nextPosition.get(session) as { readonly position: number }).position;
    for (const { id, text, search } of messages) {
      sql.insertMessage.run(session, position, id, text, search);
      position += 1;
    }
  }

  const textsOf = ({ n, state }: SessionRow): SessionTexts => ({
    state,
    messages: sql.messages.all(n).map((row) => row["text"] as string),
  });

  function placeOf(row: SessionRow, key: SessionKey, messageId: string): number {
    const place = sql.position.get(row.n, messageId);
    if (place === undefined) throw notFound(key, messageId);
    return place["position"] as number;
  }

  function join({ key, messages, state, runId, seq }: SessionJoined): void {
    const row = find(key);
    const session = row?.n ?? add(key, "{}", []);
    if (sql.appended.run(session, runId, seq).changes === 0) return;
    addMessages(session, messages);
    sql.update.run(mergeState(row?.state ?? "{}", state), session);
  }

  return {
    join,
    calls: {
      loadSession: (key) =>
        commits.read(() => {
          const row = find(key);
          return row === undefined ? undefined : textsOf(row);
        }),
      exportSession: (key) =>
        commits.read(() => {
          const row = known(key);
          const joined = sql.joined
            .all(row.n)
            .map((join) => [join["run_id"] as string, join["seq"] as number] as const);
          return { ...textsOf(row), joined };
        }),
      joinSession: (session) => commits.write(() => join(session)),
      listSessions: (tenantId, limit) =>
        commits.read(() =>
          sql.list
            .all(tenantId, limit)
            .map((row) => ({ id: row["id"] as string, updatedAt: row["updated_at"] as number })),
        ),
      searchSessions: (tenantId, words, limit) =>
        commits.read(() =>
          sql.search
            .all(tenantId, JSON.stringify(words), limit)
            .map((row) => ({ id: row["id"] as string, text: row["text"] as string })),
        ),
      branchSession: (key, newId, uptoMessageId) =>
        commits.write(() => {
          const row = known(key);
          const last = uptoMessageId === undefined ? null : placeOf(row, key, uptoMessageId);
          sql.copyMessages.run(add({ ...key, id: newId }, row.state, []), row.n, last);
        }),
      editMessage: (key, messageId, { id, text, search }) =>
        commits.write(() => {
          const row = known(key);
          sql.edit.run(id, text, search, row.n, placeOf(row, key, messageId));
          sql.update.run(row.state, row.n);
        }),
      async deleteSession({ id, tenantId }) {
        await commits.write(() => sql.remove.run(id, tenantId));
      },
      async importSession(key, state, messages, joined) {
        await commits.write(() => {
          const session = add(key, state, messages);
          for (const [runId, seq] of joined) sql.appended.run(session, runId, seq);
        });
      },
    },
  };
}

function notFound(key: SessionKey, messageId?: string): Refused {
  const tenantId = key.tenantId ?? undefined;
  return new Refused({ kind: "session-not-found", sessionId: key.id, tenantId, messageId });
}

import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import {
  SessionNotFound,
  StoreError,
  messageText,
  parseSession,
  printSession,
  readPlain,
  sessionWindow,
  writePlain,
} from "@bailiwick/core";
import type { Message, SessionAppend, SessionScope, SessionStore } from "@bailiwick/core";
import type { GroupCommit } from "./group-commit.ts";
import { sessionStatements } from "./session-statements.ts";

/** Sessions that a run's release can write to. */
export interface SqliteSessions extends SessionStore {
  /** Inside a write: adds a run's messages once. */
  appendRun(session: SessionAppend): void;
}

interface SessionRow {
  readonly n: number;
  readonly id: string;
  readonly state: string;
}

export function createSessions(database: DatabaseSync, commits: GroupCommit): SqliteSessions {
  const sql = sessionStatements(database);

  const find = (id: string, scope: SessionScope | undefined): SessionRow | undefined =>
    sql.find.get(id, scope?.tenantId ?? null) as SessionRow | undefined;

  function known(id: string, scope: SessionScope | undefined): SessionRow {
    const row = find(id, scope);
    if (row === undefined) throw new SessionNotFound(id, scope?.tenantId);
    return row;
  }

  function add(id: string, scope: SessionScope | undefined, state: unknown, messages: readonly Message[]): number {
    if (find(id, scope) !== undefined) {
      throw new StoreError(
        "SESSION_EXISTS",
        `There is a session "${id}" already. Choose another id, or delete it first.`,
      );
    }
    const n = Number(sql.insert.run(id, scope?.tenantId ?? null, JSON.stringify(writePlain(state))).lastInsertRowid);
    addMessages(n, messages);
    return n;
  }

  function addMessages(session: number, messages: readonly Message[]): void {
    let position = (sql.nextPosition.get(session) as { readonly position: number }).position;
    for (const message of messages) {
      sql.insertMessage.run(
        session,
        position,
        message.id,
        JSON.stringify(writePlain(message)),
        messageText(message).toLowerCase(),
      );
      position += 1;
    }
  }

  const messagesOf = (session: number): readonly Message[] =>
    sql.messages.all(session).map((row) => parse(row["text"]));

  function placeOf(row: SessionRow, messageId: string, scope: SessionScope | undefined): number {
    const place = sql.position.get(row.n, messageId);
    if (place === undefined) throw new SessionNotFound(row.id, scope?.tenantId, messageId);
    return place["position"] as number;
  }

  function appendRun({ sessionId, messages, ...run }: SessionAppend): void {
    const row = find(sessionId, run);
    const session = row?.n ?? add(sessionId, run, {}, []);
    if (sql.appended.run(session, run.runId, run.seq).changes === 0) return;
    addMessages(session, messages);
    const before = row === undefined ? {} : parse<Record<string, unknown>>(row.state);
    sql.update.run(JSON.stringify(writePlain({ ...before, ...run.state })), session);
  }

  return {
    appendRun,
    load: (id, options) =>
      commits.read(() => {
        const row = find(id, options);
        if (row === undefined) return { id, messages: [], state: {} };
        return { id, messages: sessionWindow(messagesOf(row.n), options), state: parse(row.state) };
      }),
    append: (id, messages, run) =>
      commits.write(() => appendRun({ sessionId: id, messages, ...run, state: run.state ?? {} })),
    list: (options) =>
      commits.read(() =>
        sql.list
          .all(options?.tenantId ?? null, options?.limit ?? 50)
          .map((row) => ({ id: row["id"] as string, updatedAt: row["updated_at"] as number })),
      ),
    search: (query, options) =>
      commits.read(() => {
        const words = query
          .toLowerCase()
          .split(/\s+/u)
          .filter((word) => word !== "");
        if (words.length === 0) return [];
        return sql.search
          .all(options?.tenantId ?? null, JSON.stringify(words), options?.limit ?? 50)
          .map((row) => ({ id: row["id"] as string, message: parse(row["text"]) }));
      }),
    branch: (id, options) => {
      const newId = options?.newId ?? randomUUID();
      return commits.write(() => {
        const row = known(id, options);
        const end = options?.uptoMessageId === undefined ? undefined : placeOf(row, options.uptoMessageId, options) + 1;
        add(newId, options, parse(row.state), messagesOf(row.n).slice(0, end));
        return newId;
      });
    },
    edit: (id, messageId, message, options) =>
      commits.write(() => {
        const row = known(id, options);
        const place = placeOf(row, messageId, options);
        sql.edit.run(message.id, JSON.stringify(writePlain(message)), messageText(message).toLowerCase(), row.n, place);
        sql.update.run(row.state, row.n);
      }),
    async delete(id, options) {
      await commits.write(() => sql.remove.run(id, options?.tenantId ?? null));
    },
    export: (id, options) =>
      commits.read(() => {
        const row = known(id, options);
        return printSession({ messages: messagesOf(row.n), state: parse(row.state) });
      }),
    async import(jsonl, options) {
      const session = parseSession(jsonl);
      const id = options?.id ?? randomUUID();
      await commits.write(() => add(id, options, session.state, session.messages));
      return id;
    },
  };
}

function parse<T>(text: unknown): T {
  return readPlain(JSON.parse(text as string)) as T;
}

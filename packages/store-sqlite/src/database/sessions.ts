import type { Database } from "./database.ts";
import { RefusedError, refuse } from "../thread/failure.ts";
import type {
  DatabaseService,
  MessageColumns,
  SessionJoined,
  SessionKey,
  SessionTexts,
  StateResult,
  StateWrites,
} from "../thread/service.ts";
import type { GroupCommit } from "./group-commit.ts";
import { isSameJson, mergeState, openState, stateOf } from "./session-state.ts";
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
  | "importSession"
  | "loadState"
  | "writeState"
  | "shareSession"
>;

/** Sessions that a run's release can write to. */
export interface SessionTables {
  readonly calls: SessionCalls;
  /** Inside a write: adds a run's messages once. */
  join(session: SessionJoined): void;
  /** Inside a write: transfers a session without a user to the user of the key; false if there is none. */
  claim(key: SessionKey): boolean;
  /** Inside a write: deletes the session that an owner finds; true if it was shared. */
  remove(key: SessionKey): boolean;
}

const shared = "*";

/** The owner as a column: no user, or a user. */
const ownerOf = ({ userId }: Pick<SessionKey, "userId">): string => (userId === null ? "" : `=${userId}`);

interface SessionRow {
  readonly n: number;
  readonly state: string;
  readonly version: number;
  readonly owner: string;
}

export function sessionTables(database: Database, commits: GroupCommit): SessionTables {
  const sql = sessionStatements(database);

  const find = (key: SessionKey): SessionRow | undefined =>
    sql.find.get(key.id, key.tenantId, ownerOf(key)) as SessionRow | undefined;
  const findOwn = (key: SessionKey, owner = ownerOf(key)): SessionRow | undefined =>
    sql.findOwn.get(key.id, key.tenantId, owner) as SessionRow | undefined;

  function known(key: SessionKey): SessionRow {
    const row = find(key);
    if (row === undefined) throw sessionNotFound(key);
    return row;
  }

  function add(key: SessionKey, state: string, messages: readonly MessageColumns[]): number {
    if (findOwn(key) !== undefined) throw exists(key);
    const n = Number(sql.insert.run(key.id, key.tenantId, ownerOf(key), state).lastInsertRowid);
    addMessages(n, messages);
    return n;
  }

  const nextVersion = (session: number): number => sql.nextVersion.get(session)?.["version"] as number;

  function addMessages(session: number, messages: readonly MessageColumns[]): void {
    if (messages.length === 0) return;
    const version = nextVersion(session);
    let position = (sql.nextPosition.get(session) as { readonly position: number }).position;
    for (const { id, text, search } of messages) {
      sql.insertMessage.run(session, position, id, text, search, version);
      position += 1;
    }
  }

  const textsOf = ({ n, state, version }: SessionRow, asOf: number | null = null): SessionTexts => ({
    state,
    version,
    messages: sql.messages.all(n, asOf).map((row) => row["text"] as string),
  });

  function placeOf(row: SessionRow, key: SessionKey, messageId: string): number {
    const place = sql.position.get(row.n, messageId);
    if (place === undefined) throw sessionNotFound(key, messageId);
    return place["position"] as number;
  }

  function join({ key, messages, state, runId, seq }: SessionJoined): void {
    const row = find(key);
    const session = row?.n ?? add(key, "{}", []);
    if (sql.appended.run(session, runId, seq).changes === 0) return;
    addMessages(session, messages);
    sql.update.run(mergeState(row?.state ?? "{}", state), session);
  }

  /** Gives a session another owner, unless that owner has a session of this id. */
  function move(row: SessionRow, key: SessionKey, owner: string): void {
    if (findOwn(key, owner) !== undefined) throw exists(key);
    sql.setOwner.run(owner, row.n);
  }

  function writeState({ key, writes, runId, once }: StateWrites): StateResult {
    const row = find(key);
    const repeated = row === undefined || once === null ? undefined : sql.written.get(row.n, runId, once);
    if (repeated !== undefined) return { written: true, repeated: repeated["state"] as string };
    const before = row?.state ?? "{}";
    const stored = openState(before);
    const newer = writes.flatMap(({ name, expected }): [string, string | null][] => {
      const value = Object.hasOwn(stored, name) ? JSON.stringify(stored[name]) : null;
      return isSameJson(value, expected) ? [] : [[name, value]];
    });
    if (newer.length > 0) return { written: false, newer };
    const state = stateOf(writes.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
    const session = row?.n ?? add(key, "{}", []);
    sql.update.run(mergeState(before, state), session);
    if (once !== null) sql.write.run(session, runId, once, state);
    return { written: true };
  }

  return {
    join,
    claim(key) {
      const row = findOwn({ ...key, userId: null });
      if (row !== undefined) move(row, key, ownerOf(key));
      return row !== undefined;
    },
    remove(key) {
      const row = find(key);
      if (row !== undefined) sql.remove.run(row.n);
      return row?.owner === shared;
    },
    calls: {
      loadState: (key) => commits.read(() => find(key)?.state),
      writeState: (given) => commits.write(() => writeState(given)),
      shareSession: (key) =>
        commits.write(() => {
          const row = findOwn(key);
          if (row === undefined) throw sessionNotFound(key);
          move(row, key, shared);
        }),
      loadSession: (key, asOf) =>
        commits.read(() => {
          const row = find(key);
          return row === undefined ? undefined : textsOf(row, asOf);
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
      listSessions: (owner, limit) =>
        commits.read(() =>
          sql.list
            .all(owner.tenantId, ownerOf(owner), limit)
            .map((row) => ({ id: row["id"] as string, updatedAt: row["updated_at"] as number })),
        ),
      searchSessions: (owner, words, limit) =>
        commits.read(() =>
          sql.search
            .all(owner.tenantId, ownerOf(owner), JSON.stringify(words), limit)
            .map((row) => ({ id: row["id"] as string, text: row["text"] as string })),
        ),
      branchSession: (key, newId, uptoMessageId) =>
        commits.write(() => {
          const row = known(key);
          const last = uptoMessageId === undefined ? null : placeOf(row, key, uptoMessageId);
          const branch = add({ ...key, id: newId }, row.state, []);
          sql.copyMessages.run(branch, row.n, last, nextVersion(branch));
        }),
      editMessage: (key, messageId, { id, text, search }) =>
        commits.write(() => {
          const row = known(key);
          const place = placeOf(row, key, messageId);
          sql.keepFormer.run(row.n, place, nextVersion(row.n));
          sql.edit.run(id, text, search, row.n, place);
          sql.update.run(row.state, row.n);
        }),
      async importSession(key, state, messages, joined) {
        await commits.write(() => {
          const session = add(key, state, messages);
          for (const [runId, seq] of joined) sql.appended.run(session, runId, seq);
        });
      },
    },
  };
}

/** The session does not exist, or has no such message. */
export function sessionNotFound(key: SessionKey, messageId?: string): RefusedError {
  const owner = { tenantId: key.tenantId ?? undefined, userId: key.userId ?? undefined };
  return new RefusedError({ kind: "session-not-found", sessionId: key.id, owner, messageId });
}

function exists({ id }: SessionKey): RefusedError {
  return refuse("SESSION_EXISTS", `There is a session "${id}" already. Choose another id, or delete it first.`);
}

import { canonicalJson } from "@bailiwick/core/store";
import type { SessionStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import { text } from "../connection/statements.ts";
import { fromText, toText } from "../plain-text.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { findSession, openSession, sessionColumns } from "./join-session.ts";

type State = Readonly<Record<string, unknown>>;

/** The state of sessions, read and written separately. */
export function stateOf(database: Database, tables: Tables): Pick<SessionStore, "loadState" | "writeState"> {
  const { sessions, writes: written, nextChange } = tables;
  return {
    async loadState(id, owner) {
      const [row] = await database.read(
        `SELECT state FROM ${sessions} WHERE n = ${findSession(sessions)}`,
        sessionColumns(id, owner),
      );
      return row === undefined ? {} : fromText<State>(text(row, "state"));
    },
    writeState: (id, writes, { runId, once, ...owner }) =>
      database.write(async (transaction) => {
        const { ask } = transaction;
        const session = await openSession(transaction, tables, id, owner);
        const place = [session["n"], toColumn(runId), once === undefined ? null : toColumn(once)];
        const [repeated] =
          once === undefined
            ? []
            : await ask(`SELECT state FROM ${written} WHERE session = $1 AND run_id = $2 AND name = $3`, place);
        if (repeated !== undefined) return { written: true, repeated: fromText<State>(text(repeated, "state")) };
        const before = fromText<State>(text(session, "state"));
        const stored = (key: string): unknown => (Object.hasOwn(before, key) ? before[key] : undefined);
        const newer = writes.filter(({ key, expected }) => canonicalJson(stored(key)) !== canonicalJson(expected));
        if (newer.length > 0) {
          // A refused write does not create the session.
          if (session["made"] === "true") await ask(`DELETE FROM ${sessions} WHERE n = $1`, [session["n"]]);
          return { written: false, newer: Object.fromEntries(newer.map(({ key }) => [key, stored(key)])) };
        }
        const values = Object.fromEntries(writes.map(({ key, value }) => [key, value]));
        await ask(`UPDATE ${sessions} SET state = $2, updated_at = ${now}, changes = ${nextChange} WHERE n = $1`, [
          session["n"],
          toText({ ...before, ...values }),
        ]);
        if (once !== undefined)
          await ask(`INSERT INTO ${written} (session, run_id, name, state) VALUES ($1, $2, $3, $4)`, [
            ...place,
            toText(values),
          ]);
        return { written: true };
      }),
  };
}

import {
  MemoryNotFoundError,
  MemorySupersededError,
  TenantMismatchError,
  checkMemory,
  checkMemoryScope,
  checkVector,
  checkedMemories,
} from "@bailiwick/core/store";
import type { MemoryEntry, MemoryScope, MemoryStore, MemoryVector } from "@bailiwick/core/store";
import type { Database, Transaction } from "../connection/database.ts";
import { fromColumn, toColumn } from "../connection/names.ts";
import { number, text } from "../connection/statements.ts";
import type { Ask, Row } from "../connection/statements.ts";
import { toText } from "../plain-text.ts";
import type { Tables } from "../schema/tables.ts";
import { ownerColumn, parameters, seenBy } from "./conditions.ts";
import { entryColumns, newColumns, newEntry, toEntry, vectorColumns } from "./memory-rows.ts";
import { searchIn } from "./search.ts";

/** Memories of agents. */
export function memoriesOf(database: Database, tables: Tables): MemoryStore {
  const { memories } = tables;

  /** The entry with that id that a scope sees: its own before a shared one. */
  async function find(ask: Ask, id: string, scope: MemoryScope, lock = ""): Promise<Row | undefined> {
    const given = parameters();
    const seen = seenBy(scope, given);
    const [row] = await ask(
      `SELECT m.owner, m.kind, ${entryColumns} FROM ${memories} AS m WHERE m.id = ${given.add(toColumn(id), "text")} AND ${seen}
       ORDER BY m.owner = ${given.add(ownerColumn(scope.userId), "text")} DESC LIMIT 1 ${lock}`,
      given.values,
    );
    return row;
  }

  async function add({ ask, mark }: Transaction, entry: MemoryEntry, vector: MemoryVector | undefined): Promise<void> {
    const values = newEntry(entry, vector, mark);
    await ask(
      `INSERT INTO ${memories} (${newColumns}) VALUES (${values.map((_value, index) => `$${index + 1}`).join(", ")}) ON CONFLICT DO NOTHING`,
      values,
    );
  }

  return checkedMemories({
    name: database.name,
    async put(entry, vector) {
      checkMemory(entry, vector);
      await database.write((transaction) => add(transaction, entry, vector));
    },
    async supersede(id, by, vector) {
      checkMemory(by, vector);
      await database.write(async (transaction) => {
        const { ask, mark } = transaction;
        const row = await find(ask, id, by.scope, "FOR UPDATE");
        if (row === undefined) {
          // A block is gone if this write replaced it and its answer was lost.
          const [made] = await ask(
            `SELECT 1 FROM ${memories} WHERE tenant = $1 AND owner = $2 AND id = $3 AND mark = $4`,
            [ownerColumn(by.scope.tenantId), ownerColumn(by.scope.userId), toColumn(by.id), mark],
          );
          if (made !== undefined) return;
          throw new MemoryNotFoundError(id);
        }
        if (row["owner"] !== ownerColumn(by.scope.userId)) throw new TenantMismatchError(`The memory "${id}"`);
        const successor = row["superseded_by"];
        if (typeof successor === "string" && fromColumn(successor) !== by.id) throw new MemorySupersededError(id);
        // It was written, and has a successor by now: this is a repeated write.
        const [again] = await ask(
          `SELECT superseded_by FROM ${memories} WHERE tenant = $1 AND owner = $2 AND id = $3 FOR UPDATE`,
          [ownerColumn(by.scope.tenantId), ownerColumn(by.scope.userId), toColumn(by.id)],
        );
        if (typeof again?.["superseded_by"] === "string") return;
        await add(transaction, by, vector);
        if (row["kind"] === "working") await ask(`DELETE FROM ${memories} WHERE n = $1`, [row["n"]]);
        else
          await ask(
            `UPDATE ${memories} SET superseded_by = $2, superseded_at = $3, superseded_from = $4 WHERE n = $1`,
            [row["n"], toColumn(by.id), by.recordedAt, by.validFrom],
          );
      });
    },
    async get(id, scope) {
      const row = await database.readAtOnce((ask) => find(ask, id, scope));
      return row && toEntry(row);
    },
    async query(query) {
      checkMemoryScope(query.scope);
      const now = Date.now();
      return database.readAtOnce((ask) => searchIn(ask, tables, query, now));
    },
    async forget(id, scope) {
      let gone: readonly string[] = [];
      await database.write(async ({ ask }) => {
        const first = await find(ask, id, scope, "FOR UPDATE");
        // True also if an earlier attempt did it and its answer was lost, because the result is stored.
        if (first === undefined) return;
        const rows = await ask(
          `WITH RECURSIVE gone AS (
             SELECT n, tenant, id FROM ${memories} WHERE n = $1
             UNION
             SELECT m.n, m.tenant, m.id FROM ${memories} AS m JOIN gone ON m.tenant = gone.tenant
               AND (m.superseded_by = gone.id OR m.sources @> ARRAY[gone.id])
           ) DELETE FROM ${memories} WHERE n IN (SELECT n FROM gone) RETURNING id`,
          [first["n"]],
        );
        gone = rows.map((row) => fromColumn(text(row, "id")));
      });
      return gone;
    },
    async forgetAll(scope) {
      checkMemoryScope(scope);
      let count = 0;
      await database.write(async ({ ask }) => {
        const rows = await ask(`DELETE FROM ${memories} WHERE tenant = $1 AND owner = $2 RETURNING n`, [
          ownerColumn(scope.tenantId),
          ownerColumn(scope.userId),
        ]);
        count = Math.max(count, rows.length);
      });
      return count;
    },
    async withoutVector(scope, { model, dims }, limit) {
      const given = parameters();
      const { add: place } = given;
      const seen = seenBy(scope, given);
      const rows = await database.read(
        `SELECT ${entryColumns} FROM ${memories} AS m WHERE ${seen} AND m.superseded_by IS NULL
         AND (m.valid_to IS NULL OR m.valid_to > ${place(Date.now(), "double precision")})
         AND (m.model IS NULL OR m.model <> ${place(toColumn(model), "text")} OR m.dims <> ${place(dims, "integer")})
         ORDER BY m.n LIMIT ${place(limit, "bigint")}`,
        given.values,
      );
      return rows.map(toEntry);
    },
    async models(scope) {
      const given = parameters();
      const seen = seenBy(scope, given);
      const rows = await database.read(
        `SELECT DISTINCT m.model, m.dims FROM ${memories} AS m WHERE m.model IS NOT NULL AND ${seen}`,
        given.values,
      );
      return rows.map((row) => ({ model: fromColumn(text(row, "model")), dims: number(row, "dims") }));
    },
    async setVector(id, scope, vector, data) {
      if (vector !== undefined) checkVector(vector, vector.values.length);
      await database.write(async ({ ask }) => {
        const row = await find(ask, id, scope, "FOR UPDATE");
        if (row === undefined) return;
        if (data !== undefined) await ask(`UPDATE ${memories} SET data = $2 WHERE n = $1`, [row["n"], toText(data)]);
        if (vector !== undefined)
          await ask(`UPDATE ${memories} SET model = $2, dims = $3, vector = $4 WHERE n = $1`, [
            row["n"],
            ...vectorColumns(vector),
          ]);
      });
    },
  });
}

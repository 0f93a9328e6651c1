import { expect, test } from "vitest";
import { supportedFormat } from "../database/migrations.ts";
import { migrationCell, migrationStatements } from "./migration-cell.fixture.ts";

const statements = migrationStatements();
const isNote = (sql: string): boolean => sql.includes("PRAGMA user_version = ");
const isCommit = (sql: string): boolean => sql === "COMMIT";

test("each format is noted and committed in a separate transaction [journal.versioned]", () => {
  const marks = statements.filter((sql) => isNote(sql) || isCommit(sql) || sql.startsWith("BEGIN"));
  expect(marks).toHaveLength(3 * (supportedFormat - 1));
  for (let step = 0; step < marks.length; step += 3) {
    const [begin = "", note = "", commit = ""] = marks.slice(step, step + 3);
    expect([begin, isNote(note), isCommit(commit)]).toEqual(["BEGIN IMMEDIATE", true, true]);
  }
});

// `pnpm test:crash` kills after every statement.
test.each([
  ["in its midst", 1, 1],
  ["with the new format noted and nothing committed", statements.findIndex(isNote), 1],
  ["when its first step is committed", statements.findIndex(isCommit), 2],
  ["with the last format noted and nothing of it committed", statements.findLastIndex(isNote), supportedFormat - 1],
  ["when it is committed", statements.findLastIndex(isCommit), supportedFormat],
])(
  "a migration that is killed %s leaves a complete file, and the next opening has all of its data [journal.versioned]",
  async (_when, killedAfter, left) => {
    expect(await migrationCell(killedAfter)).toEqual({ reached: true, left, faults: [] });
  },
);

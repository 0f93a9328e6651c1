import { expect, test } from "vitest";
import { supportedFormat } from "../database/migrations.ts";
import { migrationCell } from "./migration-cell.fixture.ts";

// `pnpm test:crash` kills after every statement.
test.each([
  ["in its midst", 1, 1],
  ["with the new format noted and nothing committed", 4, 1],
  ["when its first step is committed", 5, 2],
  ["with the last format noted and nothing of it committed", 24, supportedFormat - 1],
  ["when it is committed", 25, supportedFormat],
])(
  "a migration that is killed %s leaves a whole file, and the next opening has all that was in it [journal.versioned]",
  async (_when, statements, left) => {
    expect(await migrationCell(statements)).toEqual({ reached: true, left, faults: [] });
  },
);

import { test } from "vitest";
import { optionTable, type OptionTable } from "./option-table.ts";

test("an option without a row in the table, and a row without an option, do not compile [options.one-place]", () => {
  const { maxTurns, ...rest } = optionTable.both;
  // @ts-expect-error the row of "maxTurns" is missing
  const forgotten: OptionTable["both"] = rest;
  // @ts-expect-error no option is called "maxPages"
  const unknown: OptionTable["both"] = { ...optionTable.both, maxPages: maxTurns };
  // @ts-expect-error a merge rule of another option's type
  const mixed: OptionTable["both"] = { ...optionTable.both, budget: optionTable.both.flow };
  void [forgotten, unknown, mixed];
});

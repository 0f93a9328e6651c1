import { test } from "vitest";
import type { Budget } from "../../contracts/run-options.ts";
import type { FieldsOf } from "./option-row.ts";
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

test("a group whose list lacks a field, or has another, does not compile [options.one-place]", () => {
  const [tokens, usd, durationMs] = [undefined, undefined, undefined];
  void ({ tokens, usd, durationMs } satisfies FieldsOf<Budget>);
  // @ts-expect-error "durationMs" is missing
  void ({ tokens, usd } satisfies FieldsOf<Budget>);
  // @ts-expect-error no field is called "ms"
  void ({ tokens, usd, durationMs, ms: undefined } satisfies FieldsOf<Budget>);
});

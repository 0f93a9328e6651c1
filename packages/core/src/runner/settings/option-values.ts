import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { said, shown } from "../../errors/value-checks.ts";
import type { OptionFacts } from "./option-row.ts";
import { optionTable } from "./option-table.ts";

const facts: Readonly<Record<string, OptionFacts>> = { ...optionTable.run, ...optionTable.agent, ...optionTable.both };

/**
 * Refuses values that an option cannot mean: they would be ignored, or fail far from here. The values of the others are
 * checked by `checkSettings`, or where they are read.
 *
 * @param options - An agent's or a run's; the names are known.
 * @param where - The agent or run, for the message.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkOptionValues(options: object, where: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const wrong = facts[name]?.check?.(value);
    if (wrong === undefined) continue;
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${said(name, wrong)}${shown(value)}.`);
  }
}

import type { InheritedRunOptions } from "../../contracts/run-options.ts";
import type { OptionFacts } from "./option-row.ts";
import { optionTable } from "./option-table.ts";

const ofAgents: readonly (readonly [name: string, facts: OptionFacts])[] = Object.entries<OptionFacts>({
  ...optionTable.both,
  ...optionTable.agent,
});

/** Options of an agent that apply to its programs in code mode. */
export const programOptions: readonly string[] = ofAgents.filter(([, facts]) => facts.program).map(([name]) => name);

/** Options of an agent that a composition accepts. */
export const compositionOptions: readonly string[] = ofAgents
  .filter(([, facts]) => facts.composition)
  .map(([name]) => name);

/**
 * Options of a run that its inner runs get: unchanged, except for functions that are called once. `parent` is made for
 * each call.
 */
export const handedOptions: readonly (keyof InheritedRunOptions)[] = Object.entries<{ readonly inside?: unknown }>({
  ...optionTable.both,
  ...optionTable.run,
})
  .filter(
    ([name, { inside }]) =>
      (inside === "as is" && name !== "parent") || (inside === "once" && Object.hasOwn(optionTable.run, name)),
  )
  .map(([name]) => name as keyof InheritedRunOptions);

import type { JsonValue, Runnable } from "@bailiwick/core";
import { toolNameOf } from "@bailiwick/core/extension";
import { aText, type ExpectedAnswer } from "./ask-author.ts";
import { checkCompositionOptions, checkNode, compose, type Composition, type CompositionOptions } from "./compose.ts";
import { textOfInput } from "./node-input.ts";
import { asAnswer, succeeded, valueOf, type BranchAnswer, type Merge } from "./parallel.ts";
import type { NodeCall } from "./program.ts";

const aList: ExpectedAnswer = { what: "a list", holds: Array.isArray };

/** Settings of `map`. */
export interface MapOptions<Item extends JsonValue> extends CompositionOptions {
  /** The items: JSON values. */
  readonly items: readonly Item[] | ((input: string) => readonly Item[] | Promise<readonly Item[]>);
  /** Name of the variable that holds the item in each run's `extraVars`; default `item`. `index` is there too. */
  readonly as?: string | undefined;
  /** Makes the input of each run; default the item as text, or as JSON. */
  readonly toInput?: ((item: Item, index: number) => string) | undefined;
  /** Default: a list of each run's structured answer or text. */
  readonly merge?: Merge<readonly BranchAnswer[]> | undefined;
}

/**
 * Runs one runnable for each item, in parallel, with the item in the run's `extraVars`.
 *
 * @param runnable - Runs once per item.
 * @param options - Items, mapping, merge, concurrency (default 8).
 * @throws ConfigurationError `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a node that is not an agent.
 *
 * @example
 * ```ts
 * import { map } from "@bailiwick/compose";
 * import type { Composition } from "@bailiwick/compose";
 * import type { Runnable } from "@bailiwick/core";
 *
 * export function summarizeLines(summarizer: Runnable): Composition {
 *   return map(summarizer, { items: (input) => input.split("\n") });
 * }
 * ```
 */
export function map<Item extends JsonValue>(runnable: Runnable, options: MapOptions<Item>): Composition {
  checkCompositionOptions("map", options, "items", "as", "toInput", "merge");
  const { items, as = "item", toInput, merge, ...settings } = options;
  checkNode("map", "the first argument", runnable);
  const node = toolNameOf(runnable.name);
  return compose(
    "map",
    new Map([[node, runnable]]),
    async ({ input, steps }, author) => {
      const [results] = steps;
      if (results === undefined) {
        const list = typeof items === "function" ? await author("items", items, [textOfInput(input)], aList) : items;
        if (list.length === 0)
          return { answer: asAnswer(merge === undefined ? [] : await author("merge", merge, [[]])) };
        const calls: NodeCall[] = [];
        for (const [index, item] of list.entries()) {
          const plain = typeof item === "string" ? item : JSON.stringify(item);
          const asked = toInput === undefined ? plain : await author("toInput", toInput, [item, index], aText);
          calls.push({ node, input: asked, extraVars: { [as]: item, index } });
        }
        return { calls };
      }
      const answers = succeeded(options.name ?? "map", results);
      return { answer: asAnswer(merge === undefined ? answers.map(valueOf) : await author("merge", merge, [answers])) };
    },
    settings,
  );
}

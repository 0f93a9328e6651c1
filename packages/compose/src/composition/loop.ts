import type { Runnable } from "@bailiwick/core";
import { aText, type ExpectedAnswer } from "./ask-author.ts";
import { checkCompositionOptions, compose, nameNodes, type Composition, type CompositionOptions } from "./compose.ts";
import { inputOf } from "./node-input.ts";
import type { BranchAnswer } from "./parallel.ts";
import { nodeFailed } from "./program-model.ts";

/** Settings of `loop`. */
export interface LoopOptions extends CompositionOptions {
  /** Called after each round; `true` ends the loop with that answer. */
  readonly until: (answer: BranchAnswer, round: number) => boolean | Promise<boolean>;
  /** Maximum number of rounds; after the last one, its answer counts. Default 10. */
  readonly maxRounds?: number | undefined;
  /** Makes the input of the next round; default the previous answer. */
  readonly toInput?: ((answer: BranchAnswer, round: number) => string) | undefined;
}

const defaultRounds = 10;

const yesOrNo: ExpectedAnswer = { what: "true or false", holds: (answer) => typeof answer === "boolean" };

/**
 * Runs a runnable again and again, each time with its last answer, until a condition holds.
 *
 * @param body - Runs once per round.
 * @param options - The condition and its bound.
 * @throws ConfigurationError `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a node that is not an agent.
 *
 * @example
 * ```ts
 * import { loop } from "@bailiwick/compose";
 * import type { Composition } from "@bailiwick/compose";
 * import type { Runnable } from "@bailiwick/core";
 *
 * export function polish(editor: Runnable): Composition {
 *   return loop(editor, { until: ({ text }) => text.length < 280, maxRounds: 3 });
 * }
 * ```
 */
export function loop(body: Runnable, options: LoopOptions): Composition {
  checkCompositionOptions("loop", options, "until", "maxRounds", "toInput");
  const { until, maxRounds = defaultRounds, toInput, ...settings } = options;
  const nodes = nameNodes("loop", [body]);
  const [node = ""] = nodes.keys();
  return compose(
    "loop",
    nodes,
    async ({ input, steps }, author) => {
      const last = steps.at(-1)?.[0];
      if (last === undefined) return { calls: [{ node, input }] };
      if (!last.ok) throw nodeFailed(options.name ?? "loop", last.error);
      const round = steps.length;
      if (round >= maxRounds || (await author("until", until, [last, round], yesOrNo))) return { answer: last };
      const next = toInput === undefined ? inputOf(last) : await author("toInput", toInput, [last, round], aText);
      return { calls: [{ node, input: next }] };
    },
    settings,
  );
}

import { checkKnownNames } from "@bailiwick/core";
import { named, type ScoredRun, type Scorer } from "../score.ts";

/** Options of a scorer of an amount. */
export interface LimitOptions {
  /** Largest amount that scores 1; more scores 0. Default: the amount is reported alone. */
  readonly atMost?: number | undefined;
}

function limit(name: string, unit: string, amountOf: (run: ScoredRun) => number, options: LimitOptions = {}): Scorer {
  checkKnownNames(options, ["atMost"], `${name}()`);
  const { atMost } = options;
  return named(name, (run) => {
    const amount = amountOf(run);
    const fits = atMost === undefined || amount <= atMost;
    return {
      value: fits ? 1 : 0,
      measured: { amount, unit },
      ...(!fits && { reason: `${amount} ${unit}, and at most ${atMost} fit` }),
    };
  });
}

/**
 * Questions to people.
 *
 * @param options - The largest number.
 */
export function questions(options?: LimitOptions): Scorer {
  return limit("questions", "questions", (run) => run.questions.length, options);
}

/**
 * Cost of a run. A run with an unknown price has no score.
 *
 * @param options - The largest cost, in US dollars.
 */
export function cost(options?: LimitOptions): Scorer {
  const amountOf = ({ costUsd, output }: ScoredRun): number => {
    if (costUsd === undefined)
      throw new Error(`the price of ${output.modelProvider}/${output.model} is unknown. Give the agent "prices"`);
    return costUsd;
  };
  return limit("cost", "USD", amountOf, options);
}

/**
 * Input and output tokens of a run.
 *
 * @param options - The largest number.
 */
export function tokens(options?: LimitOptions): Scorer {
  return limit("tokens", "tokens", (run) => run.tokens, options);
}

/**
 * Time during which a run was driven.
 *
 * @param options - The longest time, in milliseconds.
 */
export function latency(options?: LimitOptions): Scorer {
  return limit("latency", "ms", ({ ms }) => ms, options);
}

/**
 * Turns of a run.
 *
 * @param options - The largest number.
 */
export function turns(options?: LimitOptions): Scorer {
  return limit("turns", "turns", (run) => run.turns, options);
}

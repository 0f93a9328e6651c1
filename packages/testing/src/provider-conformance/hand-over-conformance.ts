import { checkArgument } from "@bailiwick/core";
import { assert as check, asyncProperty } from "fast-check";
import { arbitraryRun } from "./arbitrary-run.ts";
import type { ConformanceCase, ConformanceTraits, CreateModel } from "./conformance-case.ts";
import { playRun } from "./play-run.ts";

/** One model of the matrix. */
export interface HandOverModel {
  /** The name in the cases. */
  readonly name: string;
  /** Creates the model for a test case. */
  readonly createModel: CreateModel;
  /** Features that its protocol lacks. */
  readonly traits?: ConformanceTraits | undefined;
}

/**
 * Checks that a conversation can move between any two models: for each pair, random runs whose turns alternate between
 * the two, with reasoning, images and parallel calls, interrupted and with lost messages. Each prefix compiles to a
 * request that either model's strict server accepts.
 *
 * @param models - Models of all wires; a matrix of all pairs is made.
 * @param runs - Random runs for each pair; default 3.
 * @example
 * ```ts
 * import { handOverConformance, type HandOverModel } from "@bailiwick/testing/conformance";
 *
 * export function register(test: (name: string, run: () => Promise<void>) => void, models: readonly HandOverModel[]) {
 *   for (const { name, run } of handOverConformance(models)) test(name, run);
 * }
 * ```
 */
export function handOverConformance(models: readonly HandOverModel[], runs = 3): readonly ConformanceCase[] {
  checkArgument(models, "array", "handOverConformance(models)");
  return models.flatMap((from) =>
    models.map((to): ConformanceCase => {
      const players = [from, to].map(({ createModel, traits = {} }) => ({ createModel, traits }));
      return {
        name: `a conversation goes from ${from.name} to ${to.name} and back, at any point [providers.proof.hand-over] [providers.proof.every-prefix]`,
        run: () =>
          check(
            asyncProperty(arbitraryRun, (plan) => playRun(players, plan)),
            { numRuns: runs },
          ),
      };
    }),
  );
}

import { assert as check, asyncProperty } from "fast-check";
import { arbitraryRun } from "./arbitrary-run.ts";
import type { ConformanceCase, ConformanceSetup } from "./conformance-case.ts";
import { playRun } from "./play-run.ts";

/** Checks that no history is ever refused: random runs, each prefix of them sent to the strict server. */
export function prefixCases(setup: ConformanceSetup): readonly ConformanceCase[] {
  return [
    {
      name: "every prefix of any run compiles to a request that the vendor accepts [providers.proof.every-prefix] [field-bug:PB-orphan-history-05]",
      run: () =>
        check(
          asyncProperty(arbitraryRun, (plan) => playRun([setup], plan)),
          { numRuns: setup.traits.runs ?? 25 },
        ),
    },
  ];
}

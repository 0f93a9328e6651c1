import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { RunStore } from "@bailiwick/core";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";

/** The members of an evaluation's result that the command reads. */
export interface EvalResult {
  readonly name: string;
  readonly verdict: "passed" | "failed" | "undecided";
  readonly text: string;
}

/** The report of a rehearsal, as the command reads it. */
interface RehearsalResult {
  readonly counts: Readonly<Record<string, number>>;
  readonly text: string;
}

/** The functions of `@bailiwick/evals` that commands call: the package is that of the project. */
export interface InstalledEvals {
  evaluate(
    evaluation: unknown,
    options: {
      readonly store: RunStore;
      readonly only?: readonly string[] | undefined;
      readonly tags?: readonly string[] | undefined;
      readonly candidates?: readonly string[] | undefined;
      readonly repeat?: number | undefined;
      readonly fresh?: boolean | undefined;
      readonly rescore?: boolean | undefined;
      readonly budget?: { readonly usd: number } | undefined;
      readonly baseline?: unknown;
      readonly signal?: AbortSignal | undefined;
      readonly onProgress?: ((line: string) => void) | undefined;
    },
  ): Promise<EvalResult>;
  baselineOf(result: EvalResult): unknown;
  checkBaseline(given: unknown, evaluation: string, where: string): unknown;
  jsonReport(result: EvalResult): string;
  junitReport(result: EvalResult): string;
  markdownReport(result: EvalResult): string;
  rehearse(options: {
    readonly store: RunStore;
    readonly runs: Readonly<Record<string, unknown>>;
    readonly with: object;
  }): Promise<RehearsalResult>;
  questionStatistics(options: {
    readonly store: RunStore;
    readonly runs: Readonly<Record<string, unknown>>;
    readonly with?: object | undefined;
    readonly attacks?: object | undefined;
  }): Promise<{ readonly text: string }>;
}

/**
 * Loads `@bailiwick/evals` as the project of a file finds it.
 *
 * @throws CommandError `EVALS_NOT_INSTALLED`
 */
export async function installedEvals(path: string): Promise<InstalledEvals> {
  let address: string;
  try {
    address = pathToFileURL(createRequire(pathToFileURL(path)).resolve("@bailiwick/evals")).href;
  } catch (cause) {
    throw new CommandError(
      "EVALS_NOT_INSTALLED",
      `"@bailiwick/evals" is not installed where "${path}" is. Run: npm install --save-dev @bailiwick/evals`,
      exitCodes.failed.code,
      { cause },
    );
  }
  return (await import(address)) as InstalledEvals;
}

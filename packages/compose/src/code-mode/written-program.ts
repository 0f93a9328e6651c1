import type { ProgramCall, ProgramState } from "@bailiwick/core";

/** A program, with its calls and their results so far. */
export interface WrittenProgram {
  readonly source: string;
  readonly steps: readonly (readonly ProgramCall[])[];
  /** The id of the program's message: journaled, so it is the same in every process. */
  readonly id: string;
  readonly now: number;
}

/** The outcome of a program, kept with the answer of its run. */
export type ProgramEnd =
  | { readonly ok: true; readonly json?: string; readonly logs: readonly string[] }
  | { readonly ok: false; readonly code?: string; readonly message: string; readonly logs: readonly string[] };

/** Limits of each run of a program, from its top. */
export interface CodeLimits {
  /** Time limit in milliseconds, without the time of tool calls. Default 30,000. */
  readonly timeout?: number | undefined;
  /** Memory limit in MiB. Default 256. */
  readonly maxMemoryMB?: number | undefined;
}

/** Runs a program until it needs new calls or ends. */
export type CodeRunner = (
  program: WrittenProgram & { readonly signal: AbortSignal | undefined },
) => Promise<Extract<ProgramState, { kind: "calls" }> | ProgramEnd>;

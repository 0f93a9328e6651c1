import type { Hasher, SandboxPort } from "@bailiwick/core";
import type { CodeLimits, CodeRunner } from "./written-program.ts";

/** Settings that programs run with. */
export interface CodeTerms {
  /** Names of the tools. */
  readonly names: () => readonly string[];
  readonly maxSteps: number;
  readonly hasher: Hasher;
  readonly limits: CodeLimits;
}

/**
 * Runs programs in a sandbox.
 *
 * @param runProgram - The sandbox's function.
 * @param terms - Tools that programs may call, and limits.
 */
export function codeRunner(
  runProgram: NonNullable<SandboxPort["runProgram"]>,
  { names, maxSteps, hasher, limits }: CodeTerms,
): CodeRunner {
  return async ({ source, steps, id, now, signal }) => {
    const state = await runProgram({
      source,
      steps,
      now,
      // Random numbers differ between programs, and are the same for one program in every process.
      seed: Number.parseInt(hasher.sha256(id).slice(0, 8), 16),
      tools: names(),
      timeoutMs: limits.timeout,
      maxMemoryMB: limits.maxMemoryMB,
      signal,
    });
    switch (state.kind) {
      case "calls":
        if (steps.length < maxSteps) return state;
        return { ok: false, message: `It called tools in more than ${maxSteps} steps`, logs: [] };
      case "returned":
        return { ok: true, logs: state.logs, ...(state.json !== undefined && { json: state.json }) };
      case "threw":
        return { ok: false, message: state.message, logs: state.logs };
      default:
        return state satisfies never;
    }
  };
}

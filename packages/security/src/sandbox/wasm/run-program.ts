import type { ProgramRequest, ProgramState } from "@bailiwick/core";

import { defaultLimits } from "../driver.ts";
import { codeFailure, SandboxEndedError } from "../sandbox-errors.ts";
import { runInBox } from "./run-in-sandbox.ts";

/**
 * Runs a program in its own sandbox, until it ends or needs new results.
 *
 * @throws SandboxUnavailableError, SandboxSpawnFailedError, SandboxTimeoutError, SandboxMemoryExceededError, SandboxOutputExceededError, SandboxEndedError
 */
export async function runProgram(request: ProgramRequest): Promise<ProgramState> {
  const { source, tools, steps, now, seed, timeoutMs, maxMemoryMB, signal } = request;
  const outcome = await runInBox(
    { kind: "program", source, tools, steps, now, seed },
    {
      limits: {
        timeoutMs: timeoutMs ?? defaultLimits.timeoutMs,
        memoryMB: maxMemoryMB ?? defaultLimits.memoryMB,
        outputBytes: defaultLimits.outputBytes,
      },
      signal,
    },
  );
  switch (outcome.kind) {
    case "calls":
      return outcome;
    case "value":
      return { kind: "returned", json: outcome.json, logs: outcome.logs };
    case "threw":
      return { kind: "threw", message: codeFailure(outcome.error).message, logs: outcome.logs };
    case "refused":
      throw new SandboxEndedError("wasm", outcome.reason);
    default:
      return outcome satisfies never;
  }
}

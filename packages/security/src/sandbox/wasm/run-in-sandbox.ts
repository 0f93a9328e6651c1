import type { SandboxLimits } from "../driver.ts";
import {
  SandboxEndedError,
  SandboxMemoryExceededError,
  SandboxOutputExceededError,
  SandboxTimeoutError,
  SandboxUnavailableError,
} from "../sandbox-errors.ts";
import type { SandboxOutcome, SandboxTask } from "./messages.ts";
import { withThread } from "./thread-pool.ts";

/** Outcomes about the code, not about its limits. */
export type CodeOutcome = Exclude<SandboxOutcome, { readonly kind: "memory" | "output" | "ended" }>;

/** Settings of one task. */
export interface SandboxTerms {
  readonly limits: SandboxLimits;
  readonly signal?: AbortSignal | undefined;
  /** Receives messages of the code while it runs; an error thrown here ends the task. */
  readonly onTell?: ((name: string, args: readonly unknown[]) => void) | undefined;
}

const leastMemoryMB = 16;
const mostMemoryMB = 2_048;
/** The maximum delay of `setTimeout`. */
const longestDelayMs = 2_147_483_647;

/**
 * Refuses limits that cannot be enforced.
 *
 * @throws SandboxUnavailableError for one that cannot be enforced.
 */
export function checkMemory({ memoryMB }: Pick<SandboxLimits, "memoryMB">): void {
  if (memoryMB >= leastMemoryMB && memoryMB <= mostMemoryMB) return;
  throw new SandboxUnavailableError(
    "wasm",
    `its memory is from ${leastMemoryMB} to ${mostMemoryMB} MiB, and maxMemoryMB is ${memoryMB}`,
    "Give it a maxMemoryMB between them.",
  );
}

/**
 * Runs a task in a thread, within its limits. Settles once, whatever the code does, and leaves nothing running.
 *
 * @throws SandboxUnavailableError, SandboxSpawnFailedError, SandboxTimeoutError, SandboxMemoryExceededError, SandboxOutputExceededError, SandboxEndedError
 */
export async function runInBox(task: SandboxTask, { limits, signal, onTell }: SandboxTerms): Promise<CodeOutcome> {
  checkMemory(limits);
  const outcome = await withThread(async (thread, spend) => {
    let ended: Error | undefined;
    const end = (error: unknown): void => {
      ended ??= error instanceof Error ? error : new SandboxEndedError("wasm", String(error));
      spend();
    };
    const onAbort = (): void => end(new SandboxEndedError("wasm", "it was stopped"));
    const timer = setTimeout(
      () => end(new SandboxTimeoutError("wasm", limits.timeoutMs)),
      Math.min(limits.timeoutMs, longestDelayMs),
    );
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      if (signal?.aborted === true) onAbort();
      const settled = await thread.run(task, limits, (name, args) => {
        try {
          onTell?.(name, JSON.parse(args) as readonly unknown[]);
        } catch (error) {
          end(error);
        }
      });
      // The thread may continue, without a listener.
      if (settled.kind === "output") spend();
      if (ended !== undefined) throw ended;
      return settled;
    } catch (error) {
      throw ended ?? error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  });
  switch (outcome.kind) {
    case "memory":
      throw new SandboxMemoryExceededError("wasm", limits.memoryMB);
    case "output":
      throw new SandboxOutputExceededError("wasm", limits.outputBytes);
    case "ended":
      throw new SandboxEndedError("wasm", outcome.how);
    default:
      return outcome;
  }
}

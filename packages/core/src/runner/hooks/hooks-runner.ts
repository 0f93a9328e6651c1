import type { ErrorData } from "../../contracts/journal-event.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { ActiveRun } from "../active-run.ts";

/** How long a deciding hook or a guardrail may take, in milliseconds. */
export const decidingTimeoutMs = 10_000;

/** Why a deciding hook or a guardrail gave no verdict. */
export interface HookFailure {
  readonly hook: string;
  readonly error: Error;
}

/** What a deciding hook returned, or why it counts as a refusal. */
export type HookVerdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: HookFailure };

/** A thrown value as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error(typeof thrown === "string" ? thrown : String(thrown), { cause: thrown });
}

/** An error as data, for events and outputs. */
export function toErrorData(error: Error): ErrorData {
  return {
    name: error.name,
    code: BailiwickError.isInstance(error) ? error.code : "ERROR",
    message: error.message,
  };
}

/**
 * Runs an observing hook. What it throws is logged and journaled as `hook.failed`; the run goes on.
 *
 * @param hook - The hook's name.
 * @param call - Calls it; nothing happens when it is not set.
 * @throws The hook's own error, with `hooksAreFatal`.
 */
export async function observe(run: ActiveRun, hook: string, call: (() => unknown) | undefined): Promise<void> {
  if (call === undefined) return;
  try {
    await call();
  } catch (thrown) {
    const error = toError(thrown);
    run.logger.warn(`The hook "${hook}" of run ${run.runId} threw: ${error.message}`, { error });
    run.journal.record({ type: "hook.failed", hook, error: toErrorData(error) });
    if (run.settings.hooksAreFatal) throw error;
  }
}

/**
 * Runs a deciding hook, which fails closed: a throw, or no answer within 10 seconds, is a refusal.
 *
 * @param hook - The hook's name.
 * @param call - Calls it.
 */
export async function decide<T>(run: ActiveRun, hook: string, call: () => T | Promise<T>): Promise<HookVerdict<T>> {
  try {
    const returned = call();
    if (!isThenable(returned)) return { ok: true, value: returned };
    return { ok: true, value: await within(run, hook, returned) };
  } catch (thrown) {
    const error = toError(thrown);
    run.journal.record({ type: "hook.failed", hook, error: toErrorData(error) });
    return { ok: false, failure: { hook, error } };
  }
}

function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

function within<T>(run: ActiveRun, hook: string, pending: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = run.clock.setTimer(() => {
      reject(
        new BailiwickError(
          "HOOK_TIMEOUT",
          `The hook "${hook}" gave no answer within ${decidingTimeoutMs} ms, which counts as a refusal.`,
          {
            runId: run.runId,
          },
        ),
      );
    }, decidingTimeoutMs);
    pending.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(toError(error));
      },
    );
  });
}

import { BailiwickError } from "../../errors/bailiwick-error.ts";

/** Values that follow asynchronous calls, on platforms that have them. */
interface AsyncContext<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  getStore(): Value | undefined;
}

const context = asyncContext<readonly string[]>();

function asyncContext<Value>(): AsyncContext<Value> | undefined {
  const platform = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process;
  const module = platform?.getBuiltinModule?.("node:async_hooks") as
    | { readonly AsyncLocalStorage?: new () => AsyncContext<Value> }
    | undefined;
  return module?.AsyncLocalStorage === undefined ? undefined : new module.AsyncLocalStorage();
}

/** Drives a run that holds its session: a run that is started in `work` must not wait for that session. */
export function whileHolding<Result>(runId: string, work: () => Result): Result {
  return context === undefined ? work() : context.run([...(context.getStore() ?? []), runId], work);
}

/**
 * The runs inside which this code is called: a tool of such a run, or of a run inside it, called it.
 *
 * @param parent - The handle of the calling run, for platforms without asynchronous context.
 */
export function drivingRuns(parent: { readonly runId: string } | undefined): ReadonlySet<string> {
  const runs = new Set(context?.getStore());
  if (parent !== undefined) runs.add(parent.runId);
  return runs;
}

/** The error of a run that would wait for a session which a run around it holds: the wait could not end. */
export function heldByOuterRun(sessionId: string, holder: string): BailiwickError {
  return new BailiwickError(
    "SESSION_OF_CALLER",
    `Session "${sessionId}" is held by run "${holder}", whose tool or hook starts this run: the wait could not end. Use another session, or call enqueue(), which starts the run when run "${holder}" has ended.`,
  );
}

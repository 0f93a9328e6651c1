import { ConfigurationError, type RunOutput, checkArgument } from "@bailiwick/core";
import { createCrew } from "./crew.ts";
import { checkOptions, type DriveDueOptions } from "./options.ts";
import { createTicker } from "./schedules/ticker.ts";

/** Options of one pass. */
export interface PassOptions extends DriveDueOptions {
  /** Maximum number of runs; default 100. */
  readonly limit?: number | undefined;
  /**
   * Gives unfinished runs back to the queue after this many milliseconds, before a platform stops the process. A
   * claimed run makes at least one step, within `drainMs`.
   */
  readonly withinMs?: number | undefined;
}

/**
 * Starts the runs of schedules whose tick has passed, drives the runs that are due now, and returns: for a platform's
 * cron, a Durable Object's alarm, or a serverless function. Use `worker` in a long-running process.
 *
 * @param options - The agents, their store, and the maximum number of runs.
 * @returns the outputs of the driven runs, also of those that failed, in the order in which they ended.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws StoreError if the store cannot be read.
 * @example
 * ```ts
 * import type { AgentRuntime, RunStore } from "@bailiwick/core";
 * import { driveDue } from "@bailiwick/worker";
 *
 * export async function everyMinute(agent: AgentRuntime, store: RunStore): Promise<number> {
 *   const outputs = await driveDue({ agents: [agent], store, withinMs: 50_000 });
 *   return outputs.length;
 * }
 * ```
 */
export async function driveDue(options: PassOptions): Promise<readonly RunOutput[]> {
  checkArgument(options, "object", "driveDue({ agents, store })");
  const outputs: RunOutput[] = [];
  const checked = checkOptions(options, "driveDue()", ["limit", "withinMs"]);
  const { limit = 100, withinMs, signal } = options;
  for (const [name, value] of Object.entries({ limit, withinMs })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      throw new ConfigurationError("INVALID_OPTION", `driveDue(): "${name}" must be a whole number of 1 or more.`);
  }
  const crew = createCrew({
    ...checked,
    onRun(run) {
      if (run.output !== undefined) outputs.push(run.output);
      return checked.onRun?.(run);
    },
  });
  let stopping: Promise<void> | undefined;
  const stop = (): void => void (stopping ??= crew.giveBack());
  if (signal?.aborted === true) {
    await crew.giveBack();
    return outputs;
  }
  signal?.addEventListener("abort", stop, { once: true });
  const beganAt = Date.now();
  const ticker = createTicker(checked);
  await ticker.tick();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    let left = limit;
    for (;;) {
      let claimed = await crew.claim(left);
      if (claimed === 0 && crew.driven.size === 0) {
        // The next missed tick of a schedule may have waited for the run of the one before it.
        await ticker.tick();
        claimed = await crew.claim(left);
      }
      left -= claimed;
      // The deadline counts from the first claim: otherwise a pass with a slow start would never drive a run.
      if (withinMs !== undefined) timer ??= setTimeout(stop, withinMs - (Date.now() - beganAt));
      if (claimed === 0 && crew.driven.size === 0) return outputs;
      await crew.ended();
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await crew.settled();
    await stopping;
  }
}

import type { StoredRun } from "../contracts/ports/run-store.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { checkKnownNames } from "../errors/known-names.ts";
import { isBusy, RunError } from "../errors/run-errors.ts";
import { callback, having, number, said, shape, type Check } from "../errors/value-checks.ts";
import type { AgentShared } from "./start/agent-shared.ts";
import { giveBackLeftOver } from "./give-back-run.ts";
import { toError } from "../user-code/call-user-code.ts";

/** Which runs are recovered, how many at once, and until when. */
export interface RecoverOptions {
  /** Runs at most; default 10. */
  readonly limit?: number | undefined;
  /** Runs that are driven at the same time; default 8. Runs of one session are driven one after the other. */
  readonly concurrency?: number | undefined;
  /** Takes up no further run once it is aborted; those that were taken up go on. */
  readonly signal?: AbortSignal | undefined;
  /** Is told what became of each run as soon as it is known, also of those that could not be driven. */
  readonly onRun?: ((run: RecoveredRun) => void) | undefined;
}

/** What became of a run that was found. */
export interface RecoveredRun {
  readonly runId: string;
  /** What it made, also where it failed or waits again; not there when it could not be driven. */
  readonly output?: RunOutput | undefined;
  /**
   * Why it failed or could not be driven: `RUN_BUSY` when somebody else was faster, `RUN_GIVEN_UP` when it ended its
   * process too often, or what its resumption threw.
   */
  readonly error?: Error | undefined;
}

/** Lease expiries without progress after which a run is not taken up again: it would crash every process that does. */
const maxAttempts = 5;

/** Runs of a store that are looked at to find those of this agent. */
const mostLookedAt = 10_000;

/**
 * Drives runs that nobody drives: those that are ready, sleepers whose time has come, and those whose process died and
 * whose lease has run out since. Runs of other agents are left alone, and a run inside a tool call goes on with the run that
 * made the call. A slow run holds up only the other runs of its session, and a failed one holds up no other. Runs that may
 * have ended their process are driven last, one at a time.
 *
 * @param resume - Takes up one run, unless somebody did since it was found.
 * @returns the outputs of the runs that were driven, those that failed included, in the order in which they were found.
 * @throws ConfigurationError `INVALID_OPTION`, `UNKNOWN_OPTION`
 */
export async function recoverRuns(
  shared: AgentShared,
  options: RecoverOptions,
  resume: (run: StoredRun) => Promise<RunOutput>,
): Promise<readonly RunOutput[]> {
  checkRecoverOptions(options);
  const { limit = 10, concurrency = 8, signal, onRun } = options;
  await giveBackLeftOver(shared);
  const { taken, givenUp } = await findRuns(shared, limit);
  const outputs = new Map<string, RunOutput>();

  const report = (run: RecoveredRun): void => {
    if (run.output !== undefined) outputs.set(run.runId, run.output);
    try {
      onRun?.(run);
    } catch (thrown) {
      shared.logger.error(`What onRun did for run ${run.runId} failed.`, { error: toError(thrown) });
    }
  };

  const drive = async (run: StoredRun): Promise<void> => {
    const { id: runId } = run;
    try {
      report({ runId, output: await resume(run) });
    } catch (thrown) {
      const error = toError(thrown);
      const { output } = error as { readonly output?: RunOutput };
      if (output === undefined && !isBusy(error))
        shared.logger.error(`Run ${runId} could not be recovered: ${error.message}`, { error });
      report({ runId, output, error });
    }
  };

  for (const { id, attempts } of givenUp) {
    const error = new RunError(
      "RUN_GIVEN_UP",
      `Run "${id}" ended its process ${attempts} times without getting further; it is not taken up again. Inspect it, then resume or cancel it.`,
      { runId: id },
    );
    shared.logger.error(error.message);
    report({ runId: id, error });
  }

  const lanes = bySession(taken.filter((run) => !isSuspect(run)));
  const work = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      for (const run of lane) {
        if (signal?.aborted === true) return;
        await drive(run);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, lanes.length) }, work));
  const suspects = taken.filter(isSuspect).sort((a, b) => a.attempts - b.attempts);
  for (const run of suspects) {
    if (signal?.aborted === true) break;
    await drive(run);
  }
  return taken.flatMap(({ id }) => outputs.get(id) ?? []);
}

interface FoundRuns {
  readonly taken: readonly StoredRun[];
  readonly givenUp: readonly StoredRun[];
}

/** Runs of other agents, and those that are given up, take no place from those that can be driven. */
async function findRuns({ definition: { store, name } }: AgentShared, limit: number): Promise<FoundRuns> {
  const own = new Map<string, StoredRun>();
  for (const list of [(most: number) => store.listExpired(most), (most: number) => store.listRunnable(most)]) {
    for (let asked = limit; ; asked = Math.min(asked * 8, mostLookedAt)) {
      const found = await list(asked);
      const mine = found.filter((run) => run.agentId === name && run.parent === undefined);
      if (found.length >= asked && asked < mostLookedAt && mine.filter(isTakenUp).length < limit) continue;
      for (const run of mine) own.set(run.id, run);
      break;
    }
  }
  const runs = [...own.values()];
  return { taken: runs.filter(isTakenUp).slice(0, limit), givenUp: runs.filter((run) => !isTakenUp(run)) };
}

/**
 * A run whose process died with it at least twice, without progress between. It is driven alone: if it kills this process
 * too, no other run is counted as having done so.
 */
const isSuspect = ({ attempts }: StoredRun): boolean => attempts > 0;

const isTakenUp = ({ attempts }: StoredRun): boolean => attempts < maxAttempts;

/** Runs of one session, the oldest first, each session where its first run was found. */
function bySession(runs: readonly StoredRun[]): StoredRun[][] {
  const lanes = new Map<string, StoredRun[]>();
  for (const run of runs) {
    const key = JSON.stringify([run.tenantId ?? null, run.userId ?? null, run.sessionId]);
    lanes.set(key, [...(lanes.get(key) ?? []), run]);
  }
  return [...lanes.values()].map((lane) => lane.sort((a, b) => a.createdAt - b.createdAt));
}

const optionChecks: Readonly<Record<keyof RecoverOptions, Check>> = {
  limit: number(1, "runs", true),
  concurrency: number(1, "runs", true),
  signal: having("an AbortSignal", "addEventListener", "removeEventListener"),
  onRun: callback,
};

function checkRecoverOptions(options: RecoverOptions): void {
  checkKnownNames(options, Object.keys(optionChecks), "recover()");
  const wrong = shape(optionChecks)(options);
  if (wrong !== undefined) throw new ConfigurationError("INVALID_OPTION", `recover(): ${said("options", wrong)}.`);
}

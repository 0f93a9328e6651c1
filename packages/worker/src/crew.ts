import {
  BailiwickError,
  RunError,
  type AgentRuntime,
  type Claim,
  type ClaimedAgent,
  type ClaimedRun,
  type DriveOptions,
  type RunOutput,
} from "@bailiwick/core";
import { errorFacts, randomIds, tellUserCode } from "@bailiwick/core/extension";
import type { Checked, DrivenRunReport } from "./options.ts";
import { tenantMeter } from "./tenant-limits.ts";

/** Claims runs and drives them, within the limits of a worker. */
export interface Crew {
  /** Number of runs that are driven now. */
  readonly driven: ReadonlySet<string>;
  /**
   * Claims as many runs as the limits allow, and starts to drive them.
   *
   * @param most - Maximum number of runs.
   * @returns the number of claimed runs.
   */
  claim(most?: number): Promise<number>;
  /** Time of the next possible claim, in milliseconds since the epoch; from the last claim. */
  nextAt(): number | undefined;
  /** Resolves when the next driven run ends here. */
  ended(): Promise<void>;
  /** Resolves when no run is driven any more. */
  settled(): Promise<void>;
  /** Gives runs back: after their step, and after `drainMs` at once. From then on, no run is claimed. */
  giveBack(): Promise<void>;
}

/** Maximum wait for an idle worker, in milliseconds, of runs that may have crashed their process. */
const longestSuspicionMs = 30_000;

/**
 * Creates the functions that drive runs for one worker.
 *
 * @param onEnded - Called when a run is not driven here any more: another one can be claimed.
 */
export function createCrew(options: Checked, onEnded?: () => void): Crew {
  const { agents, store, logger, maxAttempts, retry, drainMs } = options;
  const owner = `worker:${randomIds.next("owner")}`;
  const ttlMs = Math.max(...agents.map(({ runtime }) => runtime.leaseMs));
  const now = (): number => Date.now();
  const meter = tenantMeter(options.tenants.tokensPerMinute, now);
  const driven = new Map<string, { readonly runtime: AgentRuntime; readonly done: Promise<void> }>();
  const byName = new Map(agents.flatMap((agent) => agent.claims.map(({ agentId }) => [agentId, agent] as const)));
  /** Failures of a run in this worker, for the delay before the next try. */
  const failures = new Map<string, number>();
  const soon = new AbortController();
  const atOnce = new AbortController();
  const endWaiters: (() => void)[] = [];
  let last: Claim | undefined;
  let alone = false;
  let suspectedSince: number | undefined;
  let stopped = false;

  function report(run: DrivenRunReport): void {
    tellUserCode(
      () => options.onRun?.(run),
      (error) => logger.error(`onRun failed for run ${run.runId}.`, { error }),
    );
  }

  /**
   * Puts a run back in the queue, with a longer delay each time.
   *
   * @returns `false` if another process has it.
   */
  async function tryAgain(claimed: ClaimedRun, { clock }: AgentRuntime): Promise<boolean> {
    const { id } = claimed.run;
    const count = (failures.get(id) ?? 0) + 1;
    const pauseMs = Math.min(retry.firstMs * 2 ** Math.min(count - 1, 30), retry.longestMs);
    const isOurs = await putBack(claimed, clock.now() + pauseMs);
    if (isOurs) failures.set(id, count);
    return isOurs;
  }

  async function putBack({ run, lease }: ClaimedRun, dueAt: number): Promise<boolean> {
    try {
      return await store.requeue(run.id, lease.epoch, dueAt);
    } catch (error) {
      logger.warn(`Run ${run.id} could not be put back in the queue.`, { error });
      return true;
    }
  }

  async function afterError(runtime: AgentRuntime, claimed: ClaimedRun, error: Error): Promise<void> {
    const { id, deadlineAt } = claimed.run;
    const code = BailiwickError.isInstance(error) ? error.code : "";
    const { origin, forRun } = errorFacts(error);
    if (forRun === "giveBack") {
      // The owner of this process gave the run back, so that another one drives it at once.
      if (origin !== "host") return;
      if (await tryAgain(claimed, runtime)) logger.warn(`Run ${id} was given back: ${error.message}`, { error });
      return;
    }
    // The run belongs to its server. A worker ends it as expired if the server has not continued it by its deadline.
    if (code === "CALLER_MODEL_MISSING" && deadlineAt !== undefined) return void (await putBack(claimed, deadlineAt));
    const failed = outputOf(error) !== undefined;
    if (failed && (!isRetryable(error) || (failures.get(id) ?? 0) >= retry.attempts)) {
      failures.delete(id);
      return;
    }
    if (!failed) logger.error(`Run ${id} could not be driven: ${error.message}`, { error });
    await tryAgain(claimed, runtime);
  }

  async function drive(runtime: AgentRuntime, claimed: ClaimedRun, askedAt: DriveOptions["askedAt"]): Promise<void> {
    const { id: runId, tenantId } = claimed.run;
    const about = { runId, agentName: runtime.name, tenantId };
    let output: RunOutput | undefined;
    let spentBefore = 0;
    let ended: DrivenRunReport = about;
    try {
      // An output covers the whole run: the usage before this drive is already charged.
      if (meter.countsTokens) spentBefore = (await runtime.inspect(runId)).progress.usage.totalTokens;
      output = await runtime.driveClaimed(claimed, { handOver: { soon: soon.signal, now: atOnce.signal }, askedAt });
      failures.delete(runId);
      ended = { ...about, output };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      output = outputOf(error);
      await afterError(runtime, claimed, error);
      ended = { ...about, output, error };
    } finally {
      meter.ended(tenantId, output === undefined ? 0 : output.usage.totalTokens - spentBefore);
      // Last: the function may change what it gets.
      report(ended);
      driven.delete(runId);
      if (driven.size === 0) alone = false;
      for (const resolve of endWaiters.splice(0)) resolve();
      onEnded?.();
    }
  }

  function reportStuck(runIds: readonly string[]): void {
    for (const runId of runIds) {
      const error = new RunError(
        "RUN_STUCK",
        `Run "${runId}" ended its process ${maxAttempts} times without progress, so no worker drives it. Inspect it, then call retryRun() or cancel it.`,
        { runId },
      );
      logger.error(error.message);
      report({ runId, agentName: "", tenantId: undefined, error });
    }
  }

  /** The claims of agents that can drive another run. */
  function openClaims(): readonly ClaimedAgent[] {
    const busy = (runtime: AgentRuntime): number =>
      [...driven.values()].filter((one) => one.runtime === runtime).length;
    return agents.filter(({ runtime, concurrency }) => busy(runtime) < concurrency).flatMap(({ claims }) => claims);
  }

  const { concurrency, runsPerMinute } = options.tenants;
  const tenantLimit =
    concurrency === undefined && runsPerMinute === undefined ? undefined : { concurrency, runsPerMinute };
  // In a claim of several runs, the later ones could exceed a limit of this process.
  const oneByOne = meter.countsTokens || agents.some(({ concurrency }) => concurrency < options.concurrency);

  async function giveBackHeld(): Promise<void> {
    for (const { runtime } of agents) await runtime.giveBackHeld();
  }

  async function claimOnce(limit: number, suspects: boolean): Promise<Claim> {
    const askedAt = new Map(
      agents.map(({ runtime }) => [runtime, { wall: runtime.clock.now(), steady: performance.now() }]),
    );
    const claim = await store.claim({
      owner,
      ttlMs,
      limit: oneByOne ? 1 : limit,
      agents: openClaims(),
      exceptTenants: meter.atLimit(),
      tenantLimit,
      tenantWeights: options.tenants.weights,
      maxAttempts,
      suspects,
    });
    last = claim;
    reportStuck(claim.stuck);
    for (const claimed of claim.runs) {
      const agent = byName.get(claimed.run.agentId);
      if (agent === undefined) continue;
      const done = drive(agent.runtime, claimed, askedAt.get(agent.runtime));
      driven.set(claimed.run.id, { runtime: agent.runtime, done });
    }
    return claim;
  }

  return {
    get driven() {
      return new Set(driven.keys());
    },
    async claim(most = Number.POSITIVE_INFINITY) {
      let count = 0;
      await giveBackHeld();
      while (!stopped && !alone) {
        const room = Math.min(options.concurrency - driven.size, most - count);
        if (room < 1 || openClaims().length === 0) break;
        // Other runs wait, so that a run that may have crashed its process is driven alone.
        if (suspectedSince !== undefined && driven.size > 0 && now() - suspectedSince > longestSuspicionMs) break;
        const claim = await claimOnce(room, false);
        count += claim.runs.length;
        suspectedSince = claim.suspects ? (suspectedSince ?? now()) : undefined;
        if (claim.runs.length > 0) continue;
        if (!claim.suspects || driven.size > 0 || count >= most || stopped) break;
        alone = true;
        const { runs } = await claimOnce(1, true);
        count += runs.length;
        if (runs.length === 0) alone = false;
        break;
      }
      return count;
    },
    nextAt() {
      const times = [last?.nextDueAt, meter.freeAt()].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    ended: () => (driven.size === 0 ? Promise.resolve() : new Promise((resolve) => endWaiters.push(resolve))),
    settled: async () => {
      while (driven.size > 0) await Promise.all([...driven.values()].map(({ done }) => done));
    },
    async giveBack() {
      stopped = true;
      await giveBackHeld();
      soon.abort();
      const timer = setTimeout(() => atOnce.abort(), drainMs);
      try {
        await this.settled();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function outputOf(error: Error): RunOutput | undefined {
  return (error as { readonly output?: RunOutput }).output;
}

function isRetryable(error: Error): boolean {
  return (error as { readonly retryable?: unknown }).retryable === true;
}

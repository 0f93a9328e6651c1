import { isEnded } from "../contracts/stop-reason.ts";
import type { Decision, Interruption } from "../contracts/interruption.ts";
import type { Owner } from "../contracts/owner.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { PlatformPorts } from "../contracts/ports/platform.ts";
import type { SecurityPorts } from "../contracts/ports/security.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import type { RunEvent } from "../contracts/run-event.ts";
import type { RunHandle } from "../contracts/run-handle.ts";
import type { AgentOptions, RunInput, RunOptions } from "../contracts/run-options.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import type { Preflight, PreflightOptions } from "../contracts/preflight.ts";
import type { ToolExplanation } from "../contracts/tool-explanation.ts";
import { RunError } from "../errors/run-errors.ts";
import { eventBus } from "../events/event-bus.ts";
import { createRunStream } from "../events/run-stream.ts";
import { systemClock } from "../journal/system-clock.ts";
import { defineAgent } from "./agent/agent-definition.ts";
import type { AgentShared } from "./start/agent-shared.ts";
import { ownCopy } from "../user-code/copies.ts";
import { consoleLogger, scrubbedLogger } from "./settings/console-logger.ts";
import type { CheckedAgent } from "./checked-agent.ts";
import { followRun, type FollowOptions } from "./resume/follow.ts";
import { forkRun, type ForkOptions } from "./resume/fork.ts";
import { inspectRun, restingOutput, type RunInspection } from "./resume/inspect.ts";
import { createLeaseKeeper } from "./lease-keeper.ts";
import { createLiveRun, type LiveRun } from "./start/live-run.ts";
import { loadRun } from "./start/load-run.ts";
import { endCancelled, openNewRun, openStoredRun } from "./open-run.ts";
import { deliverDecisions, type Purpose } from "./take-up-run.ts";
import { checkResumeIdentity, checkResumeOptions, type ResumeOptions } from "./resume/check-resume.ts";
import { checkDecisionList } from "./inbox/check-decision.ts";
import { enqueueRun, type EnqueueOptions, type EnqueuedRun } from "./enqueue.ts";
import { giveBackLeftOver } from "./give-back-run.ts";
import { driveClaimed, type DriveOptions } from "./drive-claimed.ts";
import type { ClaimedRun } from "../contracts/ports/run-store.ts";
import { verifyAudit, type AuditVerdict } from "./resume/verify-audit.ts";
import { sendSignal } from "./inbox/signals.ts";
import { rebuildRequest, type RebuiltRequest } from "./resume/rebuild-request.ts";
import type { InsideRequest } from "./inside/inside-request.ts";
import { liveInside, runInside, runInsideTool } from "./inside/run-inside.ts";
import { callerOf } from "./caller/caller.ts";
import { sealedSessions } from "../journal/sealed-sessions.ts";
import { createSessionQueue } from "./start/session-queue.ts";
import { toUserMessage } from "./start/start-run.ts";
import { messageSignal } from "./inbox/steering.ts";
import { openInterruptions, storedOutput } from "./end/suspended-output.ts";
import type { AgentRole } from "./settings/option-row.ts";
import { explainTools, preflight } from "./preflight-part.ts";
import type { AgentDefinition } from "./active-run.ts";

/** An agent without a face: everything that `Agent` does. */
export interface AgentRuntime {
  readonly name: string;
  readonly description: string | undefined;
  /** The sessions of the agent, readable also where `keys.seal` seals them; `undefined` when it keeps none. */
  readonly sessions: SessionStore | undefined;
  readonly definition: CheckedAgent;
  readonly ports: SecurityPorts;
  run(input: RunInput, options?: RunOptions): Promise<RunOutput>;
  stream(input: RunInput, options?: RunOptions): RunHandle;
  /** Runs the agent inside a tool call of another run, or continues with the run that this call began before. */
  runInside(request: InsideRequest): Promise<RunOutput>;
  resume(runId: string, decisions?: readonly Decision[], options?: ResumeOptions): Promise<RunOutput>;
  resumeStream(runId: string, decisions?: readonly Decision[], options?: ResumeOptions): RunHandle;
  /**
   * Puts decisions in the inbox of a run without driving it: the process that drives it takes them, or a worker does.
   * Returns the number of decisions that are new.
   */
  decide(runId: string, decisions: readonly Decision[], owner?: Owner): Promise<number>;
  steer(runId: string, message: RunInput): Promise<void>;
  followUp(runId: string, message: RunInput): Promise<void>;
  cancel(runId: string, reason?: string): Promise<void>;
  interruptions(runId: string): Promise<readonly Interruption[]>;
  inspect(runId: string): Promise<RunInspection>;
  verifyAudit(runId: string): Promise<AuditVerdict>;
  follow(runId: string, options?: FollowOptions): AsyncIterableIterator<RunEvent>;
  fork(runId: string, options: ForkOptions): Promise<{ readonly runId: string }>;
  replay(runId: string): Promise<RunOutput | undefined>;
  rebuildRequest(runId: string, seq: number): Promise<RebuiltRequest>;
  explainTools(): Promise<readonly ToolExplanation[]>;
  preflight(input: RunInput, options?: PreflightOptions): Promise<Preflight>;
  enqueue(input: RunInput, options?: EnqueueOptions): Promise<EnqueuedRun>;
  /** Drives a run that a worker claimed from the store of this agent. */
  driveClaimed(claimed: ClaimedRun, options?: DriveOptions): Promise<RunOutput>;
  /** Duration of a run's lease without renewal, in milliseconds. */
  readonly leaseMs: number;
  readonly clock: Clock;
  /** Gives runs back that this process had to hold while the store could not be written. */
  giveBackHeld(): Promise<void>;
}

/**
 * Makes an agent's runtime. `Agent` of `@bailiwick/agent` is this with types and safe defaults.
 *
 * @param options - The agent's options.
 * @param ports - The ports of the security package; without one, options that need it are refused.
 * @param platform - Parts of the platform, such as a leaner HTTP client.
 * @throws ConfigurationError and its subclasses for options that are invalid, contradictory, or cannot be honoured.
 *
 * @example
 * ```ts
 * import { createAgentRuntime } from "@bailiwick/core";
 * import type { ModelProvider } from "@bailiwick/core";
 *
 * export async function ask(model: ModelProvider, question: string): Promise<string> {
 *   const agent = createAgentRuntime({ name: "helper", model });
 *   return (await agent.run(question)).text;
 * }
 * ```
 */
export function createAgentRuntime(
  options: AgentOptions,
  ports: SecurityPorts = {},
  platform: PlatformPorts = {},
): AgentRuntime {
  return createRuntime("agent", options, ports, platform);
}

/** The runtime of an agent, a composition, or the programs of code mode. */
export function createRuntime(
  role: AgentRole,
  options: AgentOptions,
  ports: SecurityPorts,
  platform: PlatformPorts = {},
): AgentRuntime {
  const definition = defineAgent(options, ports, platform, role);
  const { ids, store } = definition;
  const platformClock = options.clock ?? systemClock;
  const logger = scrubbedLogger(options.logger ?? consoleLogger, definition.secrets);
  let owner: string | undefined;
  const shared: AgentShared = {
    definition,
    // Made with the first run: some hosts have no random numbers while modules load.
    get owner() {
      return (owner ??= ids.next("owner"));
    },
    eventBus: options.eventBus ?? eventBus({ logger }),
    clock: platformClock,
    logger,
    keeper: createLeaseKeeper(store, platformClock, options.leaseMs),
    sessions: createSessionQueue(),
    said: new Set(),
    live: new Map(),
    leftOver: new Map(),
  };

  const start = (
    runId: string,
    drive: (live: LiveRun) => Promise<RunOutput>,
  ): { readonly live: LiveRun; readonly result: () => Promise<RunOutput> } => {
    const live = createLiveRun(runId, logger);
    return { live, result: () => drive(live) };
  };
  const newRun = (input: RunInput, runOptions: RunOptions): ReturnType<typeof start> => {
    const caller = callerOf(runOptions.parent);
    if (caller !== undefined) {
      const live = liveInside(shared, caller);
      return { live, result: () => runInsideTool(shared, { caller, input, options: runOptions }, live) };
    }
    return start((runOptions.ids ?? ids).next("run"), (live) => openNewRun(shared, live, input, runOptions));
  };
  const storedRun = (
    runId: string,
    decisions: readonly Decision[],
    runOptions: RunOptions,
    purpose: Purpose = {},
  ): ReturnType<typeof start> =>
    start(runId, async (live) => {
      checkResumeOptions(runId, runOptions);
      await checkResumeIdentity(store, runId, runOptions);
      checkDecisionList(runId, decisions);
      return openStoredRun(
        shared,
        live,
        decisions.map((decision) => ownCopy(decision)),
        runOptions,
        purpose,
      );
    });

  const cancelLive = (live: LiveRun, reason: string | undefined): void => {
    if (live.control.ending !== undefined) return;
    live.signal({ name: "cancel", id: ids.next("signal"), payload: { reason: reason ?? "cancelled" } });
    live.control.stop({ reason: "cancelled" });
  };

  const handle = ({ live, result }: ReturnType<typeof start>, runOptions: RunOptions): RunHandle => {
    let settle: { resolve: (output: RunOutput) => void; reject: (error: unknown) => void } | undefined;
    const promise = new Promise<RunOutput>((resolve, reject) => {
      settle = { resolve, reject };
    });
    // Callers that await the result or iterate get the error; without them it must not end the process.
    promise.catch(() => undefined);
    let settled = false;
    const message = (name: "steer" | "follow_up", input: RunInput): void => {
      if (settled || live.over) throw runIsOver(live.runId);
      live.signal(
        messageSignal(name, toUserMessage(input, ids.next("message"), platformClock.now()), ids.next("signal")),
      );
    };
    const stream = createRunStream({
      sink: live.sink,
      runId: () => live.runId,
      result: promise,
      onDrop: () => {
        if ((runOptions.detached ?? options.detached) !== true) live.leave();
      },
      controls: {
        steer: (input) => message("steer", input),
        followUp: (input) => message("follow_up", input),
        abort: (reason) => cancelLive(live, reason),
      },
    });
    // The queue is attached before the first event, and the run begins after the caller has the handle.
    void Promise.resolve()
      .then(result)
      .finally(() => (settled = true))
      .then(
        (output) => settle?.resolve(output),
        (error: unknown) => settle?.reject(error),
      );
    return stream;
  };

  const signalStored = async (runId: string, name: "steer" | "follow_up", input: RunInput): Promise<void> => {
    const signal = messageSignal(
      name,
      toUserMessage(input, ids.next("message"), platformClock.now()),
      ids.next("signal"),
    );
    const live = shared.live.get(runId);
    if (live?.over === true) throw runIsOver(runId);
    if (live !== undefined) live.signal(signal);
    else {
      const { run: stored, state } = await loadRun(definition, runId);
      if (stored.state === "completed" && state.end?.status === "completed") throw runIsOver(runId);
      await sendSignal(definition, runId, signal);
      await checkTaken(runId, signal.id);
    }
  };
  /** A run that ended before the message was there reads none any more; one that had not ends as ready. */
  const checkTaken = async (runId: string, signalId: string): Promise<void> => {
    if ((await definition.store.getRun(runId))?.state !== "completed") return;
    const { state } = await loadRun(definition, runId);
    if (state.end?.status === "completed" && !state.takenSignals.has(signalId)) throw runIsOver(runId);
  };

  return {
    name: definition.name,
    description: options.description,
    sessions: options.session === undefined ? undefined : sealedSessions(options.session, definition.sealer),
    definition,
    ports,
    run: async (input, runOptions = {}) => newRun(input, runOptions).result(),
    stream: (input, runOptions = {}) => handle(newRun(input, runOptions), runOptions),
    runInside: (request) => runInside(shared, request),
    resume: async (runId, decisions = [], resumeOptions = {}) => {
      const { formerIsGone, ...runOptions } = resumeOptions;
      return storedRun(runId, decisions, runOptions, { formerIsGone }).result();
    },
    resumeStream: (runId, decisions = [], { formerIsGone, ...runOptions } = {}) =>
      handle(storedRun(runId, decisions, runOptions, { formerIsGone }), runOptions),
    async decide(runId, decisions, owner = {}) {
      checkDecisionList(runId, decisions);
      await checkResumeIdentity(store, runId, owner);
      return deliverDecisions(
        shared,
        runId,
        decisions.map((decision) => ownCopy(decision)),
      );
    },
    steer: (runId, message) => signalStored(runId, "steer", message),
    followUp: (runId, message) => signalStored(runId, "follow_up", message),
    async cancel(runId, reason): Promise<void> {
      const live = shared.live.get(runId);
      if (live !== undefined) {
        cancelLive(live, reason);
        return;
      }
      const { run: stored } = await loadRun(definition, runId);
      if (isEnded(stored.state)) return;
      const signal = { name: "cancel", id: ids.next("signal"), payload: { reason: reason ?? "cancelled" } };
      await sendSignal(definition, runId, signal);
      await endCancelled(shared, runId);
    },
    interruptions: async (runId) => openInterruptions((await loadRun(definition, runId)).state),
    follow: (runId, followOptions = {}) => followRun(shared, runId, followOptions),
    inspect: (runId) => inspectRun(definition, runId),
    verifyAudit: (runId) => verifyAudit(definition, runId),
    fork: (runId, forkOptions) => forkRun(shared, runId, forkOptions),
    replay: (runId) => replayRun(definition, runId),
    rebuildRequest: (runId, seq) => rebuildRequest(definition, runId, seq),
    explainTools: () => explainTools(definition),
    preflight: (input, preflightOptions = {}) => preflight(definition, input, preflightOptions),
    leaseMs: shared.keeper.leaseMs,
    clock: platformClock,
    giveBackHeld: async () => void (await giveBackLeftOver(shared)),
    enqueue: (input, enqueueOptions = {}) => enqueueRun(shared, input, enqueueOptions),
    driveClaimed: (claimed, driveOptions = {}) => driveClaimed(shared, claimed, driveOptions),
  };
}

/** A message to a run that reads none any more would be lost. */
function runIsOver(runId: string): RunError {
  return new RunError(
    "RUN_OVER",
    `Run "${runId}" has ended, so the message was not added. Start a new run with its session or messages; suspended and stopped runs take messages through the agent's steer() and followUp().`,
    { runId },
  );
}

/**
 * Plays a run again from its records alone: no model is asked, no tool runs, nothing is written. Every key is derived
 * again on the way.
 *
 * @throws RunNotFoundError when the store does not have it.
 * @throws ReplayDivergenceError when a record does not have the key that the run derives.
 */
async function replayRun(definition: AgentDefinition, runId: string): Promise<RunOutput | undefined> {
  const { run, state } = await loadRun(definition, runId);
  return restingOutput(run, storedOutput(state));
}

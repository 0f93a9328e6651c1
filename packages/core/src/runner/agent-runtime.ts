import type { Decision, Interruption } from "../contracts/interruption.ts";
import type { Owner } from "../contracts/owner.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import type { PlatformPorts } from "../contracts/ports/platform.ts";
import type { SecurityPorts } from "../contracts/ports/security.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import type { RunEvent } from "../contracts/run-event.ts";
import type { Signal } from "../contracts/signal.ts";
import type { KeptMessage, RunHandle } from "../contracts/run-handle.ts";
import type { AgentOptions, RunInput, RunOptions } from "../contracts/run-options.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import type { Preflight, PreflightOptions } from "../contracts/preflight.ts";
import type { ToolExplanation } from "../contracts/tool-explanation.ts";
import { createRunStream } from "../events/run-stream.ts";
import { defineAgent } from "./agent/agent-definition.ts";
import type { FollowOptions, RunInspection } from "./resume/inspect.ts";
import type { ForkOptions } from "./resume/fork.ts";
import { createLiveRun } from "./start/live-run.ts";
import type { Agent, LiveRun } from "./run.ts";
import type { ResumeOptions } from "./resume/check-resume.ts";
import { enqueueRun, type EnqueueOptions, type EnqueuedRun } from "./enqueue.ts";
import type { DriveOptions } from "./open-run.ts";
import type { ClaimedRun } from "../contracts/ports/run-store.ts";
import type { AuditVerdict } from "./resume/verify-audit.ts";
import type { RebuiltRequest } from "./resume/rebuild-request.ts";
import { callerOf, type InsideRequest } from "./caller/caller.ts";
import { exposeRuntime } from "./inside/inside-of.ts";
import { sealedSessions } from "../journal/sealed-sessions.ts";
import { copyOfGiven } from "../user-code/copies.ts";
import { cancelled } from "./limits/run-control.ts";
import { callback, checkArgument, having, type Fields } from "../errors/value-checks.ts";
import { checkGiven, checkOptionNames, ownFields, readOptions } from "./settings/check-settings.ts";
import { toUserMessage, withOwnValues } from "./start/run-input.ts";
import { messageSignal, runIsOver } from "./inbox/signals.ts";
import type { AgentRole } from "./settings/option-row.ts";
import { ofRun, runner } from "./load-runner.ts";

/** The runtime of an agent: everything that `Agent` does, without its types and defaults. */
export interface AgentRuntime {
  /** Name of the agent. */
  readonly name: string;
  /** Description of the agent; `undefined` if it has none. */
  readonly description: string | undefined;
  /** The sessions of the agent, also readable if `keys.seal` seals them; `undefined` if it has none. */
  readonly sessions: SessionStore | undefined;
  /** The agent that the runtime was made for. */
  readonly definition: Agent;
  /** The security parts that the agent uses. */
  readonly ports: SecurityPorts;
  /**
   * Starts a run. Resolves when the run completes, or is suspended, stopped or cancelled; rejects if it fails.
   *
   * @param input - A text, parts, or a user message.
   * @param options - Settings of this run; they win over those of the agent.
   */
  run(input: RunInput, options?: RunOptions): Promise<RunOutput>;
  /**
   * Starts a run, and returns a handle to its events and its result.
   *
   * @param input - A text, parts, or a user message.
   * @param options - Settings of this run; they win over those of the agent.
   */
  stream(input: RunInput, options?: RunOptions): RunHandle;
  /**
   * Runs the agent inside a tool call of another run, or continues the run that this call began before.
   *
   * @param request - The outer run and its call, the input, and the settings that are inherited.
   */
  runInside(request: InsideRequest): Promise<RunOutput>;
  /**
   * Continues a stored run with decisions. Resolves and rejects like `run`.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions; default: none.
   * @param options - Settings of the rest of the run.
   */
  resume(runId: string, decisions?: readonly Decision[], options?: ResumeOptions): Promise<RunOutput>;
  /**
   * Continues a stored run, and returns a handle to its events and its result.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions; default: none.
   * @param options - Settings of the rest of the run.
   */
  resumeStream(runId: string, decisions?: readonly Decision[], options?: ResumeOptions): RunHandle;
  /**
   * Puts decisions in the inbox of a run without driving it, for the process that drives it or the next worker. Returns
   * the number of new decisions.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions.
   * @param owner - Tenant and user who may own the run; default: the run is found for each owner.
   */
  decide(runId: string, decisions: readonly Decision[], owner?: Owner): Promise<number>;
  /**
   * Adds a message to a running run. The model reads it before its next turn.
   *
   * @param runId - Id of the run.
   * @param message - A text, parts, or a user message.
   */
  steer(runId: string, message: RunInput): Promise<KeptMessage>;
  /**
   * Adds a message that the run reads after its current answer.
   *
   * @param runId - Id of the run.
   * @param message - A text, parts, or a user message.
   */
  followUp(runId: string, message: RunInput): Promise<KeptMessage>;
  /**
   * Requests the cancellation of a run. The run may be in another process.
   *
   * @param runId - Id of the run.
   * @param reason - Text for the journal; default: none.
   */
  cancel(runId: string, reason?: string): Promise<void>;
  /**
   * Returns the open questions of a run. With `owner`, a run of another owner is not found.
   *
   * @param runId - Id of the run.
   * @param owner - Tenant and user who may own the run; default: the run is found for each owner.
   */
  interruptions(runId: string, owner?: Owner): Promise<readonly Interruption[]>;
  /**
   * Returns the state of a stored run, without driving it.
   *
   * @param runId - Id of the run.
   */
  inspect(runId: string): Promise<RunInspection>;
  /**
   * Checks the order, hashes and signatures of a run's journal, and its decisions.
   *
   * @param runId - Id of the run.
   */
  verifyAudit(runId: string): Promise<AuditVerdict>;
  /**
   * Returns the events of a run that another process may drive: the stored ones, then new ones.
   *
   * @param runId - Id of the run.
   * @param options - The number of the last record that you have already; default: all records are returned.
   */
  follow(runId: string, options?: FollowOptions): AsyncIterableIterator<RunEvent>;
  /**
   * Copies a run up to a record into a new run.
   *
   * @param runId - Id of the run to copy.
   * @param options - The last record to keep, and changes of messages.
   */
  fork(runId: string, options: ForkOptions): Promise<{ readonly runId: string }>;
  /**
   * Returns the output of an ended run from its journal, without calling a model or a tool; `undefined` if it has not
   * ended.
   *
   * @param runId - Id of the run.
   */
  replay(runId: string): Promise<RunOutput | undefined>;
  /**
   * Builds the request of a recorded model call again, and compares it with the recorded hash.
   *
   * @param runId - Id of the run.
   * @param seq - Number of the record of the model call.
   */
  rebuildRequest(runId: string, seq: number): Promise<RebuiltRequest>;
  /** Returns for each tool how it is classified, and why. */
  explainTools(): Promise<readonly ToolExplanation[]>;
  /**
   * Lists the questions that an input may cause, without running it.
   *
   * @param input - The input that the run would get.
   * @param options - Settings that the run would get.
   */
  preflight(input: RunInput, options?: PreflightOptions): Promise<Preflight>;
  /**
   * Stores a run for a worker to drive.
   *
   * @param input - A text, parts, or a user message.
   * @param options - Settings of the run, its `idempotencyKey`, and the time at which it starts.
   */
  enqueue(input: RunInput, options?: EnqueueOptions): Promise<EnqueuedRun>;
  /**
   * Drives a run that a worker claimed from the store of this agent.
   *
   * @param claimed - The run and its lease, as the store's `claim` returned them.
   * @param options - A signal that gives the run back before it ends.
   */
  driveClaimed(claimed: ClaimedRun, options?: DriveOptions): Promise<RunOutput>;
  /** Duration of a run's lease without renewal, in milliseconds. */
  readonly leaseMs: number;
  /** Clock of the agent's runs. */
  readonly clock: Clock;
  /** Releases the leases that this process kept because the store could not be written. */
  giveBackHeld(): Promise<void>;
}

/** A run that has its id, and starts when `result` is called. */
interface StartedRun {
  readonly live: LiveRun;
  readonly result: () => Promise<RunOutput>;
}

/**
 * Makes an agent's runtime. `Agent` of `@bailiwick/agent` is this with types and safe defaults.
 *
 * @param options - The agent's options.
 * @param ports - The ports of the security package; without one, options that need it are refused.
 * @param platform - Parts of the platform, such as a leaner HTTP client.
 * @throws ConfigurationError and its subclasses for options that are invalid, contradictory, or cannot be enforced.
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

/** Methods that identify a port: with a value of another form, an agent would run without the protection. */
const portChecks: Fields<keyof SecurityPorts> = {
  secrets: callback,
  sanitizer: having("a sanitizer", "inbound", "display"),
  flow: having("a flow policy", "check", "begin"),
  sandbox: having("a sandbox", "resolve", "execute"),
  download: callback,
  signer: callback,
  sealer: callback,
};

/**
 * Makes the runtime of an agent, of a composition, or of code mode's programs.
 *
 * @param role - `composition` and `program`: the model is a program of the framework or of a model, not a language model.
 * @param given - The options.
 * @param ports - The ports of the security package; without one, options that need it are refused.
 * @param platform - Parts of the platform. Default: none.
 * @param checkInput - Refuses an input before its run is stored. Default: every input of the right form is accepted.
 * @throws ConfigurationError and its subclasses for options that are invalid, contradictory, or cannot be enforced.
 */
export function createRuntime(
  role: AgentRole,
  given: AgentOptions,
  ports: SecurityPorts,
  platform: PlatformPorts = {},
  checkInput?: (input: RunInput) => Promise<void>,
): AgentRuntime {
  checkGiven(ports, portChecks, "the ports of an agent");
  const defined = readOptions(given, "an agent", () => defineAgent(ownFields(given, "agent"), ports, platform, role));
  const agent: Agent = checkInput === undefined ? defined : { ...defined, checkInput };
  const { options } = agent;
  const { ids, clock, logger } = agent;

  const newRun = (input: RunInput, runOptions: RunOptions): StartedRun => {
    // Other wrong options are refused when the run begins.
    if ((runOptions as unknown) === null) checkOptionNames("run", runOptions);
    const [caller, source, ownOptions] = readOptions(runOptions, "a run", () => [
      callerOf(runOptions.parent),
      typeof runOptions.ids?.next === "function" ? runOptions.ids : ids,
      withOwnValues(runOptions),
    ]);
    if (caller === undefined) {
      const live = createLiveRun(source.next("run"), logger);
      const own = copyOfGiven(input);
      return { live, result: async () => runner((part) => part.openNewRun(agent, live, own, ownOptions)) };
    }
    const live = createLiveRun(caller.childRunId(), logger);
    const request = { caller, input, options: ownOptions };
    return { live, result: async () => runner((part) => part.runInsideTool(agent, request, live)) };
  };
  const storedRun = (
    runId: string,
    decisions: readonly Decision[] = [],
    resumeOptions: ResumeOptions = {},
  ): StartedRun => {
    checkArgument(resumeOptions, "object", "resume(runId, decisions, { signal })");
    const live = createLiveRun(runId, logger);
    const own = copyOfGiven(decisions);
    const ownOptions = readOptions(resumeOptions, "a run", () => withOwnValues(resumeOptions));
    return { live, result: async () => ofRun(runId, (part) => part.resumeRun(agent, live, own, ownOptions)) };
  };

  const cancelSignal = (reason = "cancelled"): Signal => ({
    name: "cancel",
    id: ids.next("signal"),
    payload: { reason },
  });
  const cancelLive = (live: LiveRun, reason: string | undefined): void => {
    if (live.control.ending !== undefined && !live.control.isInterrupted) return;
    live.signal(cancelSignal(reason));
    live.control.stop(cancelled(reason));
  };

  const handle = ({ live, result }: StartedRun, runOptions: RunOptions): RunHandle => {
    let settled = false;
    // The queue is attached before the first event, and the run begins after the caller has the handle.
    const promise = Promise.resolve()
      .then(result)
      .finally(() => (settled = true));
    // Callers that await the result or iterate get the error; otherwise it must not end the process.
    promise.catch(() => undefined);
    const message = (name: "steer" | "follow_up", input: RunInput): KeptMessage => {
      if (settled || live.over || live.closed) throw runIsOver(live.runId);
      live.signal(messageSignal(name, toUserMessage(input, ids.next("message"), clock.now()), ids.next("signal")));
      return { kept: live.keeps };
    };
    return createRunStream({
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
  };

  const sendMessage = async (runId: string, name: "steer" | "follow_up", input: RunInput): Promise<KeptMessage> => {
    const message = toUserMessage(input, ids.next("message"), clock.now());
    const signal = messageSignal(name, message, ids.next("signal"));
    const live = agent.live.get(runId);
    if (live?.over === true) throw runIsOver(runId);
    const isHere = live !== undefined && !live.closed;
    if (isHere) live.signal(signal);
    else await ofRun(runId, (part) => part.messageStored(agent, runId, signal));
    return { kept: isHere ? live.keeps : "run" };
  };

  const runtime: AgentRuntime = {
    name: agent.name,
    description: options.description,
    sessions: options.session === undefined ? undefined : sealedSessions(options.session, agent.sealer),
    definition: agent,
    ports,
    run: async (input, runOptions = {}) => newRun(input, runOptions).result(),
    stream: (input, runOptions = {}) => handle(newRun(input, runOptions), runOptions),
    runInside: async (request) => runner((part) => part.runInside(agent, request)),
    resume: async (runId, decisions, resumeOptions) => storedRun(runId, decisions, resumeOptions).result(),
    resumeStream: (runId, decisions, resumeOptions = {}) =>
      handle(storedRun(runId, decisions, resumeOptions), resumeOptions),
    async decide(runId, decisions, by = {}) {
      const own = copyOfGiven(decisions);
      return ofRun(runId, (part) => part.decideRun(agent, runId, own, by));
    },
    steer: (runId, message) => sendMessage(runId, "steer", message),
    followUp: (runId, message) => sendMessage(runId, "follow_up", message),
    async cancel(runId, reason): Promise<void> {
      const live = agent.live.get(runId);
      if (live === undefined) await ofRun(runId, (part) => part.cancelStored(agent, runId, cancelSignal(reason)));
      else cancelLive(live, reason);
    },
    interruptions: async (runId, owner = {}) => ofRun(runId, (part) => part.interruptionsOf(agent, runId, owner)),
    async *follow(runId, followOptions = {}) {
      yield* await ofRun(runId, (part) => part.followRun(agent, runId, followOptions));
    },
    inspect: async (runId) => ofRun(runId, (part) => part.inspectRun(agent, runId)),
    verifyAudit: async (runId) => ofRun(runId, (part) => part.verifyAudit(agent, runId)),
    async fork(runId, forkOptions) {
      const own = copyOfGiven(forkOptions);
      return ofRun(runId, (part) => part.forkRun(agent, runId, own));
    },
    replay: async (runId) => ofRun(runId, (part) => part.replayRun(agent, runId)),
    rebuildRequest: async (runId, seq) => ofRun(runId, (part) => part.rebuildRequest(agent, runId, seq)),
    explainTools: async () => runner((part) => part.explainTools(agent)),
    preflight: async (input, preflightOptions = {}) => runner((part) => part.preflight(agent, input, preflightOptions)),
    leaseMs: agent.keeper.leaseMs,
    clock,
    giveBackHeld: async () => void (await runner((part) => part.giveBackLeftOver(agent))),
    enqueue: (input, enqueueOptions = {}) => enqueueRun(agent, input, enqueueOptions),
    driveClaimed: async (claimed, driveOptions = {}) =>
      runner((part) => part.driveClaimed(agent, claimed, driveOptions)),
  };
  // Compositions and tools find the runtime in it, as in an `Agent`.
  exposeRuntime(runtime, runtime);
  return runtime;
}

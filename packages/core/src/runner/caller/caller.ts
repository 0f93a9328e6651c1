import type { ContentPart } from "../../contracts/content-part.ts";
import type { Decision } from "../../contracts/interruption.ts";
import type { Message, UserMessage } from "../../contracts/message.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import { storeBelow } from "../host/patient-store.ts";
import type { Ledger } from "../../contracts/ports/ledger.ts";
import type { Lease, RunStore } from "../../contracts/ports/run-store.ts";
import type { Sealer, SecretsPort } from "../../contracts/ports/security.ts";
import type { Fakes } from "../../contracts/fakes.ts";
import type { FlowPort, ParentFlow } from "../../contracts/ports/flow-policy.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import type { InheritedRunOptions, ParentHandle, RunInput, RunOptions } from "../../contracts/run-options.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { RunEvent } from "../../contracts/run-event.ts";
import type { RunSink, Tap } from "../../events/event-bus.ts";
import type { Label } from "../../contracts/label.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import type { ActiveExtension } from "../part.ts";
import type { RunState } from "../../journal/run-state.ts";
import { FencedError } from "../../errors/store-errors.ts";
import type { BudgetAccount } from "../limits/budgets.ts";
import type { InsideOrigin } from "../state/fork-place.ts";
import type { Demands } from "../settings/run-settings.ts";
import type { SessionState } from "../state/session-state.ts";
import type { LiveRun, Run } from "../run.ts";
import type { RunnableOptions } from "../../contracts/runnable.ts";

/** The parts of a run that name its node. */
interface NodePlace {
  readonly runId: string;
  readonly agent: { readonly name: string };
  readonly options: Pick<RunOptions, "parent">;
}

/** Callbacks that an inner run gets with `ctx.runOptions`, and that are called once. */
export type SharedCallback = "onToken" | "onStart" | "onComplete" | "onError";

/** Settings that a run inside a tool call inherits from the outer run. */
export interface Caller {
  readonly agentName: string;
  /** Names of the agents from the outermost run to the calling one. */
  readonly agentPath: readonly string[];
  /** Fakes of the calling run, which the runs inside its calls have too. */
  readonly fakes: Fakes | undefined;
  /** The outermost run of the calling one. */
  readonly root: RunContext["root"];
  /** Model of the calling run, for an inner run without a model. */
  readonly model: () => ModelProvider;
  /** Settings that also apply to the inner run. */
  readonly demands: Demands;
  /** Decides for an inner agent without a flow policy. */
  readonly flowPort: FlowPort | undefined;
  /** Guardrails that check the calls of the inner run too. */
  readonly extensions: readonly ActiveExtension[];
  readonly budget: BudgetAccount;
  readonly sink: RunSink;
  readonly maxDepth: number;
  /** Label that the inner run starts with. */
  readonly label: Label | undefined;
  /** Facts that the outer run's flow policy passes to the inner run's. */
  readonly flow: ParentFlow | undefined;
  /** Store of an inner run whose agent has none. */
  readonly store: RunStore;
  /** The lease on the calling run. */
  readonly lease: () => Lease;
  /** Stores the records of the calling run until now. */
  readonly commit: () => Promise<void>;
  readonly ledger: Ledger;
  readonly inMemory: boolean;
  /** Gives the calling run back, because the store of an inner run is away: the call has no outcome yet. */
  readonly giveBack: (error: Error) => void;
  /** Secrets of the outer run, which are also removed inside. */
  readonly secrets: SecretsPort | undefined;
  /** Seals data that an inner run stores in the store of the calling run. */
  readonly sealer: Sealer | undefined;
  /** Registers an inner run while this process drives it; the returned function ends that, with the run's output. */
  readonly enter: (run: LiveRun) => (output: Partial<RunOutput> | undefined) => void;
  /** Counts the usage of a stored inner run, unless it is counted already. */
  readonly countStored: (runId: string, state: RunState) => void;
  /** The next inner run of this call: the n-th one always has the same id, so that it is found again after a crash. */
  readonly childRunId: () => string;
  /** The output guardrails of the calling run, for an agent that takes over its conversation. */
  readonly guardrails: Pick<RunOptions, "guardrails" | "outputGuardrails"> | undefined;
  /** In a fork: the place from which an inner run of a call may begin. */
  readonly childOrigin: (runId: string) => InsideOrigin | undefined;
  /** Decisions since its last execution. */
  readonly childDecisions: () => readonly Decision[];
  /** The user's words in the calling run. */
  readonly userMessages: () => readonly UserMessage[];
  /** Decisions that people made for later calls too. */
  readonly remembered: () => readonly RememberedDecision[];
  /** True if the calling run or an outer one has this callback and calls it. */
  readonly calls: (name: SharedCallback, callback: unknown) => boolean;
  /**
   * Names the node of an inner run: the nodes around it, the turn and index of its call, and its number among the runs
   * of this call.
   */
  readonly nodeId: (runId: string, agentName: string) => string;
  /** The conversation for an agent that takes it over in this call. */
  readonly handedConversation: (agentName: string) => readonly Message[];
  /** Calls a function of the calling agent's author; the calling run reports its failure. */
  readonly ask: <T>(hook: string, call: () => T | Promise<T>, read: (answer: T) => T) => Promise<T>;
  /** Reports a part of an inner run's input that a composition made, not a model. */
  readonly isPassedOn: (part: ContentPart) => boolean;
  /** Receives the run that holds the idempotency key for which an inner run sleeps. */
  readonly noteKeyWait: (holder: string) => void;
  /** Receives the label of an inner run that the tool starts itself. */
  readonly noteRead: (label: Label) => void;
  /** The state of the calling run's session, if the conversation was handed over in this call. */
  readonly handedState: () => SessionState | undefined;
  /** The conversation goes to another agent; the first handoff of a turn wins. */
  readonly handOver: (toAgent: string, reason: string | undefined) => boolean;
}

/** Shared by every copy of the package: an agent of another copy follows its caller's demands too. */
const callerKey: unique symbol = Symbol.for("bailiwick.caller");

/** Default maximum depth of agents inside agents. */
export const defaultMaxDepth = 8;

/** Creates the handle that a tool passes on; its content is neither enumerable nor part of its JSON. */
export function callerHandle(handle: ParentHandle, caller: Caller): ParentHandle {
  return Object.defineProperty({ ...handle }, callerKey, { value: caller });
}

/**
 * Opens a handle.
 *
 * @throws ConfigurationError `MAX_DEPTH` if the run would be too deep, `INVALID_OPTION` for an invalid handle.
 */
export function callerOf(parent: ParentHandle | undefined): Caller | undefined {
  if (parent === undefined) return undefined;
  const caller = (parent as { readonly [callerKey]?: Caller } | null)?.[callerKey];
  if (caller === undefined) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `"parent" is not the handle of a running tool call. Pass on ctx.runOptions as it is.`,
    );
  }
  if (parent.depth + 1 > caller.maxDepth) {
    throw new ConfigurationError(
      "MAX_DEPTH",
      `Agents call agents ${parent.depth + 1} deep, and maxDepth is ${caller.maxDepth}. Check for agents that call each other in a cycle, or raise maxDepth.`,
    );
  }
  return caller;
}

/** The id of a run as a node: its agent's name, after the nodes around it and the turn and index of each call. */
export function nodeIdOf({ runId, agent, options }: NodePlace): string {
  return callerOf(options.parent)?.nodeId(runId, agent.name) ?? agent.name;
}

/** A callback of a run, if no outer run has the same one and calls it. */
export function ownCallback<Name extends SharedCallback>(
  options: Pick<RunOptions, SharedCallback | "parent">,
  name: Name,
): RunOptions[Name] {
  const callback = options[name];
  return callback === undefined || callerOf(options.parent)?.calls(name, callback) === true ? undefined : callback;
}

/**
 * The lease under which the lease of an inner run is acquired; `undefined` for a run outside of calls.
 *
 * @throws FencedError if this process lost the calling run, which is in another store.
 */
export async function outerLease(store: RunStore, parent: ParentHandle | undefined): Promise<Lease | undefined> {
  const caller = callerOf(parent);
  if (caller === undefined) return undefined;
  const lease = caller.lease();
  if (storeBelow(caller.store) === storeBelow(store)) return lease;
  // Two stores share no transaction, so the caller's lease is checked immediately before.
  const outer = await caller.store.getRun(lease.runId);
  if (outer?.epoch !== lease.epoch) throw new FencedError(lease.runId);
  return undefined;
}

/** Shows an inner run's events to the observers of the outer run. */
export function callerTap(caller: Caller, parent: ParentHandle, agentName: string): Tap {
  const agentPath = [caller.agentName, agentName];
  return {
    name: "The calling run",
    wants: () => caller.sink.wants("agent.event"),
    take(event: RunEvent): void {
      const nested = event.type === "agent.event";
      caller.sink.show({
        type: "agent.event",
        toolCallId: parent.toolCallId,
        agentPath: nested ? [caller.agentName, ...event.agentPath] : agentPath,
        event: nested ? event.event : event,
      });
    },
    room: () => caller.sink.room(),
  };
}

/**
 * Marks text that a calling model composed after it had read untrusted content, because it is the input of the called run
 * and is not from the user. The user's own words are not marked.
 */
export function asCalled<Given extends Message>(message: Given, caller: Caller | undefined): Given {
  if (message.role !== "user" || caller?.label?.integrity !== "untrusted") return message;
  const { content } = message;
  const parts: readonly ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const said = caller.userMessages();
  const marked = parts.map((part) =>
    part.untrusted === true || isSaid(part, said) ? part : { ...part, untrusted: true },
  );
  return marked.every((part, index) => part === parts[index]) ? message : { ...message, content: marked };
}

/** True if the user of the calling run provided a part. */
export function isSaid(part: ContentPart, said: readonly UserMessage[]): boolean {
  return said.some(({ content }) => {
    if (typeof content === "string") return part.type === "text" && part.text === content;
    return content.some((one) => {
      if (one.untrusted === true && part.untrusted !== true) return false;
      return one === part || (one.type === "text" && part.type === "text" && one.text === part.text);
    });
  });
}

export interface InsideRequest {
  readonly caller: Caller;
  readonly input: RunInput;
  readonly options: RunnableOptions;
}

/**
 * Finds the model of the run that calls a tool, for a tool that starts a run with that model.
 *
 * @param runOptions - `ctx.runOptions` of the tool's context.
 * @returns `undefined` outside of a tool call.
 * @throws ConfigurationError `INVALID_OPTION` for invalid options, `MAX_DEPTH` if no run may be started inside.
 * @example
 * ```ts
 * import { createAgentRuntime } from "@bailiwick/core";
 * import { callerModel } from "@bailiwick/core/extension";
 * import type { ToolExecutionContext } from "@bailiwick/core/extension";
 *
 * export async function summarize(text: string, ctx: ToolExecutionContext): Promise<string> {
 *   const model = callerModel(ctx.runOptions);
 *   if (model === undefined) return text;
 *   return (await createAgentRuntime({ name: "summary", model }).run(text, ctx.runOptions)).text;
 * }
 * ```
 */
export function callerModel(runOptions: InheritedRunOptions): ModelProvider | undefined {
  return callerOf(runOptions.parent)?.model();
}

/** Names of the agents from the outermost run to this one. */
export function agentPathOf({ agent, options }: Pick<Run, "agent" | "options">): readonly string[] {
  return [...(callerOf(options.parent)?.agentPath ?? []), agent.name];
}

import type { FinishReason } from "./finish-reason.ts";
import type { Message } from "./message.ts";
import type { RunContext } from "./run-context.ts";
import type { RunOutput } from "./run-output.ts";
import type { TokenUsage } from "./token-usage.ts";

type Awaitable<T> = T | Promise<T>;

/**
 * Observing hooks of a run, awaited in order. If one throws, the error is reported as `hook.failed` and the run
 * continues, unless `hooksAreFatal` is set.
 */
export interface AgentHooks {
  /** Called before the loop starts. */
  readonly beforeRun?: ((ctx: RunContext) => Awaitable<void>) | undefined;
  /** Called after the run completed. */
  readonly afterRun?: ((ctx: RunContext, output: RunOutput) => Awaitable<void>) | undefined;
  /** Called before a tool runs. */
  readonly onToolCall?: ((ctx: RunContext, toolName: string, args: unknown) => Awaitable<void>) | undefined;
  /** Called when the run fails. */
  readonly onError?: ((ctx: RunContext, error: Error) => Awaitable<void>) | undefined;
}

/** Hooks of each turn. All except `afterLLMCall` decide, and fail closed. */
export interface LoopHooks {
  /** May return changed messages; they are matched by id, and an unknown id is an inserted message. */
  readonly beforeLLMCall?:
    | ((messages: readonly Message[], roundtrip: number) => Awaitable<readonly Message[] | void>)
    | undefined;
  /** Observes an answer. */
  readonly afterLLMCall?:
    | ((
        response: { readonly finishReason: FinishReason; readonly usage: TokenUsage },
        roundtrip: number,
      ) => Awaitable<void>)
    | undefined;
  /**
   * May skip a call with a simulated result, or change its arguments (validated again). `writes` is true if the tool
   * may change something; an inner run may have another tool of the same name.
   */
  readonly beforeToolExec?:
    | ((
        toolName: string,
        args: unknown,
        writes: boolean,
      ) => Awaitable<{ readonly skip?: boolean; readonly result?: string; readonly args?: unknown } | void>)
    | undefined;
  /** May replace the text that the model reads; the replacement keeps the label of the result. */
  readonly afterToolExec?: ((toolName: string, result: string) => Awaitable<string | void>) | undefined;
  /** May stop the run. */
  readonly onRoundtripComplete?:
    | ((roundtrip: number, tokensSoFar: TokenUsage) => Awaitable<{ readonly stop?: boolean } | void>)
    | undefined;
}

/** One step of a composition, for node hooks. */
export interface NodeEvent {
  /**
   * The node's place: names of the nodes around it, and the turn and index of each call, such as `desk/t1/c0/clerk`. It
   * is the same after a resume.
   */
  readonly nodeId: string;
  /** The name of the agent or composition. */
  readonly nodeLabel: string;
  /** Input of the node. */
  readonly input?: unknown;
  /** Answer of the node, once it has ended. */
  readonly output?: unknown;
  /** Error of the node, if it failed. */
  readonly error?: Error | undefined;
  /** Milliseconds from its start to its end. */
  readonly durationMs?: number | undefined;
}

/** Observing hooks for each step of a composition; for a single agent they are called around the whole run. */
export interface NodeHooks {
  /** Called before a node of a composition, or an agent inside a call, starts. */
  readonly onNodeStart?: ((event: NodeEvent) => Awaitable<void>) | undefined;
  /** Called after a node has ended. */
  readonly onNodeEnd?: ((event: NodeEvent) => Awaitable<void>) | undefined;
  /** Called after a node has failed. */
  readonly onNodeError?: ((event: NodeEvent) => Awaitable<void>) | undefined;
}

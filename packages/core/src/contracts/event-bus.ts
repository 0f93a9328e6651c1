import type { JournalEventOf, JournalEventType } from "./journal-event.ts";
import type { RunContext } from "./run-context.ts";
import type { RunEvent, RunEventOf } from "./run-event.ts";
import type { RunOutput } from "./run-output.ts";
import type { StreamChunk } from "./stream-chunk.ts";
import type { TokenUsage } from "./token-usage.ts";

type BusContext = Pick<RunContext, "runId" | "agentName" | "tenantId">;

/** Payloads of the bus events whose form differs from the event in the journal. */
export interface ReferenceBusEvents {
  /** A run has started. */
  "run.start": BusContext & { readonly input: unknown };
  /** A run has returned its output. */
  "run.complete": BusContext & { readonly output: RunOutput };
  /** A run has failed. */
  "run.error": BusContext & { readonly error: Error };
  /** A tool call is about to run. */
  "tool.call": BusContext & { readonly toolCallId: string; readonly toolName: string; readonly args: unknown };
  /** A tool call has a result. */
  "tool.result": BusContext & {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly result: unknown;
    readonly isError: boolean;
  };
  /** The model has sent a chunk of its answer. */
  "run.stream.chunk": BusContext & { readonly chunk: StreamChunk };
  /** A model call has ended; `costUsd` is absent if no price is known. */
  "cost.tracked": BusContext & {
    readonly modelId: string;
    readonly usage: TokenUsage;
    readonly costUsd?: number | undefined;
  };
  /** A memory was stored. */
  "memory.stored": BusContext & { readonly store: string; readonly key: string };
  /** An agent has handed the run over to another one. */
  "handoff.transfer": BusContext & {
    readonly fromAgent: string;
    readonly toAgent: string;
    readonly reason?: string | undefined;
  };
}

/** Journal events that the bus emits under their own names. */
export type OwnBusEvents = {
  [Type in Exclude<JournalEventType, keyof ReferenceBusEvents>]: JournalEventOf<Type>;
} & {
  [
    Type in
      | "tool.progress"
      | "tool.partial"
      | "structured.delta"
      | "agent.event"
      | "observer.lagging"
      | "guardrail.retracted"
      | "turn.restarted"
      | "warning"
  ]: RunEventOf<Type> & RunEvent;
};

/** Every event of the bus, by name. */
export type BusEvents = ReferenceBusEvents & OwnBusEvents;

/** Name of a bus event. */
export type BusEventName = keyof BusEvents;

/**
 * Typed publish and subscribe; handlers are isolated from the run and from each other.
 *
 * @example
 * ```ts
 * import type { EventBus } from "@bailiwick/core";
 *
 * export function logCosts(bus: EventBus): void {
 *   bus.on("cost.tracked", ({ runId, modelId, costUsd }) => console.log(runId, modelId, costUsd ?? "no known price"));
 * }
 * ```
 */
export interface EventBus {
  /**
   * Calls a listener for each event of a name; returns the bus.
   *
   * @param event - Name of the event.
   * @param handler - Gets the event's data. An error in it is logged once and changes nothing.
   */
  on<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): this;
  /**
   * Calls a listener for the next event of a name only.
   *
   * @param event - Name of the event.
   * @param handler - Gets the event's data.
   */
  once<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): this;
  /**
   * Removes a listener.
   *
   * @param event - Name of the event.
   * @param handler - The function that was given to `on` or `once`.
   */
  off<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): this;
  /**
   * Sends an event to the listeners of its name.
   *
   * @param event - Name of the event.
   * @param data - Its data.
   * @returns true if the event had a listener.
   */
  emit<Name extends BusEventName>(event: Name, data: BusEvents[Name]): boolean;
  /**
   * Removes the listeners of a name, or all of them.
   *
   * @param event - Name of the event; without it, the listeners of all events are removed.
   */
  removeAllListeners(event?: BusEventName): this;
  /**
   * True if an event has a listener; events without a listener are never created.
   *
   * @param event - Name of the event.
   */
  hasListeners(event: BusEventName): boolean;
}

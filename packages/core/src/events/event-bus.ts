import { checkKnownNames } from "../errors/value-checks.ts";
import type { BusEventName, BusEvents, EventBus } from "../contracts/event-bus.ts";
import type { Logger } from "../contracts/ports/logger.ts";
import type { RunContext } from "../contracts/run-context.ts";
import { tellUserCode } from "../user-code/call-user-code.ts";
import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import type { StreamChunk } from "../contracts/stream-chunk.ts";
import { eventTable, deltaTypes } from "./event-table.ts";
import { frozenCopy } from "../user-code/copies.ts";

type AnyHandler = (data: never) => void;

interface Listener {
  readonly handler: AnyHandler;
  readonly once: boolean;
}

/** Emits an event of a run: failures of handlers are reported to the run too. */
const emitForRun: unique symbol = Symbol.for("bailiwick.emit-for-run");

/** A bus that reports failures to the run whose event it emits. */
interface ReportingBus {
  [emitForRun](event: BusEventName, data: unknown, failed: ReportFailure): void;
}

/** Emits an event of a run on any bus; a failing handler of ours is reported to the run by the event's name. */
export function emitOf(bus: EventBus, event: BusEventName, data: unknown, failed: ReportFailure): unknown {
  if (emitForRun in bus) return (bus as EventBus & ReportingBus)[emitForRun](event, data, failed);
  // A bus of another implementation may return a promise.
  return bus.emit(event, data as never);
}

/**
 * Makes an event bus. Handlers are called at once, in the order they were added, and are isolated: an error in one
 * reaches neither the run nor the other handlers. A run journals it as `hook.failed`; otherwise it is logged once per
 * handler.
 *
 * @param options - `logger` gets the failures of handlers; default: `console`.
 *
 * @example
 * ```ts
 * import { eventBus } from "@bailiwick/core";
 *
 * const bus = eventBus();
 * bus.on("tool.call", ({ toolName, args }) => console.log(toolName, args));
 * ```
 */
export function eventBus(options: { readonly logger?: Pick<Logger, "error"> | undefined } = {}): EventBus {
  checkKnownNames(options, ["logger"], "eventBus()");
  const { logger = console } = options;
  const listeners = new Map<BusEventName, readonly Listener[]>();
  const reported = new WeakSet<AnyHandler>();

  const add = (event: BusEventName, listener: Listener): void => {
    listeners.set(event, [...(listeners.get(event) ?? []), listener]);
  };
  const remove = (event: BusEventName, gone: (listener: Listener) => boolean): void => {
    const rest = (listeners.get(event) ?? []).filter((listener) => !gone(listener));
    if (rest.length === 0) listeners.delete(event);
    else listeners.set(event, rest);
  };
  const emitTo = (event: BusEventName, data: unknown, failed: (handler: AnyHandler, error: Error) => void): boolean => {
    const now = listeners.get(event);
    if (now === undefined) return false;
    for (const listener of now) {
      const { handler } = listener;
      if (listener.once) remove(event, (other) => other === listener);
      tellUserCode(
        () => (handler as (data: unknown) => unknown)(data),
        (error) => failed(handler, error),
      );
    }
    return true;
  };
  const logFailure = (event: BusEventName, handler: AnyHandler, error: Error): void => {
    if (reported.has(handler)) return;
    reported.add(handler);
    const line = `A handler of the bus event "${event}" failed. Later failures of this handler are not logged.`;
    tellUserCode(
      () => logger.error(line, error),
      () => undefined,
    );
  };

  const bus: EventBus & ReportingBus = {
    on<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): typeof bus {
      add(event, { handler, once: false });
      return this;
    },
    once<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): typeof bus {
      add(event, { handler, once: true });
      return this;
    },
    off<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): typeof bus {
      remove(event, (listener) => listener.handler === handler);
      return this;
    },
    emit<Name extends BusEventName>(event: Name, data: BusEvents[Name]): boolean {
      return emitTo(event, data, (handler, error) => logFailure(event, handler, error));
    },
    removeAllListeners(event?: BusEventName): typeof bus {
      if (event === undefined) listeners.clear();
      else listeners.delete(event);
      return this;
    },
    hasListeners: (event: BusEventName): boolean => listeners.has(event),
    [emitForRun](event, data, failed): void {
      emitTo(event, data, (handler, error) => {
        logFailure(event, handler, error);
        failed(`eventBus "${event}"`, error, true);
      });
    },
  };
  return bus;
}

/** The run and agent of an event of the bus. */
type BusOrigin = Pick<RunContext, "runId" | "agentName" | "tenantId">;

/** The payload of an event on the bus: that of `ReferenceBusEvents` if it has one, else the event itself. */
function payloadOf(event: RunEvent, origin: BusOrigin): unknown {
  switch (event.type) {
    case "run.start": {
      const [first] = event.input;
      return { ...origin, input: event.input.length === 1 && first !== undefined ? first.content : event.input };
    }
    case "tool.call":
      return { ...origin, toolCallId: event.toolCallId, toolName: event.toolName, args: event.args };
    case "tool.result": {
      const { toolCallId, toolName, isError } = event.result;
      return { ...origin, toolCallId, toolName, isError, result: isError ? event.result.error : event.result.output };
    }
    case "handoff.transfer":
      return { ...origin, fromAgent: event.fromAgent, toAgent: event.toAgent, reason: event.reason };
    default:
      return eventTable[event.type].bus === "run.stream.chunk" ? { ...origin, chunk: event as StreamChunk } : event;
  }
}

/** Emits a run's events on a bus, under the names of the event table. Events without a listener are never created. */
export function busTap(bus: EventBus, origin: BusOrigin): Tap {
  return {
    name: "The event bus",
    wants: (type: RunEventType) =>
      bus.hasListeners(eventTable[type].bus) || (type === "model.result" && bus.hasListeners("cost.tracked")),
    take(event: RunEvent, failed: ReportFailure): unknown {
      const name = eventTable[event.type].bus;
      const emitted = bus.hasListeners(name) ? emitOf(bus, name, payloadOf(event, origin), failed) : undefined;
      if (event.type === "model.result" && bus.hasListeners("cost.tracked")) {
        const payload = {
          ...origin,
          modelId: event.message.provenance.model,
          usage: event.usage,
          costUsd: event.costUsd,
        };
        return Promise.all([emitted, emitOf(bus, "cost.tracked", payload, failed)]);
      }
      return emitted;
    },
  };
}

/** One observer of a run: names the events that it wants, and receives them synchronously. */
export interface Tap {
  /** The handler's name in failure reports. */
  readonly name: string;
  wants(type: RunEventType): boolean;
  /** Receives a frozen event. Parts that call several handlers report each failure by the handler's name. */
  take(event: RunEvent, failed: ReportFailure): unknown;
  /** A promise while this consumer is too far behind; the runner waits for it between model chunks only. */
  room?(): Promise<void> | undefined;
}

/** Reports that an observer failed, once per name. `logged`: its owner has logged it. */
export type ReportFailure = (name: string, error: Error, logged?: boolean) => void;

/**
 * The sink of a run's events. Without taps it wants no events, and no event object is made. Taps get frozen copies, so
 * that no observer can change the run. An error of a tap is logged and does not reach the run; the tap still gets later
 * events.
 */
export class RunSink {
  readonly #report: ReportFailure;
  #taps: readonly Tap[] = [];

  /** @param report - Reports a tap that throws or rejects. */
  constructor(report: ReportFailure) {
    this.#report = report;
  }

  wants(type: RunEventType): boolean {
    for (const tap of this.#taps) if (tap.wants(type)) return true;
    return false;
  }

  /** True if a listener needs events that only a streamed model call makes. */
  wantsDeltas(): boolean {
    if (this.#taps.length === 0) return false;
    for (const type of deltaTypes) if (this.wants(type)) return true;
    return false;
  }

  show(event: RunEvent): void {
    for (const tap of this.#taps) {
      if (!tap.wants(event.type)) continue;
      const report = this.#report;
      tellUserCode(
        () => tap.take(shownEvent(event), report),
        (error) => report(tap.name, error),
      );
    }
  }

  add(tap: Tap): () => void {
    this.#taps = this.#taps.concat(tap);
    return () => {
      this.#taps = this.#taps.filter((other) => other !== tap);
    };
  }

  /** A promise while some consumer is too far behind. */
  room(): Promise<void> | undefined {
    for (const tap of this.#taps) {
      const wait = tap.room?.();
      if (wait !== undefined) return wait;
    }
    return undefined;
  }
}

/** An event as observers get it. Objects of vendors are passed on unchanged: the run does not read them again. */
function shownEvent(event: RunEvent): RunEvent {
  switch (event.type) {
    case "raw":
      return Object.freeze({ ...event });
    case "finish": {
      const { raw, ...response } = event.response;
      const copied = frozenCopy({ ...event, response });
      return Object.freeze({ ...copied, response: Object.freeze({ ...copied.response, raw }) });
    }
    case "agent.event":
      // The inner run's sink has already frozen it.
      return Object.freeze({ ...event, agentPath: Object.freeze([...event.agentPath]) });
    default:
      return frozenCopy(event);
  }
}

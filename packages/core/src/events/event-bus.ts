import type { BusEventName, BusEvents, EventBus } from "../contracts/event-bus.ts";
import type { Logger } from "../contracts/ports/logger.ts";

type AnyHandler = (data: never) => void;

interface Listener {
  readonly handler: AnyHandler;
  readonly once: boolean;
}

/**
 * Makes an event bus. Handlers are called at once, in the order they were added, and are isolated: what one throws
 * reaches neither the run nor the other handlers, and is reported once per handler.
 *
 * @param options - `logger` is told of throwing handlers; default: `console`.
 *
 * @example
 * ```ts
 * import { createEventBus } from "@bailiwick/core";
 *
 * const bus = createEventBus();
 * bus.on("tool.call", ({ toolName, args }) => console.log(toolName, args));
 * ```
 */
export function createEventBus(options: { readonly logger?: Pick<Logger, "error"> | undefined } = {}): EventBus {
  const logger = options.logger ?? console;
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
  const call = (event: BusEventName, handler: AnyHandler, data: unknown): void => {
    try {
      (handler as (data: unknown) => void)(data);
    } catch (error) {
      if (reported.has(handler)) return;
      reported.add(handler);
      logger.error(
        `A handler of the bus event "${event}" threw; the run is not affected. This is said once a handler.`,
        error,
      );
    }
  };

  return {
    on<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): EventBus {
      add(event, { handler, once: false });
      return this;
    },
    once<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): EventBus {
      add(event, { handler, once: true });
      return this;
    },
    off<Name extends BusEventName>(event: Name, handler: (data: BusEvents[Name]) => void): EventBus {
      remove(event, (listener) => listener.handler === handler);
      return this;
    },
    emit<Name extends BusEventName>(event: Name, data: BusEvents[Name]): boolean {
      const now = listeners.get(event);
      if (now === undefined) return false;
      for (const listener of now) {
        if (listener.once) remove(event, (other) => other === listener);
        call(event, listener.handler, data);
      }
      return true;
    },
    removeAllListeners(event?: BusEventName): EventBus {
      if (event === undefined) listeners.clear();
      else listeners.delete(event);
      return this;
    },
    hasListeners: (event: BusEventName): boolean => listeners.has(event),
  };
}

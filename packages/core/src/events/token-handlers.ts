import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import type { TokenEvent, TokenHandlerObject, TokenHandlers } from "../contracts/token-handlers.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { nearestNames } from "../errors/nearest-names.ts";
import { eventTable } from "./event-table.ts";
import { tellUserCode } from "../user-code/call-user-code.ts";
import type { ReportFailure, Tap } from "./event-bus.ts";

/** A run event as `onToken` handlers get it. */
function toTokenEvent(event: RunEvent): TokenEvent {
  const type = eventTable[event.type].token;
  switch (event.type) {
    case "text":
    case "thinking":
      return { type, event, content: event.text };
    case "tool.partial":
      return { type, event, content: event.text, toolCallId: event.toolCallId, toolName: event.toolName };
    case "tool_call_start":
      return { type, event, toolCallId: event.toolCall.id, toolName: event.toolCall.name };
    case "tool_call_delta":
      return { type, event, toolCallId: event.toolCallId, content: event.argumentsDelta };
    case "tool_call_end":
      return { type, event, toolCallId: event.toolCallId };
    case "tool.call":
      return { type, event, toolCallId: event.toolCallId, toolName: event.toolName, args: event.args };
    case "tool.result": {
      const { toolCallId, toolName, input, output, error } = event.result;
      return { type, event, toolCallId, toolName, args: input, result: output, error };
    }
    case "agent.event":
      return { type, event, toolCallId: event.toolCallId, nestedEvent: toTokenEvent(event.event) };
    case "run.end":
      return { type, event, reason: event.stopReason, error: event.error };
    default:
      return { type, event };
  }
}

/** Every name that a handler object may have; a misspelt one would never be called. */
const handlerNames: ReadonlySet<string> = new Set(["onError", ...Object.values(eventTable).map((row) => row.handler)]);

/**
 * Checks an `onToken` option.
 *
 * @throws ConfigurationError `INVALID_OPTION` if it is neither a function nor an object of known handlers.
 */
export function checkTokenHandlers(handlers: TokenHandlers): void {
  if (typeof handlers === "function") return;
  if (typeof handlers !== "object" || handlers === null) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `"onToken" must be a function or an object of handlers, not ${typeof handlers}.`,
    );
  }
  for (const name of Object.keys(handlers)) {
    if (!handlerNames.has(name)) {
      const near = nearestNames(name, handlerNames);
      const known =
        near.length > 0
          ? `The nearest are ${near.join(", ")}`
          : `The handlers are ${[...handlerNames].toSorted().join(", ")}`;
      throw new ConfigurationError(
        "INVALID_OPTION",
        `"onToken.${name}" is not an event's handler and would never be called. ${known}.`,
      );
    }
  }
}

/**
 * Passes a run's events on to `onToken`. An object takes only the events that it has handlers for.
 *
 * @param agentName - First argument of every handler.
 */
export function tokenTap(agentName: string, handlers: TokenHandlers): Tap {
  if (typeof handlers === "function") {
    return { name: "onToken", wants: () => true, take: (event) => handlers(agentName, toTokenEvent(event)) };
  }
  const object: TokenHandlerObject = handlers;
  const isFailure = (event: RunEvent): boolean => event.type === "run.end" && event.error !== undefined;
  return {
    name: "An onToken handler",
    wants: (type: RunEventType) =>
      object[eventTable[type].handler] !== undefined || (type === "run.end" && object.onError !== undefined),
    take(event: RunEvent, failed: ReportFailure): void {
      const token = toTokenEvent(event);
      const tell = (name: "onError" | `on${string}`, given: TokenEvent): void =>
        tellUserCode(
          () => object[name]?.(agentName, given),
          (error) => failed(`onToken.${name}`, error),
        );
      if (isFailure(event)) tell("onError", { ...token, type: "error" });
      tell(eventTable[event.type].handler, token);
    },
  };
}

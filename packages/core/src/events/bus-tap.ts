import type { EventBus } from "../contracts/event-bus.ts";
import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import type { StreamChunk } from "../contracts/stream-chunk.ts";
import { emitOf } from "./event-bus.ts";
import { eventTable } from "./event-table.ts";
import type { ReportFailure, Tap } from "./run-sink.ts";

/** The run and agent of an event of the bus. */
export interface BusOrigin {
  readonly runId: string;
  readonly agentName: string;
  readonly tenantId?: string | undefined;
}

/** The payload of an event on the bus: that of the reference pages if they have one, else the event itself. */
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

/**
 * Passes a run's events on to a bus, under the names of the event table. Events without a listener are never made.
 *
 * @param bus - The agent's bus.
 * @param origin - Whose events they are.
 */
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

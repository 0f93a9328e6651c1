import { ScriptFaultError } from "../script/script-error.ts";
import type { ScriptError, ScriptFaults } from "../script/script-faults.ts";
import type { Wire, WireEvent } from "./wire.ts";
import { defaultErrorMessage, type WireError } from "./wire-error.ts";

/** A script's error in wire terms. */
export function toWireError(error: ScriptError): WireError {
  return { ...error, message: error.message ?? defaultErrorMessage(error.status) };
}

/** The events of a stream with its faults in them. */
export function faultyEvents(wire: Wire, events: readonly WireEvent[], faults: ScriptFaults): readonly WireEvent[] {
  const { errorFrame, garbage, omitTerminal } = faults;
  let result = omitTerminal ? events.filter((event) => !event.terminal) : [...events];
  if (garbage !== undefined)
    result = [...result.slice(0, garbage.afterEvents), { data: garbage.line }, ...result.slice(garbage.afterEvents)];
  if (errorFrame !== undefined) {
    const before = result.slice(0, errorFrame.afterEvents);
    result = [...before, ...wire.errorEvents(toWireError(errorFrame.error), before)];
  }
  return result;
}

/**
 * Checks that a JSON answer has no fault that only a stream can have.
 *
 * @throws ScriptFaultError `SCRIPT_UNSUPPORTED` if it has one.
 */
export function refuseStreamFaults(faults: ScriptFaults): void {
  const names = (["errorFrame", "garbage", "omitTerminal", "cutAfterEvents", "hangAfterEvents"] as const).filter(
    (name) => faults[name] !== undefined,
  );
  if (names.length > 0)
    throw new ScriptFaultError(
      "SCRIPT_UNSUPPORTED",
      `The fault ${names.join(", ")} needs a stream, and the client asked for JSON: use error, delayMs or cutAfterBytes, or ask for a stream.`,
    );
}

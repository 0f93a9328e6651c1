import { isObject, type JsonObject } from "../json.ts";
import { errorObject } from "../openai/openai-error.ts";
import type { WireEvent } from "../wire.ts";
import type { WireError } from "../wire-error.ts";

/** An `error` event, and `response.failed` when the answer had begun. */
export function responsesErrorEvents(error: WireError, before: readonly WireEvent[]): readonly WireEvent[] {
  const emit = (type: string, offset: number, fields: JsonObject): WireEvent => ({
    event: type,
    data: { type, sequence_number: before.length + offset, ...fields },
  });
  const { code, message, type } = errorObject(error);
  const events = [emit("error", 0, { error: errorObject(error) })];
  const begun = before.map(({ data }) => (isObject(data) ? data["response"] : undefined)).find(isObject);
  if (begun === undefined) return events;
  const response = { ...begun, status: "failed", error: { code: code ?? type, message } };
  return [...events, emit("response.failed", 1, { response })];
}

import { isJsonObject } from "./json-shapes.ts";

/**
 * The bare error object that servers send in an event stream if they fail halfway: alone, under `error`, or in an
 * array.
 *
 * @param text - Text of the body outside of events.
 */
export function strayError(text: string): Readonly<Record<string, unknown>> | undefined {
  // llama.cpp names the field of an event stream "error".
  const json = text.startsWith("error:") ? text.slice("error:".length).trimStart() : text;
  if (!json.startsWith("{") && !json.startsWith("[")) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch {
    return undefined;
  }
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return undefined;
  const { error } = first;
  return isJsonObject(error) ? error : first;
}

import { isJsonObject } from "./json-shapes.ts";

/**
 * The error object that stands bare in an event stream, as servers send it when they fail in the middle: alone, under
 * `error`, or either of them in an array.
 *
 * @param text - What in the body was no event.
 */
export function strayError(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return undefined;
  const { error } = first;
  return isJsonObject(error) ? error : first;
}

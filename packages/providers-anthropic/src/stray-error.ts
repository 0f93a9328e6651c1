import { isObject } from "./json.ts";

/**
 * An error that stands bare in an event stream, as some servers send it when they fail in the middle.
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
  if (!isObject(first)) return undefined;
  return isObject(first["error"]) ? first["error"] : first;
}

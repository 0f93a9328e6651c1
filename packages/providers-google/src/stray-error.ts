import type { ErrorObject } from "./errors.ts";
import { isObject } from "./json.ts";

/**
 * An error that stands bare in an event stream, as the vendor sends it when it fails in the middle.
 *
 * @param text - What in the body was no event.
 */
export function strayError(text: string): ErrorObject | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return errorIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * The error object of a body or a frame: bare, under `error`, or either of them in an array.
 *
 * @param body - Parsed JSON.
 */
export function errorIn(body: unknown): ErrorObject | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(first)) return undefined;
  if (isObject(first["error"])) return first["error"];
  return "message" in first && ("code" in first || "status" in first) ? first : undefined;
}

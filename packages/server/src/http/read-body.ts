import type { Context } from "hono";
import { invalid, RequestError } from "./request-error.ts";

/** A JSON object. */
export type JsonBody = Readonly<Record<string, unknown>>;

/**
 * Reads the JSON body of a request.
 *
 * @param context - Context of the request. A page of another site cannot send this content type without a preflight
 *   request.
 * @throws RequestError `INVALID_REQUEST`, `UNSUPPORTED_MEDIA_TYPE`.
 */
export async function readBody(context: Context): Promise<JsonBody> {
  const type = context.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new RequestError(415, "UNSUPPORTED_MEDIA_TYPE", "Send JSON with the header content-type: application/json.");
  }
  const body: unknown =
    parsedBefore(context) ??
    (await context.req.json().catch(() => {
      throw invalid("The body is not JSON.");
    }));
  if (isDeeper(body, mostLevels)) throw invalid(`The body is nested deeper than ${mostLevels} levels.`);
  return asObject(body, "The body");
}

/**
 * The body that a middleware of a Node server, such as `express.json()`, read from the stream: it cannot be read again.
 */
export function parsedBefore(context: Context): unknown {
  const { incoming } = (context.env ?? {}) as { readonly incoming?: { readonly body?: unknown } | undefined };
  return typeof incoming?.body === "object" && incoming.body !== null ? incoming.body : undefined;
}

/** Maximum nesting depth of a body, so that later recursion cannot exhaust the stack. */
const mostLevels = 200;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** The value as an object. */
export function asObject(value: unknown, what: string): JsonBody {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${what} has to be an object.`);
  return value as JsonBody;
}

/** Returns the value if it is a non-empty text. */
export function asText(value: unknown, what: string): string {
  if (typeof value !== "string" || value === "") throw invalid(`${what} has to be a text that is not empty.`);
  return value;
}

/** The value as an object of texts. */
export function asTexts(value: unknown, what: string): Readonly<Record<string, string>> {
  const given = asObject(value, what);
  for (const [name, text] of Object.entries(given))
    if (typeof text !== "string")
      throw invalid(`${what} has to be an object of texts; ${JSON.stringify(name)} is none.`);
  return given as Readonly<Record<string, string>>;
}

/** The value as a text, if there is one. */
export function asOptionalText(value: unknown, what: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw invalid(`${what} has to be a text.`);
  return value;
}

/** A query parameter as a whole number, if there is one. */
export function asCount(value: string | undefined, what: string, most: number): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0 || count > most)
    throw invalid(`${what} has to be a whole number from 0 to ${most}.`);
  return count;
}

import type { Context } from "hono";
import { oldestMajor, versionHeader } from "../ui-stream/older-chunk.ts";
import { RequestError } from "./request-error.ts";

/**
 * Refuses a page that says that its AI SDK is too old for the chunks of the routes.
 *
 * @param context - Context of the request.
 * @throws RequestError `CLIENT_TOO_OLD`
 */
export function checkClientVersion(context: Context): void {
  const major = Number(context.req.header(versionHeader) ?? oldestMajor);
  if (major < oldestMajor) throw clientTooOld(`This page uses AI SDK ${major}`);
}

/**
 * The refusal of a page that is too old.
 *
 * @param what - The version, or the sign of it.
 */
export function clientTooOld(what: string): RequestError {
  return new RequestError(
    400,
    "CLIENT_TOO_OLD",
    `${what}; this server needs ${oldestMajor} or newer. Update the package "ai" of the page to ${oldestMajor} or 7.`,
  );
}

import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { DeskError } from "../desk-error.ts";
import { MailboxError } from "../mailbox/mailbox-error.ts";

/** Statuses of the desk's refusals; any other error is internal. */
const statuses: Readonly<Record<string, ContentfulStatusCode>> = {
  MAIL_NOT_FOUND: 404,
  INVALID_REQUEST: 400,
};

/** An error as a typed body: `{ error: { code, message } }`. Unexpected errors are logged, and not shown. */
export function errorResponse(error: Error, context: Context): Response {
  if (error instanceof DeskError || error instanceof MailboxError) {
    return context.json({ error: { code: error.code, message: error.message } }, statuses[error.code] ?? 409);
  }
  console.error(error);
  return context.json(
    { error: { code: "INTERNAL", message: "Something failed in the desk's server. Its log says what." } },
    500,
  );
}

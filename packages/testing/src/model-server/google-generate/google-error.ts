import type { JsonObject } from "../json.ts";
import type { ErrorResponse } from "../wire.ts";
import type { WireError } from "../wire-error.ts";

/** A 400 of Google. */
export function invalidArgument(message: string, details?: readonly unknown[]): WireError {
  return { status: 400, type: "INVALID_ARGUMENT", message, details };
}

/** Google's 400 for a member that its message type does not have. */
export function unknownField(name: string, field?: string): WireError {
  const description = `Invalid JSON payload received. Unknown name "${name}"${field === undefined ? "" : ` at '${field}'`}: Cannot find field.`;
  return invalidArgument(description, [
    {
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ ...(field === undefined ? {} : { field }), description }],
    },
  ]);
}

const statuses: ReadonlyMap<number, string> = new Map([
  [401, "UNAUTHENTICATED"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [409, "ABORTED"],
  [429, "RESOURCE_EXHAUSTED"],
  [499, "CANCELLED"],
  [500, "INTERNAL"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
]);

/** The error object of bodies and frames. */
export function errorObject(error: WireError): JsonObject {
  const retry =
    error.retryAfterSeconds === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${error.retryAfterSeconds}s` }];
  const details = [...(error.details ?? []), ...retry];
  const status = error.type ?? statuses.get(error.status) ?? (error.status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT");
  return { error: { code: error.status, message: error.message, status, ...(details.length > 0 ? { details } : {}) } };
}

/** A Google error as an HTTP answer. */
export function googleErrorResponse(error: WireError): ErrorResponse {
  return { status: error.status, headers: { ...error.headers }, body: error.body ?? errorObject(error) };
}

import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { thrownAsErrors } from "./developer-callbacks.ts";
import { errorResponse } from "./error-response.ts";
import { checkHost } from "./host-check.ts";
import { parsedBefore } from "./read-body.ts";
import { RequestError } from "./request-error.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

/**
 * An application whose requests have passed the checks that all routes share: host and origin, and the size of the body.
 *
 * @param options - Options of the routes; `maxBodyBytes` is 1 MiB by default.
 * @param onError - Receives errors that are not shown to the caller.
 */
export function guardedApp(
  options: Pick<RunRoutesOptions, "authorize" | "allowedOrigins" | "maxBodyBytes">,
  onError: (error: unknown) => void,
): Hono {
  const { authorize, allowedOrigins = [], maxBodyBytes = 1_048_576 } = options;
  const app = new Hono();
  app.onError((error, context) => errorResponse(error, context, onError));
  app.use(thrownAsErrors);
  app.use(async (context, next) => {
    checkHost(context, authorize === undefined, allowedOrigins);
    await next();
  });
  if (allowedOrigins.length > 0) app.use(cors({ origin: [...allowedOrigins], credentials: true }));
  const limit = bodyLimit({
    maxSize: maxBodyBytes,
    onError: () => {
      throw new RequestError(413, "BODY_TOO_LARGE", "The body is larger than this server takes.");
    },
  });
  // A middleware that read the body had its own limit.
  app.use((context, next) => (parsedBefore(context) === undefined ? limit(context, next) : next()));
  return app;
}

import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { thrownAsErrors } from "./developer-callbacks.ts";
import { errorResponse } from "./error-response.ts";
import { checkHost } from "./host-check.ts";
import { parsedBefore } from "./read-body.ts";
import { RequestError } from "./request-error.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";
import { largestBody } from "./uploads.ts";

/** Routes whose bodies have messages with files. */
const takesFiles = /\/(?:chat|ag-ui|chat\/completions|responses)$/u;

/**
 * An application whose requests have passed the checks that all routes share: host and origin, and the size of the body.
 *
 * @param options - Options of the routes; without `maxBodyBytes`, the largest body follows from `uploads`.
 * @param onError - Receives errors that are not shown to the caller.
 */
export function guardedApp(
  options: Pick<RunRoutesOptions, "authorize" | "allowedOrigins" | "maxBodyBytes" | "uploads">,
  onError: (error: unknown) => void,
): Hono {
  const { authorize, allowedOrigins = [], maxBodyBytes, uploads = {} } = options;
  const app = new Hono();
  app.onError((error, context) => errorResponse(error, context, onError));
  app.use(thrownAsErrors);
  app.use(async (context, next) => {
    checkHost(context, authorize === undefined, allowedOrigins);
    await next();
  });
  if (allowedOrigins.length > 0) app.use(cors({ origin: [...allowedOrigins], credentials: true }));
  const limitOf = (maxSize: number): MiddlewareHandler =>
    bodyLimit({
      maxSize,
      onError: () => {
        throw new RequestError(413, "BODY_TOO_LARGE", tooLarge(maxSize));
      },
    });
  const plain = limitOf(maxBodyBytes ?? largestBody(undefined));
  const withFiles = limitOf(maxBodyBytes ?? largestBody(uploads));
  app.use((context, next) => {
    // A middleware that read the body had its own limit.
    if (parsedBefore(context) !== undefined) return next();
    return (takesFiles.test(context.req.path) ? withFiles : plain)(context, next);
  });
  return app;
}

const tooLarge = (maxSize: number): string =>
  `The body is larger than the ${maxSize} bytes that this server takes. A chat page need not send its earlier messages: send the new message and "parentId", or use the transport of @bailiwick/react.`;

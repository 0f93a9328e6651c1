import { serveStatic } from "@hono/node-server/serve-static";
import { RequestError, runRoutes, type JsonBody } from "@bailiwick/server";
import { studio } from "@bailiwick/studio";
import { Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Desk } from "../desk.ts";
import { deskRoutes } from "./desk-routes.ts";
import { MailboxError } from "../mailbox/mailbox-error.ts";
import { errorResponse } from "./error-response.ts";
import { onlyThisMachine } from "./only-this-machine.ts";

/**
 * Everything that the page uses: the desk's own routes, the framework's, and the page itself.
 *
 * @param desk - Open.
 * @param pageFolder - Where the built page is.
 */
export function createDeskApp(desk: Desk, pageFolder: string): Hono {
  const app = new Hono().use(onlyThisMachine()).onError((error, context) => errorResponse(error, context));
  // The studio has its own headers. Every user of this machine may use it, like the rest of the desk.
  const home = { url: "../", title: "Support desk" };
  app.mount("/studio", studio({ store: desk.store, agents: [desk.agent], home, authorize: () => ({}) }).fetch);
  app.use(ownPageOnly());
  app.route("/api", deskRoutes(desk));
  app.route("/api", agentRoutes(desk));
  app.all("/api/*", (context) =>
    context.json({ error: { code: "NOT_FOUND", message: `There is no ${context.req.path} here.` } }, 404),
  );
  app.use(serveStatic({ root: pageFolder }));
  return app;
}

/**
 * A page of another site cannot show the desk in a frame, where a click could be an approval, and a mail cannot load
 * anything.
 */
function ownPageOnly(): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", "data:"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: "DENY",
    // The desk is reached over http, on this machine only.
    strictTransportSecurity: false,
  });
}

function agentRoutes({ agent, store, runOptions }: Desk): Hono {
  return runRoutes({
    agent,
    store,
    // Approvers may read failures too.
    errorText: ({ message }) => message,
    toRunInput(body: JsonBody) {
      const { mailId, text } = body;
      if (typeof mailId !== "string")
        throw new RequestError(400, "INVALID_REQUEST", '"mailId" has to be a mail\'s id.');
      if (typeof text !== "string" || text.trim() === "") {
        throw new RequestError(400, "INVALID_REQUEST", '"text" has to be what you ask.');
      }
      try {
        return { input: text, options: runOptions(mailId) };
      } catch (error) {
        if (error instanceof MailboxError) throw new RequestError(404, error.code, error.message);
        throw error;
      }
    },
  });
}

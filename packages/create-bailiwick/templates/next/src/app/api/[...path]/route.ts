import { runRoutes } from "@bailiwick/server";
import { Hono } from "hono";
import { openDesk } from "../../../desk.ts";

let app: Hono | undefined;

/** Opens the store with the first request. */
function handle(request: Request): Response | Promise<Response> {
  // Requests to this machine only, until you pass `authorize`.
  app ??= new Hono().route("/api", runRoutes(openDesk()));
  return app.fetch(request);
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST };

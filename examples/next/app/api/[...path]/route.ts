import { runRoutes } from "@bailiwick/server";
import { Hono } from "hono";
import { orders, userOf } from "../../../agent";

let app: Hono | undefined;

function routes(): Hono {
  app ??= new Hono().route(
    "/api",
    runRoutes({
      ...orders(),
      authorize: async (request) => {
        const userId = await userOf(request);
        return userId === null ? null : { userId };
      },
    }),
  );
  return app;
}

const handle = (request: Request): Response | Promise<Response> => routes().fetch(request);

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST };

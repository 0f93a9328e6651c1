import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { runRoutes } from "@bailiwick/server";
import { Hono } from "hono";
import { agent, store } from "./agent.ts";

// Without `authorize`, only this machine is answered. Add it before others can reach the server.
const app = new Hono();
app.route("/api", runRoutes({ agent, store }));
app.use("*", serveStatic({ root: "./dist" }));

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}`),
);

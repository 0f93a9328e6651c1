import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { runRoutes } from "@bailiwick/server";
import { Hono } from "hono";
import { desk, store } from "./desk.ts";

const app = new Hono();
// Requests of this machine only, until you pass `authorize`.
app.route("/api", runRoutes({ agent: desk, store, allowedOrigins: ["http://localhost:5173"] }));
// The page, after `npm run build`.
app.use("*", serveStatic({ root: "./dist" }));

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? "4311"), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`Server at http://localhost:${port}`),
);

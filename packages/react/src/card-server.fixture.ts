import { serve } from "@hono/node-server";
import { build } from "esbuild";
import { Hono } from "hono";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { suspiciousRefund, type SuspiciousRefund } from "../../server/src/http/suspicious-refund.fixture.ts";
import { cardChat } from "./card-chat.fixture.ts";

/** A page, and the agent behind it. */
export interface CardServer extends SuspiciousRefund {
  readonly url: string;
  close(): void;
}

/**
 * Serves a page with a chat that waits for a refund.
 *
 * @param said - The user's words.
 * @param entry - The module that shows the page.
 * @param styles - The page's style sheet.
 */
export async function serveCards(said: string, entry: string, styles?: string): Promise<CardServer> {
  const page = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    conditions: ["@bailiwick/source"],
    // The examples are outside of the workspace.
    nodePaths: [fileURLToPath(new URL("../node_modules", import.meta.url))],
    alias: {
      "@bailiwick/react": fileURLToPath(new URL("index.ts", import.meta.url)),
      // An example with its own packages would bring a second React, whose hooks find no component.
      react: fileURLToPath(new URL("../node_modules/react", import.meta.url)),
      "react-dom": fileURLToPath(new URL("../node_modules/react-dom", import.meta.url)),
    },
    define: { "process.env.NODE_ENV": '"development"' },
  });
  const script = page.outputFiles[0]?.text ?? "";
  const css =
    styles === undefined ? ":root { color-scheme: light dark; font-family: system-ui }" : readFileSync(styles, "utf8");
  const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Desk</title><style>${css}</style><div id="root"></div><script>localStorage.setItem("chat", "${cardChat}")</script><script type="module" src="/page.js"></script>`;
  const refund = suspiciousRefund(said);
  await refund.ask(cardChat);
  const app = new Hono();
  app.route("/api", refund.app);
  app.get("/page.js", (context) => context.body(script, 200, { "content-type": "text/javascript" }));
  app.get("/", (context) => context.html(html));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  if (!server.listening) await new Promise<void>((resolve) => void server.once("listening", resolve));
  return {
    ...refund,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

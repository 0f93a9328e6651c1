import { serve } from "@hono/node-server";
import { Agent, clientTool, memoryStore, tool } from "@bailiwick/agent";
import { runRoutes, sessionToUIMessages } from "@bailiwick/server";
import { scriptedModel } from "@bailiwick/testing";
import { build } from "esbuild";
import { Hono } from "hono";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** A server with an agent, its routes under /api, and the page that talks to them. */
export interface ChatServer {
  readonly agent: Agent;
  readonly url: string;
  /** Amounts that were paid. */
  readonly paid: readonly number[];
  /** Lets the pending calls of `slow` return. */
  release(): void;
  /** Breaks all connections. */
  cut(): void;
  close(): Promise<void>;
}

const html = (loaded: object): string =>
  `<!doctype html><div id="root"></div><script>globalThis.loaded = ${JSON.stringify(loaded).replaceAll("<", "\\u003c")};</script><script type="module" src="/page.js"></script>`;

/**
 * Starts it. The model does the action that the user's last message names: `pay`, `order`, `locate`, `slow`, or it
 * answers.
 */
export async function startChatServer(): Promise<ChatServer> {
  const paid: number[] = [];
  let waiting: (() => void)[] = [];
  const tools = [
    tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval: true,
      idempotencyKey: "call",
      execute: () => {
        paid.push(5);
        return "paid";
      },
    }),
    tool({
      name: "order",
      description: "Orders.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: async (_input, ctx) => `${await ctx.ask({ question: "How many?", schema: z.number() })} ordered`,
    }),
    clientTool({
      name: "locate",
      description: "Asks the page where it is.",
      inputSchema: z.object({}),
      outputSchema: z.object({ city: z.string() }),
    }),
    tool({
      name: "slow",
      description: "Takes its time.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: async (_input, ctx) =>
        new Promise<string>((resolve) => {
          waiting.push(() => resolve("done"));
          ctx.signal.addEventListener("abort", () => resolve("stopped"), { once: true });
        }),
    }),
  ] as const;
  let answers = 0;
  const model = scriptedModel(({ messages }) => {
    const last = messages.at(-1);
    const said = messages.findLast(({ role }) => role === "user")?.text ?? "";
    const name = /\b(?:pay|order|locate|slow)\b/.exec(said)?.[0];
    if (name !== undefined && last?.role === "user")
      return {
        text: "A moment.",
        toolCalls: Array.from({ length: said.includes("twice") ? 2 : 1 }, () => ({ name, arguments: {} })),
      };
    answers += 1;
    return `Answer ${answers} to ${said}`;
  });
  const store = memoryStore();
  const agent = new Agent({ name: "clerk", model, tools, store, session: store.sessions, flow: "off" });
  const page = await build({
    entryPoints: [fileURLToPath(new URL("chat-page.fixture.tsx", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    conditions: ["@bailiwick/source"],
    define: { "process.env.NODE_ENV": '"development"' },
  });
  const script = page.outputFiles[0]?.text ?? "";
  const app = new Hono();
  const authorize = (request: Request) => ({ userId: request.headers.get("x-user") ?? undefined });
  app.route("/api", runRoutes({ agent, store, pollMs: 20, authorize }));
  app.get("/page.js", (context) => context.body(script, 200, { "content-type": "text/javascript" }));
  app.get("/in-page", (context) => context.html(html({})));
  app.get("/from-server", async (context) => {
    const sessionId = context.req.query("chat") ?? "";
    return context.html(html({ messages: await sessionToUIMessages({ agent, store, sessionId }) }));
  });
  app.get("/empty", (context) => context.html(html({ messages: [] })));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  await new Promise<void>((resolve) => void (server.listening ? resolve() : server.once("listening", resolve)));
  const { port } = server.address() as AddressInfo;
  return {
    agent: agent as unknown as Agent,
    url: `http://127.0.0.1:${port}`,
    paid,
    release(): void {
      for (const go of waiting) go();
      waiting = [];
    },
    cut: () => server.closeAllConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

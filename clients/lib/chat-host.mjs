// A server with an agent that pages in a browser talk to, and Chromium to open them in.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { Agent, memoryStore, tool } from "../../packages/agent/src/index.ts";
import { runRoutes, sessionToUIMessages } from "../../packages/server/src/index.ts";
import { scriptedModel } from "../../packages/testing/src/index.ts";

/** Milliseconds that the browser, a page or a value may take: the end of what hangs, also on a busy machine. */
const patience = 240_000;

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A Standard Schema without a library. */
const aNumber = {
  "~standard": {
    version: 1,
    vendor: "chat-host",
    validate: (value) => (typeof value === "number" ? { value } : { issues: [{ message: "must be a number" }] }),
  },
};

/**
 * Starts the server. The model does what the user's last message names (`pay`, `order`, `slow`), or answers.
 *
 * @param {string} script the page's module
 * @param {(routes: ReturnType<typeof runRoutes>) => import("node:http").RequestListener} listen makes a listener of the routes
 */
export async function startChatHost(script, listen) {
  const paid = [];
  let waiting = [];
  let answers = 0;
  const anything = { type: "object", properties: {} };
  const tools = [
    tool({
      name: "pay",
      description: "Pays.",
      inputSchema: anything,
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
      inputSchema: anything,
      sideEffectClass: "read-only",
      execute: async (_input, context) => `${await context.ask({ question: "How many?", schema: aNumber })} ordered`,
    }),
    tool({
      name: "slow",
      description: "Takes its time.",
      inputSchema: anything,
      sideEffectClass: "read-only",
      execute: (_input, context) =>
        new Promise((resolve) => {
          waiting.push(() => resolve("done"));
          context.signal.addEventListener("abort", () => resolve("stopped"), { once: true });
        }),
    }),
  ];
  const model = scriptedModel(({ messages }) => {
    const said = messages.findLast(({ role }) => role === "user")?.text ?? "";
    const name = /\b(?:pay|order|slow)\b/.exec(said)?.[0];
    if (name !== undefined && messages.at(-1)?.role === "user")
      return { text: "A moment.", toolCalls: [{ name, arguments: {} }] };
    answers += 1;
    return `Answer ${answers} to ${said}`;
  });
  const store = memoryStore();
  const agent = new Agent({ name: "clerk", model, tools, store, session: store.sessions, flow: "off", logger: quiet });
  const userOf = (value) => value ?? "ada";
  const routes = runRoutes({
    agent,
    store,
    pollMs: 20,
    authorize: (request) => ({ userId: userOf(request.headers.get("x-user") ?? undefined) }),
  });
  const html = (loaded) =>
    `<!doctype html><meta charset="utf-8"><div id="root"></div><script>globalThis.loaded = ${JSON.stringify(loaded).replaceAll("<", "\\u003c")};</script><script type="module" src="/page.js"></script>`;
  const serveRoutes = listen(routes);
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://127.0.0.1");
    const page = (body, type) => {
      response.setHeader("content-type", type);
      response.end(body);
    };
    if (url.pathname.startsWith("/api/")) {
      request.url = request.url.slice("/api".length);
      return serveRoutes(request, response);
    }
    if (url.pathname === "/page.js") return page(script, "text/javascript; charset=utf-8");
    if (url.pathname === "/from-server") {
      const sessionId = url.searchParams.get("chat");
      const userId = userOf(url.searchParams.get("user") ?? undefined);
      void sessionToUIMessages({ agent, store, sessionId, userId }).then((messages) =>
        page(html({ messages }), "text/html"),
      );
      return undefined;
    }
    if (url.pathname === "/in-page") return page(html({}), "text/html");
    if (url.pathname === "/empty") return page(html({ messages: [] }), "text/html");
    response.statusCode = 404;
    return response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    agent,
    paid,
    url: `http://127.0.0.1:${server.address().port}`,
    release() {
      for (const go of waiting) go();
      waiting = [];
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The headless shell comes first, since it needs a third less of the processor than a whole browser. */
const browsers = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

/**
 * Starts the machine's Chromium.
 *
 * @param {typeof import("playwright-core").chromium} chromium
 */
export async function startBrowser(chromium) {
  const executablePath = process.env.BAILIWICK_CHROMIUM ?? browsers.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error("There is no Chromium on this machine. Install it, or set BAILIWICK_CHROMIUM to its path.");
  const browser = await chromium.launch({
    executablePath,
    timeout: patience,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(patience);
    return context;
  };
  return browser;
}

/**
 * Waits until a value is the wanted one.
 *
 * @param {() => unknown} read
 * @param {(value: unknown) => boolean} isWanted
 * @param {number} [withinMs] default: long enough for a busy machine
 */
export async function until(read, isWanted, withinMs = patience) {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Fails unless two values are the same JSON. */
export function equal(actual, wanted) {
  if (JSON.stringify(actual) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`);
}

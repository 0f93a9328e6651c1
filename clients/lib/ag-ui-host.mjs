// An agent behind the route for AG-UI, whose model does what the user's last word names.
import { createServer } from "node:http";
import { Agent, memoryStore, tool } from "../../packages/agent/src/index.ts";
import { runRoutes } from "../../packages/server/src/index.ts";
import { scriptedModel } from "../../packages/testing/src/index.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const inputSchema = { type: "object", properties: { amount: { type: "number" } } };
const pay = tool({
  name: "pay",
  description: "Pays.",
  inputSchema,
  sideEffectClass: "external-stateful",
  needsApproval: true,
  execute: ({ amount }) => `paid ${amount}`,
});
const count = tool({
  name: "count",
  description: "Counts.",
  inputSchema,
  sideEffectClass: "read-only",
  execute: (_input, ctx) => {
    const next = Number(ctx.getState("count") ?? 0) + 1;
    ctx.setState("count", next);
    return next;
  },
});
const called = { highlight: { row: 7 }, rename: { title: "Rows" }, pay: { amount: 5 }, count: {} };
const model = scriptedModel(({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") return `The result: ${last.text}`;
  const text = last?.text ?? "";
  const name = Object.keys(called).find((one) => text.trim().endsWith(one));
  return name === undefined ? `I read: ${text}` : { toolCalls: [{ name, arguments: called[name] }] };
});

/**
 * Starts the server.
 *
 * @param {{ script?: string, tools?: object }} [options] the module of the page at "/", and what is declared of page tools
 */
export async function startAgUiHost({ script, tools } = {}) {
  const store = memoryStore();
  const agent = new Agent({
    name: "clerk",
    model,
    tools: [pay, count],
    store,
    session: store.sessions,
    logger: quiet,
    // The words ask for no call, so its question is suspicious.
    flow: { planner: scriptedModel(() => JSON.stringify({ asked: false, quote: "" })) },
  });
  const routes = runRoutes({ agent, store, agUi: { tools, state: { session: store.sessions, keys: ["count"] } } });
  const server = createServer((request, response) => {
    if (request.url === "/" && script !== undefined) {
      response.setHeader("content-type", "text/html");
      return response.end('<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>');
    }
    if (request.url === "/page.js") {
      response.setHeader("content-type", "text/javascript; charset=utf-8");
      return response.end(script);
    }
    void answer(routes, request, response);
    return undefined;
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(routes, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answered = await routes.fetch(
    new Request(`http://localhost${request.url}`, {
      method: request.method,
      headers: { "content-type": request.headers["content-type"] ?? "" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body !== null) for await (const chunk of answered.body) response.write(chunk);
  response.end();
}

import { Agent, memoryStore } from "@bailiwick/agent";
import type { Tool } from "@bailiwick/agent";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { scriptedModel } from "@bailiwick/testing";
import { keepingLogger } from "../agents.test.helper.ts";
import { loopback } from "../http-server.test.helper.ts";
import { anyone, mcpServer } from "./index.ts";
import type { BailiwickMcpServer, McpHttpServing, McpServerOptions } from "./index.ts";

const keys = { seal: "a key for tests that is long enough" };

/** A server on loopback. */
export interface ServedShop extends AsyncDisposable {
  readonly store: ReturnType<typeof memoryStore>;
  readonly served: BailiwickMcpServer;
  readonly url: string;
}

/** Starts a server on loopback. */
export async function serve(given: Partial<McpServerOptions>, http: Partial<McpHttpServing> = {}): Promise<ServedShop> {
  const { tools = [], ...options } = given;
  const store = memoryStore();
  const agent = new Agent({
    name: "shop",
    model: scriptedModel(["Yes."]),
    tools: [...(tools as readonly Tool[])],
    store,
    logger: keepingLogger(),
    keys,
  });
  const served = mcpServer({ name: "shop", agent, tools, ...options });
  const handler = served.http({ authorize: anyone, ...http });
  const server = await loopback((request) => handler.fetch(request));
  return {
    store,
    served,
    url: server.url,
    async [Symbol.asyncDispose]() {
      await handler.close();
      await server.stop();
    },
  };
}

/** Both protocols that clients speak. */
export const eras = ["auto", "legacy"] as const;

/** The official client, connected. */
export async function connected(
  url: string,
  era: (typeof eras)[number],
  answer?: (params: { readonly message: string; readonly requestedSchema?: unknown }) => object,
): Promise<Client & AsyncDisposable> {
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era }, capabilities: answer === undefined ? {} : { elicitation: { form: {} } } },
  );
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => answer(params as never) as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

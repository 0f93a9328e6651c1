import {
  createMcpHandler,
  createRequestStateCodec,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";
import { ConfigurationError } from "@bailiwick/core";
import { definitionsOf } from "./definitions.ts";
import { refusalOf } from "./http-serving.ts";
import type { McpHttpServing } from "./http-serving.ts";
import { checkServerOptions } from "./options.ts";
import type { McpCaller, McpServerOptions } from "./options.ts";
import type { PendingCall } from "./questions.ts";
import { runCall } from "./run-call.ts";

/** A web-standard handler. */
export interface McpHttpHandler {
  /** Answers one request; hand it to a Hono app, a worker or a Node server. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** An MCP server that is yet to be reached. */
export interface BailiwickMcpServer {
  /**
   * Answers clients over HTTP: 2026-07-28 without sessions, and earlier versions.
   *
   * @throws ConfigurationError `INVALID_MCP_OPTION` without `authorize`.
   */
  http(serving: McpHttpServing): McpHttpHandler;
  /** Answers the client that started this process, over standard input and output, as this caller. Nothing else may print there. */
  stdio(caller?: McpCaller): Promise<{ close(): Promise<void> }>;
}

/** Lets everybody call, without a name. */
export const anyone = (): McpCaller => ({});

/**
 * Serves tools of an agent, and the agent itself, to clients of the Model Context Protocol. A call passes all that the
 * agent's own calls pass; what would ask a person is refused, or asks the client's user.
 *
 * @param options - The agent, what of it is served, and on what terms.
 * @throws ConfigurationError `INVALID_MCP_OPTION`
 * @example
 * ```ts
 * import { Agent, tool } from "@bailiwick/agent";
 * import type { ModelProvider } from "@bailiwick/agent";
 * import { anyone, mcpServer } from "@bailiwick/mcp/server";
 * import { z } from "zod";
 *
 * const lookUp = tool({
 *   name: "look_up_order",
 *   description: "Looks up an order.",
 *   inputSchema: z.object({ id: z.string() }),
 *   sideEffectClass: "read-only",
 *   execute: ({ id }) => ({ id, status: "shipped" }),
 * });
 *
 * export function serve(model: ModelProvider): (request: Request) => Promise<Response> {
 *   const agent = new Agent({ name: "shop", model, tools: [lookUp] });
 *   return mcpServer({ name: "shop", agent, tools: [lookUp], ask: true }).http({ authorize: anyone }).fetch;
 * }
 * ```
 */
export function mcpServer(options: McpServerOptions): BailiwickMcpServer {
  checkServerOptions(options);
  const definitions = definitionsOf(options);
  const codec = createRequestStateCodec<PendingCall>({
    key: options.stateKey ?? crypto.getRandomValues(new Uint8Array(32)),
    bind: (ctx) => JSON.stringify([ctx.mcpReq.method, callerOf(ctx)]),
  });
  const onError = options.onError ?? ((error) => console.error(`MCP server "${options.name}": a call failed.`, error));
  const serving = { options, codec, onError };

  const make = (fixed?: McpCaller): McpServer => {
    const server = new McpServer(
      { name: options.name, version: options.version ?? "1" },
      {
        capabilities: { tools: {} },
        requestState: { verify: codec.verify },
        ...(options.instructions !== undefined && { instructions: options.instructions }),
      },
    );
    const { server: wire } = server;
    wire.setRequestHandler("tools/list", async () => ({
      tools: [...definitions.values()].map(({ listed }) => listed),
    }));
    wire.setRequestHandler("tools/call", async ({ params }, ctx) => {
      const definition = definitions.get(params.name);
      if (definition === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name.slice(0, 128)}".`);
      return runCall(serving, {
        definition,
        input: params.arguments ?? {},
        caller: fixed ?? callerOf(ctx),
        ctx,
        declared: wire.getClientCapabilities(),
      });
    });
    return server;
  };

  return {
    http(given) {
      if (typeof (given as Partial<McpHttpServing> | undefined)?.authorize !== "function") {
        throw new ConfigurationError(
          "INVALID_MCP_OPTION",
          `mcpServer() "${options.name}": http() needs authorize, which says who calls. Use anyone to let everybody in.`,
        );
      }
      const handler = createMcpHandler(() => make());
      return {
        fetch: async (request) => {
          const refusal = refusalOf(request, given);
          if (refusal !== undefined) return refusal;
          const caller = await given.authorize(request);
          if (caller instanceof Response) return caller;
          return handler.fetch(request, { authInfo: authInfoOf(caller) });
        },
        close: () => handler.close(),
      };
    },
    async stdio(caller = {}) {
      const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
      return serveStdio(() => make(caller));
    },
  };
}

/** The protocol's server hands this through to each call. */
function authInfoOf({ tenantId, userId }: McpCaller): AuthInfo {
  return { token: "", clientId: userId ?? "", scopes: [], extra: { bailiwick: { tenantId, userId } } };
}

function callerOf(ctx: ServerContext): McpCaller {
  return (ctx.http?.authInfo?.extra?.["bailiwick"] as McpCaller | undefined) ?? {};
}

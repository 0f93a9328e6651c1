import {
  createMcpHandler,
  createRequestStateCodec,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type {
  AuthInfo,
  Server,
  ServerCapabilities,
  ServerContext,
  CompleteRequest,
  CompleteResult,
} from "@modelcontextprotocol/server";
import { ConfigurationError, checkArgument } from "@bailiwick/core";
import { errorListener } from "@bailiwick/core/extension";
import { definitionsOf } from "./definitions.ts";
import { callerOfRequest, checkAllowedHosts, refusalOf } from "./http-serving.ts";
import type { McpHttpServing } from "./http-serving.ts";
import { httpSessions } from "./http-sessions.ts";
import { checkServerOptions } from "./options.ts";
import type { McpServerOptions } from "./options.ts";
import { listedPrompt, promptMessages } from "./prompts.ts";
import type { PendingCall } from "./questions.ts";
import { refusalNotes, report } from "./refusal-notes.ts";
import { resourcesOf } from "./resources.ts";
import { runCall } from "./run-call.ts";
import { takeForeignAnswer } from "./session-answers.ts";
import { sharedSessions } from "./shared-sessions.ts";
import type { ForeignAnswer } from "./shared-sessions.ts";
import type { McpCaller } from "./served-agent.ts";
import { taskTermsOf } from "./task-options.ts";
import { answerTasks } from "./task-methods.ts";
import { taskRuns, tasksExtension } from "./tasks.ts";
import type { ServedPrompt } from "./prompts.ts";
import type { ServedResource } from "./resources.ts";

/** Maximum number of resources that one client may watch. */
const mostWatched = 1_000;

/** A web-standard handler. */
export interface McpHttpHandler {
  /** Answers one request; pass it to a Hono app, a worker or a Node server. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends open requests. */
  close(): Promise<void>;
}

/** An MCP server that is not connected yet. */
export interface BailiwickMcpServer {
  /**
   * Answers clients over HTTP: of 2026-07-28 without sessions, of earlier versions in a session each.
   *
   * @param serving - Who may call, and which hosts and origins are accepted.
   * @throws ConfigurationError `INVALID_MCP_OPTION` without `authorize`.
   */
  http(serving: McpHttpServing): McpHttpHandler;
  /**
   * Answers the client that started this process, over standard input and output, as this caller. Other code must not
   * print there.
   *
   * @param caller - Tenant and user of the client; default: neither.
   */
  stdio(caller?: McpCaller): Promise<{ close(): Promise<void> }>;
  /**
   * Notifies the clients that subscribed to a resource that its content has changed.
   *
   * @param uri - Address of the resource.
   */
  resourceChanged(uri: string): void;
}

/** Lets every client call, without a name. */
export const anyone = (): McpCaller => ({});

/**
 * Serves tools of an agent, and the agent itself, to clients of the Model Context Protocol. A call passes the same
 * checks as the agent's own calls; a call that would ask a person is refused, or asks the client's user.
 *
 * @param options - The agent, the parts of it that are served, and the settings.
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
  checkArgument(options, "object", "mcpServer({ name, agent })");
  checkServerOptions(options);
  const definitions = definitionsOf(options);
  const codec = createRequestStateCodec<PendingCall>({
    key: options.stateKey ?? crypto.getRandomValues(new Uint8Array(32)),
    bind: (ctx) => JSON.stringify([ctx.mcpReq.method, callerOf(ctx)]),
  });
  const onError = errorListener(options.onError, (error) => report(options.name, error));
  const onRefused = refusalNotes(options, onError);
  const terms = taskTermsOf(options.tasks);
  const tasks = terms === undefined ? undefined : taskRuns(terms, onError);
  const shared = options.stateKey === undefined ? undefined : sharedSessions(options.stateKey);
  const serving = { options, codec, onError, onRefused, tasks, shared };
  const onAnswer = async (answer: ForeignAnswer, authInfo: AuthInfo): Promise<void> => {
    const definition = definitions.get(answer.question.toolName);
    if (definition !== undefined)
      await takeForeignAnswer(serving, definition, answer, callerIn(authInfo)).catch(onError);
  };
  /** Resources that the client of a session or of a process watches. */
  const subscriptions = new WeakMap<Server, Set<string>>();
  const listeners = new Set<(uri: string) => void>();
  const tell = (wire: Server, uri: string): void => {
    if (subscriptions.get(wire)?.has(uri) !== true) return;
    // A client that has disconnected gets nothing.
    wire.sendResourceUpdated({ uri }).catch(() => undefined);
  };

  const make = (fixed?: McpCaller): McpServer => {
    const { resources = [], prompts = [] } = options;
    const server = new McpServer(
      { name: options.name, version: options.version ?? "1" },
      {
        capabilities: capabilitiesOf(options),
        requestState: { verify: codec.verify },
        ...(options.instructions !== undefined && { instructions: options.instructions }),
      },
    );
    // The protocol's server compares Mcp-Param headers with the arguments, using the schema that it finds here.
    server.toolInputSchemaJson = (name) => definitions.get(name)?.listed.inputSchema;
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
    if (tasks !== undefined) answerTasks(wire, { ...serving, tasks }, definitions, (ctx) => fixed ?? callerOf(ctx));
    if (resources.length > 0) {
      const table = resourcesOf(resources);
      const watched = new Set<string>();
      subscriptions.set(wire, watched);
      wire.setRequestHandler("resources/list", async () => ({ resources: [...table.listed] }));
      wire.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [...table.templates] }));
      wire.setRequestHandler("resources/read", async ({ params }, ctx) =>
        shielded(onError, () =>
          table.read({ uri: params.uri, caller: fixed ?? callerOf(ctx), signal: ctx.mcpReq.signal }),
        ),
      );
      wire.setRequestHandler("resources/subscribe", async ({ params }) => {
        if (watched.size < mostWatched) watched.add(params.uri);
        return {};
      });
      wire.setRequestHandler("resources/unsubscribe", async ({ params }) => {
        watched.delete(params.uri);
        return {};
      });
    }
    if (prompts.length > 0) {
      wire.setRequestHandler("prompts/list", async () => ({ prompts: prompts.map(listedPrompt) }));
      wire.setRequestHandler("prompts/get", async ({ params }, ctx) =>
        shielded(onError, () =>
          promptMessages(prompts, { name: params.name, args: params.arguments ?? {} }, fixed ?? callerOf(ctx), ctx),
        ),
      );
    }
    if (resources.length + prompts.length > 0)
      wire.setRequestHandler("completion/complete", async ({ params }) =>
        shielded(onError, () => completionOf(params, { prompts, resources })),
      );
    return server;
  };

  return {
    http(given) {
      if (typeof (given as Partial<McpHttpServing> | undefined)?.authorize !== "function") {
        throw new ConfigurationError(
          "INVALID_MCP_OPTION",
          `mcpServer() "${options.name}": http() needs authorize, which returns the caller. Use anyone to accept every caller.`,
        );
      }
      checkAllowedHosts(options.name, given.allowedHosts);
      const handler = createMcpHandler(() => make(), { legacy: "reject" });
      const sessions = httpSessions(() => make(), given.sessions, shared && { shared, onAnswer });
      const told = (uri: string): void => {
        handler.notify.resourceUpdated(uri);
        sessions.forEach(({ server }) => tell(server, uri));
      };
      listeners.add(told);
      return {
        fetch: async (request) => {
          const refusal = refusalOf(request, given);
          if (refusal !== undefined) return refusal;
          const caller = await callerOfRequest(request, given.authorize, onError);
          if (caller instanceof Response) return caller;
          const authInfo = authInfoOf(caller);
          if (await isLegacyRequest(request)) return sessions.fetch(request, authInfo);
          return handler.fetch(request, { authInfo });
        },
        close: async () => {
          listeners.delete(told);
          await Promise.all([handler.close(), sessions.close()]);
        },
      };
    },
    async stdio(caller = {}) {
      const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
      let current: McpServer | undefined;
      const told = (uri: string): void => void (current !== undefined && tell(current.server, uri));
      listeners.add(told);
      const serving = serveStdio(() => (current = make(caller)));
      return {
        close: async () => {
          listeners.delete(told);
          await serving.close();
        },
      };
    },
    resourceChanged(uri) {
      for (const listener of listeners) listener(uri);
    },
  };
}

function capabilitiesOf({ resources = [], prompts = [], tasks }: McpServerOptions): ServerCapabilities {
  return {
    tools: {},
    logging: {},
    ...(tasks !== undefined && tasks !== false && { extensions: { [tasksExtension]: {} } }),
    ...(resources.length > 0 && { resources: { subscribe: true } }),
    ...(prompts.length > 0 && { prompts: {} }),
    ...(resources.length + prompts.length > 0 && { completions: {} }),
  };
}

/** Runs a function of the operator. Its errors may contain text that is not meant for the client. */
async function shielded<T>(onError: (error: unknown) => void, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (ProtocolError.isInstance(error)) throw error;
    onError(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "The request failed inside the server.");
  }
}

/** The protocol's server passes this to each call. */
function authInfoOf({ tenantId, userId }: McpCaller): AuthInfo {
  return { token: "", clientId: userId ?? "", scopes: [], extra: { bailiwick: { tenantId, userId } } };
}

function callerOf(ctx: ServerContext): McpCaller {
  return callerIn(ctx.http?.authInfo);
}

function callerIn(authInfo: AuthInfo | undefined): McpCaller {
  return (authInfo?.extra?.["bailiwick"] as McpCaller | undefined) ?? {};
}

/** Maximum number of values in an answer, from the protocol. */
const most = 100;

/** Answers a request for suggestions. An argument without a function gets none. */
async function completionOf(
  { ref, argument, context }: CompleteRequest["params"],
  served: { readonly prompts: readonly ServedPrompt[]; readonly resources: readonly ServedResource[] },
): Promise<CompleteResult> {
  const complete =
    ref.type === "ref/prompt"
      ? served.prompts.find(({ name }) => name === ref.name)?.arguments?.find(({ name }) => name === argument.name)
          ?.complete
      : served.resources.find(({ uri }) => uri === ref.uri)?.complete?.[argument.name];
  const values = (await complete?.(argument.value, context?.arguments ?? {})) ?? [];
  return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } };
}

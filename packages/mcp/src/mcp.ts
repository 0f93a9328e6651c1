import { canonicalJson, defaultHasher } from "@bailiwick/core/extension";
import { pinTools } from "@bailiwick/core";
import type { ContentPart, Hasher, SandboxPort, ServedTools, ToolServer, ToolServerRequest } from "@bailiwick/core";
import type { Tool as ListedTool } from "@modelcontextprotocol/client";
import { createConnection } from "./connection/connection.ts";
import { reasonOf } from "./reason.ts";
import type { OpenClient } from "./connection/open-client.ts";
import { question } from "./connection/question.ts";
import type { RequestLimits } from "./connection/question.ts";
import { contentsOf, messagesOf, promptOf, resourceOf } from "./tools/content.ts";
import type { McpPrompt, McpPromptMessage, McpResource } from "./tools/content.ts";
import { McpError } from "./errors.ts";
import { finishOf } from "./oauth/finish.ts";
import { checkOptions } from "./options.ts";
import type { McpOptions } from "./options.ts";
import { serverRequests } from "./tools/server-requests.ts";
import { offerTools } from "./tools/offer-tools.ts";
import { classified, listedTools, sourceOf } from "./tools/listed-tools.ts";
import type { ListedTools } from "./tools/listed-tools.ts";

/** A server that provides tools to agents: `Agent({ mcp: [server] })`. */
export interface McpServerTools extends ToolServer, AsyncDisposable {
  /** Name of the server, the prefix of its tools. */
  readonly name: string;
  /**
   * Connects now, to find out early if the server is reachable. Runs connect by themselves.
   *
   * @throws McpError
   */
  connect(): Promise<{ readonly protocolVersion: string; readonly instructions: string | undefined }>;
  /**
   * The current hashes of the tools' definitions. Store them and pass them as `pins` to detect changes.
   *
   * @throws McpError
   */
  pins(): Promise<Readonly<Record<string, string>>>;
  /** The prompts that the server offers. */
  listPrompts(): Promise<readonly McpPrompt[]>;
  /**
   * A prompt's messages; their parts are marked untrusted.
   *
   * @param name - Name of the prompt, as the server lists it.
   * @param args - Values of the prompt's arguments.
   */
  getPrompt(name: string, args?: Readonly<Record<string, string>>): Promise<readonly McpPromptMessage[]>;
  /** The resources that the server offers. */
  listResources(): Promise<readonly McpResource[]>;
  /**
   * The contents of a resource, as parts that are marked untrusted.
   *
   * @param uri - Address of the resource, as the server lists it.
   */
  readResource(uri: string): Promise<readonly ContentPart[]>;
  /**
   * Continues with an authorization that a person gave in their browser.
   *
   * @param callbackUrl - The whole address that the browser returned to.
   * @throws McpError `MCP_AUTHORIZATION_REFUSED` when the authorization was not begun here, was changed or refused.
   */
  finishAuthorization(callbackUrl: string | URL): Promise<void>;
  /** Ends the connection and the server's process. Pending calls fail; further ones are refused. */
  close(): Promise<void>;
}

interface Listing {
  readonly open: OpenClient;
  readonly text: string;
  readonly tools: ListedTools;
}

/**
 * Connects the tools of an MCP server. Nothing is started or connected before the first run needs it.
 *
 * @param options - Address or program of the server, classification of its tools, and time limits.
 * @throws ConfigurationError `INVALID_MCP_OPTION`, `UNKNOWN_OPTION`
 * @example
 * ```ts
 * import { Agent } from "@bailiwick/agent";
 * import type { ModelProvider } from "@bailiwick/agent";
 * import { mcp } from "@bailiwick/mcp";
 *
 * export async function ask(model: ModelProvider, question: string): Promise<string> {
 *   await using tracker = mcp({
 *     name: "tracker",
 *     url: "https://tracker.example/mcp",
 *     tools: {
 *       "list_*": { changes: "nothing" },
 *       create_issue: { changes: "outside", decides: ["repo"] },
 *     },
 *   });
 *   const agent = new Agent({ name: "helper", model, mcp: [tracker] });
 *   return (await agent.run(question)).text;
 * }
 * ```
 */
export function mcp(options: McpOptions): McpServerTools {
  checkOptions(options);
  const { name } = options;
  let isStale = false;
  let listing: Listing | undefined;
  const byHasher = new WeakMap<ListedTools, WeakMap<Hasher, ServedTools>>();
  const requests = serverRequests(options);
  const connection = createConnection(options, {
    requests,
    onToolsChanged: () => {
      isStale = true;
    },
  });
  const calls = { options, connection, requests };
  const offered = offerTools(options, (signal, ask) => question(connection, options, { signal }, ask));
  const timeout = options.connectTimeoutMs ?? 30_000;

  const list = (signal: AbortSignal, sandbox: SandboxPort | undefined): Promise<ListedTools> =>
    question(connection, options, { signal, sandbox }, async (open) => {
      if (listing?.open === open && open.tellsOfTools() && !isStale) return listing.tools;
      // Reset before the listing, so that a change during it makes the list stale again.
      isStale = false;
      const { tools } = await open.client.listTools(undefined, { signal, timeout }).catch((error: unknown) => {
        isStale = true;
        throw error;
      });
      listing = { open, ...sameOr(listing, tools, () => listedTools(tools, calls, offered)) };
      return listing.tools;
    });
  /** The same tools for the same list, so that runs see no change. */
  const servedOf = (of: ListedTools, hasher: Hasher): ServedTools => {
    let known = byHasher.get(of);
    if (known === undefined) byHasher.set(of, (known = new WeakMap()));
    let served = known.get(hasher);
    if (served === undefined) known.set(hasher, (served = classified(of, calls, hasher)));
    return served;
  };
  const serve = async ({ signal, sandbox, hasher }: ToolServerRequest): Promise<ServedTools> =>
    servedOf(await list(signal, sandbox), hasher);
  const asked = <T>(ask: (open: OpenClient, limits: RequestLimits) => Promise<T>): Promise<T> =>
    question(connection, options, { signal: new AbortController().signal }, ask);
  /** True if the server has reported that its tools changed, or was connected again since they were listed. */
  const hasNews = (): boolean => connection.current !== undefined && (isStale || listing?.open !== connection.current);

  return {
    name,
    source: sourceOf(name),
    serve(request) {
      // Between two turns, a run only waits for what it needs.
      if (request.known !== undefined && !hasNews())
        return listing === undefined ? request.known : servedOf(listing.tools, request.hasher);
      if (options.optional !== true) return serve(request);
      return serve(request).catch((error: unknown) => {
        request.signal.throwIfAborted();
        if (!(error instanceof McpError) || error.code === "MCP_SANDBOX_REQUIRED") throw error;
        return request.known ?? absent(name, error);
      });
    },
    async connect() {
      return asked(async ({ client }) => ({
        protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
        instructions: client.getInstructions(),
      }));
    },
    async pins() {
      const { served } = await list(new AbortController().signal, undefined);
      return pinTools(served, defaultHasher());
    },
    listPrompts: () =>
      asked(async ({ client }, limits) => (await client.listPrompts(undefined, limits)).prompts.map(promptOf)),
    getPrompt: (prompt, args) =>
      asked(async ({ client }, limits) =>
        messagesOf(
          await client.getPrompt({ name: prompt, ...(args !== undefined && { arguments: { ...args } }) }, limits),
        ),
      ),
    listResources: () =>
      asked(async ({ client }, limits) => (await client.listResources(undefined, limits)).resources.map(resourceOf)),
    readResource: (uri) => asked(async ({ client }, limits) => contentsOf(await client.readResource({ uri }, limits))),
    finishAuthorization: (callbackUrl) => finishOf(options, callbackUrl),
    close: () => connection.close(),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

/** An unchanged list keeps its tool objects, so that runs see that nothing changed. */
function sameOr(
  before: Listing | undefined,
  listed: readonly ListedTool[],
  make: () => ListedTools,
): Pick<Listing, "text" | "tools"> {
  const text = canonicalJson(listed);
  return { text, tools: before?.text === text ? before.tools : make() };
}

function absent(name: string, error: McpError): ServedTools {
  const message = `The agent runs without the MCP server "${name}": ${reasonOf(error)}`;
  return { tools: [], warnings: [{ code: "mcp_server_absent", message, subject: name }], isAbsent: true };
}

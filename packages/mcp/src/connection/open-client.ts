import type { SandboxExit, SandboxPort } from "@bailiwick/core";
import { Client, ProtocolError } from "@modelcontextprotocol/client";
import type { ClientOptions, Transport } from "@modelcontextprotocol/client";
import type { McpOptions } from "../options.ts";
import type { StdioTransport } from "../stdio/stdio-transport.ts";
import { explainOpening } from "./explain.ts";
import { readMoreOfResults, tasksExtension } from "./task-results.ts";
import { transportFor } from "./transport-for.ts";
import type { RequestHandlers } from "./request-handlers.ts";
import { streamEndedCode } from "./whole-streams.ts";

/** Name and version of this client. */
const identity = { name: "bailiwick", version: "1" };
/** The first version of the protocol without sessions, which has no ping. */
const sessionless = "2026-07-28";
/** Time for a program to answer the question for its version before it is treated as an older one, in milliseconds. */
const probeTimeoutMs = 10_000;
/** Time for a server to answer a ping, in milliseconds. */
const pingMs = 5_000;
/** Time for a server to end a session on close, in milliseconds. */
const farewellMs = 2_000;

/** Inputs for opening a connection, besides the options. */
export interface Opening {
  readonly sandbox: SandboxPort | undefined;
  readonly signal: AbortSignal;
  /** Answers requests of the server; a missing handler is not offered to it. */
  readonly requests: RequestHandlers;
  readonly onToolsChanged: () => void;
}

/** An open connection. */
export interface OpenClient {
  readonly client: Client;
  /** Settles when it is lost or closed. */
  readonly lost: Promise<void>;
  /** How the server's process ended; `undefined` for a server that is not a process here. */
  readonly ended: Promise<SandboxExit & { readonly lastWords: string }> | undefined;
  /** True if the server may forget this client: it has a session over HTTP, or is a process. */
  readonly hasSession: boolean;
  /** True if the server is certain to report changes of its tools. */
  tellsOfTools(): boolean;
  /** True if the server answers a ping; false if it has forgotten this client, or hangs. */
  answers(): Promise<boolean>;
  /** Closes the connection; the server's process, and those that it started, have ended when this resolves. */
  close(): Promise<void>;
}

/**
 * Connects to a server and negotiates the version.
 *
 * @throws McpError
 */
export async function openClient(options: McpOptions, opening: Opening): Promise<OpenClient> {
  const mode = options.protocol ?? "auto";
  try {
    return await connect(options, opening, mode);
  } catch (error) {
    // An older program may exit on an unknown request: it is started again and gets the greeting that it expects.
    const isClosed = mode === "auto" && options.command !== undefined && !opening.signal.aborted;
    if (!isClosed || !(error instanceof ProbeClosed)) throw error instanceof ProbeClosed ? error.reason : error;
    return connect(options, opening, "legacy");
  }
}

/** The server's process ended before it returned its version. */
class ProbeClosed extends Error {
  readonly reason: unknown;
  constructor(reason: unknown) {
    super("The process ended while it was asked for its version.");
    this.reason = reason;
  }
}

async function connect(options: McpOptions, opening: Opening, mode: string): Promise<OpenClient> {
  const transport = await transportFor(options, opening);
  const client = new Client(identity, clientOptions(options, opening, mode));
  const { onElicitation, onSampling, onRoots } = opening.requests;
  if (onElicitation !== undefined)
    client.setRequestHandler("elicitation/create", (request, ctx) => onElicitation(request, ctx.mcpReq.signal));
  if (onSampling !== undefined) client.setRequestHandler("sampling/createMessage", onSampling);
  if (onRoots !== undefined) client.setRequestHandler("roots/list", onRoots);
  const ended = "ended" in transport ? (transport as StdioTransport).ended : undefined;
  const lost = new Promise<void>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol's client is not an event target
    client.onclose = resolve;
  });
  const close = async (): Promise<void> => {
    await farewell(transport);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  const giveUp = (): void => void transport.close().catch(() => undefined);
  opening.signal.addEventListener("abort", giveUp, { once: true });
  try {
    const timeout = options.connectTimeoutMs ?? 30_000;
    await client.connect(transport, { timeout, signal: opening.signal });
  } catch (error) {
    await close();
    opening.signal.throwIfAborted();
    const said = await explainOpening(error, options, ended);
    const isProbe = mode === "auto" && ended !== undefined && isEraError(error);
    throw isProbe ? new ProbeClosed(said) : said;
  } finally {
    opening.signal.removeEventListener("abort", giveUp);
  }
  readMoreOfResults(client);
  let isListening = client.autoOpenedSubscription?.honoredFilter.toolsListChanged === true;
  void client.autoOpenedSubscription?.closed.then(() => {
    isListening = false;
  });
  const tellsOfTools = (): boolean =>
    isListening || (ended !== undefined && client.getServerCapabilities()?.tools?.listChanged === true);
  // A lost connection leaves no process behind.
  void lost.then(() => transport.close()).catch(() => undefined);
  const hasSession = ended !== undefined || transport.sessionId !== undefined;
  return { client, lost, ended, hasSession, tellsOfTools, answers: () => answersPing(client), close };
}

/** Any answer counts, also one that the server does not know the request. */
async function answersPing(client: Client): Promise<boolean> {
  const limits = { timeout: pingMs };
  const isSessionless = (client.getNegotiatedProtocolVersion() ?? "") >= sessionless;
  try {
    await (isSessionless ? client.discover(limits) : client.ping(limits));
    return true;
  } catch (error) {
    return ProtocolError.isInstance(error) && error.code !== streamEndedCode;
  }
}

function isEraError(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === "ERA_NEGOTIATION_FAILED";
}

function clientOptions(options: McpOptions, { requests, onToolsChanged }: Opening, mode: string): ClientOptions {
  return {
    capabilities: {
      extensions: { [tasksExtension]: {} },
      ...(requests.onElicitation !== undefined && { elicitation: { form: {} } }),
      ...(requests.onSampling !== undefined && { sampling: {} }),
      ...(requests.onRoots !== undefined && { roots: {} }),
    },
    versionNegotiation: {
      mode: mode === "auto" || mode === "legacy" ? mode : { pin: mode },
      ...(options.command !== undefined &&
        mode === "auto" && {
          probe: { timeoutMs: Math.min(probeTimeoutMs, options.connectTimeoutMs ?? probeTimeoutMs) },
        }),
    },
    // Outside of tool calls, a function and the roots answer at once; all other requests are answered by their call.
    inputRequired: { autoFulfill: typeof options.elicitation === "function" || options.roots !== undefined },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
    defaultCacheTtlMs: options.toolsTtlMs ?? 0,
    // The pipeline checks these results, like those of any tool.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  };
}

async function farewell(transport: Transport & { terminateSession?(): Promise<void> }): Promise<void> {
  if (transport.sessionId === undefined || transport.terminateSession === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, farewellMs);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}

import { createRequestStateCodec } from "@modelcontextprotocol/server";
import type { AuthInfo } from "@modelcontextprotocol/server";

/** Life of a session's id, and of a question in it, in seconds. */
const sessionSeconds = 86_400;
const questionSeconds = 3_600;
/** Maximum length of client data in an id; the session of a client with more stays in its process. */
const mostCarried = 2_048;
/** Member of a request's metadata with the id that it gets on the wire. */
const questionKey = "bailiwick/question";

/** A question to a session's client. The answer may reach another process. */
interface SessionQuestion {
  readonly runId: string;
  readonly toolName: string;
  /** Ids of the questions that the client was shown. */
  readonly asked: readonly string[];
  /** Key of the question in this request. */
  readonly key: string;
}

/** An answer that belongs to a question of another process. */
export interface ForeignAnswer {
  readonly question: SessionQuestion;
  /** `undefined` if the client could not answer. */
  readonly result: unknown;
}

interface Transport {
  send(message: never, options?: never): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
}
type Message = Readonly<Record<string, unknown>>;

/**
 * Lets several processes serve one session. The id of a session contains its data, and the id of a question names the
 * run that waits for the answer; both are signed, and belong to the caller who opened the session.
 */
export interface SharedSessions {
  /** The id of a new session; `undefined` if the request opens none, or its data is too long. */
  idFor(request: Request, authInfo: AuthInfo): Promise<string | undefined>;
  /** The greeting that opens a session of another process here; `undefined` for an id that is not valid. */
  greetingOf(id: string, request: Request, authInfo: AuthInfo): Promise<Request | undefined>;
  /** Signs a question, so that a request carries it as its id. */
  metadataFor(question: SessionQuestion, authInfo: AuthInfo | undefined): Promise<Record<string, unknown>>;
  /** Gives the questions of a session their ids on the wire. */
  connect(transport: Transport): void;
  /** An answer in a request that this process did not ask for. */
  foreignAnswer(request: Request, transport: Transport, authInfo: AuthInfo): Promise<ForeignAnswer | undefined>;
}

type Signed =
  | { readonly kind: "session"; readonly owner: string; readonly greeting: Message }
  | { readonly kind: "question"; readonly owner: string; readonly question: SessionQuestion };

/** @param key - Key that all processes have. */
export function sharedSessions(key: string | Uint8Array): SharedSessions {
  const sessions = createRequestStateCodec<Signed>({ key, ttlSeconds: sessionSeconds });
  const questions = createRequestStateCodec<Signed>({ key, ttlSeconds: questionSeconds });
  /** Ids on the wire of the open questions of each transport, with the ids that the server of the protocol gave. */
  const open = new WeakMap<Transport, Map<string, unknown>>();
  const read = async <Kind extends Signed["kind"]>(
    kind: Kind,
    text: string,
    authInfo: AuthInfo,
  ): Promise<(Signed & { readonly kind: Kind }) | undefined> => {
    const signed = await sessions.verify(text, undefined as never).catch(() => undefined);
    if (signed?.kind !== kind || signed.owner !== ownerOf(authInfo)) return undefined;
    return signed as Signed & { readonly kind: Kind };
  };
  return {
    async idFor(request, authInfo) {
      const message = await messageIn(request);
      if (message?.["method"] !== "initialize") return undefined;
      const greeting = carriedGreeting(message["params"]);
      if (JSON.stringify(greeting).length > mostCarried) return undefined;
      return sessions.mint({ kind: "session", owner: ownerOf(authInfo), greeting });
    },
    async greetingOf(id, request, authInfo) {
      const signed = await read("session", id, authInfo);
      if (signed === undefined) return undefined;
      return new Request(request.url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: signed.greeting }),
      });
    },
    async metadataFor(question, authInfo) {
      return { [questionKey]: await questions.mint({ kind: "question", owner: ownerOf(authInfo), question }) };
    },
    connect(transport) {
      const asked = new Map<string, unknown>();
      open.set(transport, asked);
      const send = transport.send.bind(transport) as (message: Message, options?: unknown) => Promise<void>;
      const deliver = transport.onmessage as ((message: Message, extra?: unknown) => void) | undefined;
      transport.send = (message: Message, options?: unknown) => send(marked(message, asked), options);
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an event target
      transport.onmessage = ((message: Message, extra?: unknown) => {
        const id = message["id"];
        if (typeof id !== "string" || "method" in message || !asked.has(id)) return deliver?.(message, extra);
        const own = asked.get(id);
        asked.delete(id);
        return deliver?.({ ...message, id: own }, extra);
      }) as never;
    },
    async foreignAnswer(request, transport, authInfo) {
      const message = await messageIn(request);
      const id = message?.["id"];
      if (message === undefined || "method" in message || typeof id !== "string") return undefined;
      if (open.get(transport)?.has(id) === true) return undefined;
      const signed = await read("question", id, authInfo);
      return signed && { question: signed.question, result: message["result"] };
    },
  };
}

/** A message with the id that its question carries. */
function marked(message: Message, asked: Map<string, unknown>): Message {
  const params = message["params"] as { readonly _meta?: Message; readonly requestId?: unknown } | undefined;
  if (message["method"] === "notifications/cancelled") {
    const id = [...asked].find(([, own]) => own === params?.requestId)?.[0];
    if (id === undefined) return message;
    asked.delete(id);
    return { ...message, params: { ...params, requestId: id } };
  }
  const { [questionKey]: id, ...meta } = params?._meta ?? {};
  if (typeof id !== "string" || !("method" in message)) return message;
  asked.set(id, message["id"]);
  return { ...message, id, params: { ...params, _meta: meta } };
}

/** The parts of a greeting that a server needs later. */
function carriedGreeting(params: unknown): Message {
  const { protocolVersion, capabilities, clientInfo } = (params ?? {}) as {
    readonly protocolVersion?: unknown;
    readonly capabilities?: Message;
    readonly clientInfo?: { readonly name?: unknown; readonly version?: unknown };
  };
  const { elicitation, sampling, roots } = capabilities ?? {};
  const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 64) : "");
  return {
    protocolVersion,
    capabilities: { elicitation, sampling, roots },
    clientInfo: { name: text(clientInfo?.name), version: text(clientInfo?.version) },
  };
}

/** The one message of a request; `undefined` if there is none, or several. */
async function messageIn(request: Request): Promise<Message | undefined> {
  if (request.method !== "POST") return undefined;
  try {
    const body = await request.clone().json();
    return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** The caller of a request, as text. */
export function ownerOf(authInfo: AuthInfo | undefined): string {
  return JSON.stringify(authInfo?.extra ?? {});
}

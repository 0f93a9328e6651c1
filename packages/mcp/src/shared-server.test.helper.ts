import { McpServer } from "@modelcontextprotocol/server";
import { sessionServer } from "./session-server.test.helper.ts";
import type { SessionServer } from "./session-server.test.helper.ts";

/** Faults of a server, each in the answer to one request. */
export const faults: Readonly<Record<Fault, (at: FaultAt) => Response | Promise<Response>>> = {
  "HTTP 404": () => new Response("no", { status: 404 }),
  "HTTP 500": () => new Response("no", { status: 500 }),
  "a broken socket": () => json(pieces('{"jsonrpc":"2.0",', new Error("cut"))),
  "half an answer": () => json('{"jsonrpc":"2.0",'),
  "a stream without the answer": () => events(""),
  "an answer to a request that was not sent": () => json(answer(987_654)),
  "the answer to a request of another run": ({ other }) => json(answer(other)),
  "the answer to a request of another run as a stream": ({ other }) => events(`data: ${answer(other)}\n\n`),
  "a dropped session": ({ server }) => {
    server.expire();
    return new Response("no", { status: 404 });
  },
  "no answer": () => new Promise(() => undefined),
  "no answer, also later in this session": ({ forget }) => {
    forget();
    return new Promise(() => undefined);
  },
};

export type Fault =
  | "HTTP 404"
  | "HTTP 500"
  | "a broken socket"
  | "half an answer"
  | "a stream without the answer"
  | "an answer to a request that was not sent"
  | "the answer to a request of another run"
  | "the answer to a request of another run as a stream"
  | "a dropped session"
  | "no answer"
  | "no answer, also later in this session";

/** The request that has the fault. */
interface FaultAt {
  readonly server: SessionServer;
  /** Id of the request of another run that is not answered yet. */
  readonly other: unknown;
  /** Leaves every further request of the session without an answer. */
  readonly forget: () => void;
}

const answer = (id: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "for another" }], tools: [] } });
const json = (body: string | ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { "content-type": "application/json" } });
const events = (body: string): Response => new Response(body, { headers: { "content-type": "text/event-stream" } });
const pieces = (text: string, error: Error): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      setImmediate(() => controller.error(error));
    },
  });

/** A server with sessions whose answers can be made to fail one at a time. */
export interface FaultyServer extends AsyncDisposable {
  readonly url: string;
  /** Calls that the server executed. */
  readonly log: readonly string[];
  /** The next requests of these methods get these faults, in this order; `undefined` is the answer without a fault. */
  arm(...next: readonly (readonly [method: string, fault: Fault | undefined])[]): void;
  /** True if all of them were sent. */
  readonly isDone: boolean;
  /** Lets `held_write` and `held_read` answer. */
  release(): void;
}

/** Starts the server. `held_write` and `held_read` are executed at once, and answered after `release()`. */
export async function faultyServer(): Promise<FaultyServer> {
  const log: string[] = [];
  const armed: (readonly [string, Fault | undefined])[] = [];
  const forgotten = new Set<string | null>();
  let other: unknown;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => void (release = resolve));
  const make = (): McpServer => {
    const made = new McpServer({ name: "shared", version: "1" });
    for (const name of ["read", "held_read", "held_write"]) {
      made.registerTool(name, { description: `Tool ${name}.` }, async () => {
        log.push(name);
        if (name.startsWith("held")) await released;
        return { content: [{ type: "text", text: `answer of ${name}` }] };
      });
    }
    made.registerPrompt("triage", {}, async () => ({
      messages: [{ role: "user", content: { type: "text", text: "Sort these." } }],
    }));
    made.registerResource("readme", "file:///readme.md", {}, async ({ href }) => ({
      contents: [{ uri: href, text: "# Read me" }],
    }));
    return made;
  };
  const server = await sessionServer(async (request, method) => {
    const session = request.headers.get("mcp-session-id");
    if (session !== null && forgotten.has(session)) return new Promise(() => undefined);
    const body = request.method === "POST" ? await request.clone().text() : "";
    if (body.includes('"held_')) other = (JSON.parse(body) as { readonly id: unknown }).id;
    const name = request.method === "GET" ? "GET" : method;
    if (armed[0]?.[0] !== name) return undefined;
    const [, fault] = armed.shift() ?? [];
    return fault && faults[fault]({ server, other, forget: () => forgotten.add(session) });
  }, make);
  return {
    url: server.url,
    log,
    arm: (...next) => void armed.push(...next),
    get isDone() {
      return armed.length === 0;
    },
    release,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

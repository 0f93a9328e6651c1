import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer of a local server. */
export interface LocalAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Pieces of the body; each is written by itself. */
  readonly body: readonly (string | Uint8Array)[];
}

/** A server on the loopback interface that answers with what a test gives. */
export interface LocalServer {
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  }[];
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The body of a request that a test expects.
 *
 * @param server - The server.
 * @param index - Position of the request.
 */
export function bodyAt<Body>(server: LocalServer, index: number): Body {
  const request = server.requests[index];
  if (request === undefined) throw new Error(`There was no request ${index}.`);
  return request.body as Body;
}

/**
 * Starts a server that answers in turn.
 *
 * @param answers - One for each request; the last one is repeated.
 */
export async function localServer(answers: readonly LocalAnswer[]): Promise<LocalServer> {
  const requests: LocalServer["requests"] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push({
        path: request.url ?? "",
        headers: request.headers,
        body: text === "" ? undefined : JSON.parse(text),
      });
      response.writeHead(answer?.status ?? 200, { "content-type": "application/json", ...answer?.headers });
      for (const piece of answer?.body ?? []) response.write(piece);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/**
 * Server-sent events, as Mistral and Cohere stream.
 *
 * @param events - Data of each event.
 */
export function sse(...events: readonly unknown[]): LocalAnswer {
  return {
    headers: { "content-type": "text/event-stream" },
    body: events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`),
  };
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): LocalAnswer {
  return { status, headers, body: [JSON.stringify(body)] };
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A received request for vectors. */
export interface VectorRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer to a request: a body, or a status with a body and headers; `"hang"` never answers. */
export type VectorAnswer =
  | "hang"
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown };

/**
 * Starts a server on the loopback interface that answers requests for vectors.
 *
 * @param answer - Makes an answer for a request and its position.
 */
export async function vectorServer(answer: (request: VectorRequest, index: number) => VectorAnswer): Promise<{
  readonly url: string;
  readonly requests: readonly VectorRequest[];
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const requests: VectorRequest[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const body = JSON.parse(text) as VectorRequest["body"];
      requests.push({ path: request.url ?? "", headers: request.headers, body });
      const given = answer({ path: request.url ?? "", headers: request.headers, body }, requests.length - 1);
      if (given === "hang") return;
      response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers });
      response.end(JSON.stringify(given.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

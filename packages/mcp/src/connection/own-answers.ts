import { streamEndedCode } from "./whole-streams.ts";

type Fetch = typeof globalThis.fetch;
type Message = Readonly<Record<string, unknown>>;

/** The id of the request in a body that the protocol's client sends; `undefined` for other messages. */
export function requestIdIn(body: unknown): string | number | undefined {
  if (typeof body !== "string") return undefined;
  try {
    const { id, method } = JSON.parse(body) as { readonly id?: string | number; readonly method?: unknown };
    return typeof method === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

/** True for a message that answers another request than this one: the protocol's client would settle that one with it. */
export function answersAnother(requestId: string | number, message: unknown): boolean {
  return isAnswer(message) && String(message["id"]) !== String(requestId);
}

/**
 * Creates a `fetch` whose answers as JSON settle the request that they are the answer to, and no other one. A request
 * whose answer is for another one fails. For event streams, see `eventBlocks`.
 */
export function ownAnswers(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const id = init?.method?.toUpperCase() === "POST" ? requestIdIn(init.body) : undefined;
    const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
    if (id === undefined || !response.ok || !isJson) return response;
    const { status, statusText, headers } = response;
    return new Response(ownIn(await response.text(), id), { status, statusText, headers: [...headers] });
  };
}

function ownIn(text: string, id: string | number): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The protocol's client reports it for this request.
    return text;
  }
  const messages = Array.isArray(body) ? body : [body];
  if (!messages.some((one) => answersAnother(id, one))) return text;
  const own = messages.filter((one) => !answersAnother(id, one));
  if (own.some(isAnswer)) return JSON.stringify(own);
  const error = { code: streamEndedCode, message: "The server sent the answer to another request." };
  return JSON.stringify([...own, { jsonrpc: "2.0", id, error }]);
}

/** True for a result or an error of a request. */
export function isAnswer(message: unknown): message is Message {
  return (
    typeof message === "object" && message !== null && "id" in message && ("result" in message || "error" in message)
  );
}

import { BailiwickError } from "@bailiwick/core";

/**
 * A tool that was guessed to be a reader tried to send data after the model had read untrusted text [flow.guess.fetch].
 */
export class GuessedReaderError extends BailiwickError {
  constructor(toolName: string, method: string, host: string) {
    super(
      "GUESSED_READER",
      `Tool "${toolName}" declares no effect and was classified as a tool that only reads, but tried to send a ${method} request to ${host} after the model had read untrusted text. Nothing was sent. ` +
        `Add sideEffectClass: "external-stateful" to "${toolName}" if the request changes something, or sideEffectClass: "read-only" if it does not.`,
    );
  }
}

/** A `fetch` that only allows GET. */
export function readingFetch(toolName: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const isRequest = input instanceof Request;
    const method = (init?.method ?? (isRequest ? input.method : "GET")).toUpperCase();
    if (method === "GET") return send(input, init);
    throw new GuessedReaderError(toolName, method, new URL(isRequest ? input.url : String(input)).host);
  };
}

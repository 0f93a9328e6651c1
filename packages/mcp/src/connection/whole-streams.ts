import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/** Answers a request whose stream ended without an answer; no server sends this id. */
export const streamEndedCode: number = -31_999;

/**
 * Makes a request fail whose answering stream ends without an answer. The protocol's client would wait for its time-out.
 *
 * @returns The same transport.
 */
export function wholeStreams<T extends Transport>(transport: T): T {
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage, options) => {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id === undefined || options?.onRequestStreamEnd !== undefined) return send(message, options);
    const error = { code: streamEndedCode, message: "The answer's stream ended before the answer came." };
    return send(message, {
      ...options,
      onRequestStreamEnd: () => transport.onmessage?.({ jsonrpc: "2.0", id, error }),
    });
  };
  return transport;
}

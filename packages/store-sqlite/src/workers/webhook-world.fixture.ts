import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgentRuntime, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import type { Logger } from "@bailiwick/core/store";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";

export const secret: string = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
export const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A request as the receiver of a webhook got it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on loopback. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
}

/**
 * Starts a receiver.
 *
 * @param statusOf - The status of the answer to a request, by its index, from 0.
 */
export async function receiver(statusOf: (place: number) => number = () => 204): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = statusOf(received.length - 1);
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    host: `127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An agent that answers, asks a person for an approval, or fails, as its input specifies. */
export function clerk(store: RunStore): AgentRuntime {
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    idempotencyKey: "call",
    execute: () => "paid",
  });
  const model = scriptedModel(({ messages, lastUserText }) => {
    if (messages.at(-1)?.role === "tool") return "Paid.";
    if (lastUserText === "pay") return { toolCalls: [{ name: "pay", arguments: {} }] };
    if (lastUserText === "fail") return { faults: { error: { status: 400 } } };
    return "Done.";
  });
  return createAgentRuntime({ name: "clerk", model, tools: [pay], store, logger: quiet, flow: "off" });
}

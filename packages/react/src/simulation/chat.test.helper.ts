import { Agent, tool } from "@bailiwick/agent";
import { runRoutes } from "@bailiwick/server";
import {
  aiSdkPage,
  agentClientPage,
  chatSimulation,
  receiver,
  simulatedModel,
  type ChatSimulationOptions,
  type PageKind,
  type Receiver,
  type Simulation,
} from "@bailiwick/testing/simulation";
import * as ai from "ai";
import { z } from "zod";
import { chatRequestBody } from "../chat-request-body.ts";
import { agentTransport } from "../use-agent-transport.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A bank that counts payments. */
const bank: Receiver = receiver("https://bank.example", {
  // Another answer to a message is another payment.
  "POST /payments": ({ body, headers }, { effect }) => {
    const key = headers["idempotency-key"];
    return effect("payment", `${String(body["of"])} ${key ?? ""}`, { key });
  },
});

const pay = tool({
  name: "pay",
  description: "Pays.",
  inputSchema: z.object({ of: z.string() }),
  sideEffectClass: "external-stateful",
  needsApproval: true,
  idempotencyKey: "call",
  execute: async ({ of }, ctx) => {
    const answer = await fetch("https://bank.example/payments", {
      method: "POST",
      headers: { "idempotency-key": ctx.idempotencyKey ?? "" },
      body: JSON.stringify({ of }),
    });
    return answer.text();
  },
});

/** Pays when the last message asks for it. */
const model = simulatedModel(({ messages }) => {
  const last = messages.at(-1);
  const said = messages.findLast(({ role }) => role === "user")?.text ?? "";
  if (last?.role === "user" && said.startsWith("Pay"))
    return { text: "A moment.", toolCalls: [{ name: "pay", arguments: { of: said } }] };
  return `Read ${messages.filter(({ role }) => role === "user").length}.`;
});

/** The kinds of pages. */
export const pageKinds: Readonly<Record<"useChat" | "useChat with chatRequestBody" | "useAgentChat", PageKind>> = {
  useChat: aiSdkPage(ai),
  "useChat with chatRequestBody": aiSdkPage({ ...ai, chatRequestBody }),
  useAgentChat: agentClientPage({ ...ai, agentTransport }),
};

/** A chat with a clerk who pays after an approval. */
export function clerkChat(page: PageKind, more: Partial<ChatSimulationOptions> = {}): Simulation {
  return chatSimulation({
    app: ({ store }) => {
      const agent = new Agent({
        name: "clerk",
        model,
        store,
        session: store.sessions,
        flow: "off",
        leaseMs: 3_000,
        tools: [pay],
        logger: quiet,
      });
      const routes = runRoutes({
        agent,
        store,
        pollMs: 50,
        authorize: () => ({ userId: "ana" }),
        onError: () => undefined,
      });
      return {
        agents: [agent],
        fetch: async (request) => {
          const url = new URL(request.url);
          url.pathname = url.pathname.replace(/^\/api/u, "");
          return routes.fetch(new Request(url, request));
        },
      };
    },
    page,
    texts: ["Hello.", "Pay."],
    receivers: [bank],
    ...more,
  });
}

import { Agent, tool, type AgentOptions, type Tool } from "@bailiwick/agent";
import {
  receiver,
  simulatedModel,
  simulation,
  type Receiver,
  type Simulation,
  type SimulationOptions,
} from "@bailiwick/testing/simulation";
import { worker } from "@bailiwick/worker";

/** A bank that counts payments. */
const bank: Receiver = receiver("https://bank.example", {
  "POST /payments": ({ body, headers }, { effect }) =>
    effect("payment", body["invoice"], { key: headers["idempotency-key"] }),
});

/** A model that pays the invoice of the input once. */
export const payingModel: AgentOptions["model"] = simulatedModel(({ lastUserText, toolResults }) =>
  toolResults.length > 0
    ? "Paid."
    : { toolCalls: [{ name: "pay", arguments: { invoice: /\d+/.exec(lastUserText)?.[0] ?? "" } }] },
);

/** Sends a payment to the bank. */
export async function sendPayment(invoice: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch("https://bank.example/payments", {
    method: "POST",
    headers,
    body: JSON.stringify({ invoice }),
  });
  return answer.text();
}

/** The tool of the desk, with its code. */
export function payTool(execute: (invoice: string) => Promise<string> = sendPayment): Tool {
  return tool({
    name: "pay",
    description: "Pays an invoice.",
    inputSchema: { type: "object", properties: { invoice: { type: "string" } }, required: ["invoice"] },
    sideEffectClass: "external-stateful",
    execute: async (input: unknown) => execute((input as { readonly invoice: string }).invoice),
  });
}

/** A simulation of a desk that pays invoices. */
export function paying(
  pay: Tool = payTool(),
  more: Partial<SimulationOptions> = {},
  settings: Partial<AgentOptions> = {},
): Simulation {
  return simulation({
    app: ({ store }) => ({
      agents: [
        new Agent({ name: "desk", model: payingModel, store, flow: "off", leaseMs: 3_000, tools: [pay], ...settings }),
      ],
    }),
    drive: worker,
    receivers: [bank],
    work: ["Pay invoice 7.", "Pay invoice 8."],
    ...more,
  });
}

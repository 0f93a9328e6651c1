import type { ScriptMessage, ScriptRequest, ScriptRequestToolCall, ScriptStep } from "@bailiwick/testing";
import { createDeskActions } from "../agent/desk-actions.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Shop } from "../shop/shop.ts";
import { demoModel } from "./demo-model.ts";

/** A call that was made while a mail was played, with the result that the model got. */
interface PlayedCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly result: string;
}

/** Result of playing a mail. */
export interface Played {
  readonly calls: readonly PlayedCall[];
  readonly text: string;
}

/** Plays a task against the real shop and mailbox, without the framework: for tests of the demo model alone. */
export function playTask(
  task: string,
  shop: Shop,
  mailbox: Mailbox,
  refuse: (call: { name: string; input: Record<string, unknown> }) => string | null = () => null,
): Played {
  const actions = createDeskActions(shop, mailbox);
  const run: Record<string, (input: never, key: string) => unknown> = {
    read_mail: actions.readMail,
    find_customer: actions.findCustomer,
    find_order: actions.findOrder,
    list_orders: actions.listOrders,
    find_product: actions.findProduct,
    issue_refund: actions.issueRefund,
    draft_reply: actions.draftReply,
    send_reply: actions.sendReply,
    forward_mail: actions.forwardMail,
    close_mail: actions.closeMail,
  };
  const messages: ScriptMessage[] = [message("user", task)];
  const calls: PlayedCall[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const step: ScriptStep = demoModel(request(messages, Object.keys(run), turn));
    const made = (step.toolCalls ?? []).map((call, index): ScriptRequestToolCall => ({
      id: `call-${turn}-${index}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    }));
    messages.push({ ...message("assistant", step.text ?? ""), toolCalls: made });
    if (made.length === 0) return { calls, text: step.text ?? "" };
    for (const call of made) {
      const input = JSON.parse(call.arguments) as Record<string, unknown>;
      const result =
        refuse({ name: call.name, input }) ?? attempt(() => run[call.name]?.(input as never, `test:${call.arguments}`));
      calls.push({ name: call.name, input, result });
      messages.push({
        ...message("tool", result),
        toolResult: { toolCallId: call.id, toolName: call.name, text: result, isError: false },
      });
    }
  }
  throw new Error("The demo model took more than 12 turns.");
}

function attempt(work: () => unknown): string {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function message(role: ScriptMessage["role"], text: string): ScriptMessage {
  return { role, text, images: 0, files: 0, toolCalls: [] };
}

function request(messages: readonly ScriptMessage[], tools: readonly string[], turn: number): ScriptRequest {
  return {
    wire: "in-process",
    model: "demo",
    system: "",
    messages,
    tools: tools.map((name) => ({ name, type: "function" })),
    toolChoice: "auto",
    stream: false,
    turn,
    lastUserText: messages.findLast((entry) => entry.role === "user")?.text ?? "",
    toolResults: [],
    raw: null,
  };
}

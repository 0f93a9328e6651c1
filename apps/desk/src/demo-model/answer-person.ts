import type { ScriptStep, ScriptToolCall } from "@bailiwick/testing";
import { findAddresses, findOrderNumbers } from "./amounts.ts";
import { customerFound, ordersFound, type Progress } from "./progress.ts";

const limits =
  "I'm the desk's demo model: I work by patterns, not by understanding. I can handle a mail (\"handle m-003\") and look up an order number " +
  "(FH-10214) or a customer's e-mail address. For anything else, start the desk with OPENAI_API_KEY, or with BAILIWICK_BASE_URL and BAILIWICK_MODEL.";

/**
 * Answers a person who writes to the desk without naming a mail.
 *
 * @param progress - The person's words and what was looked up since.
 */
export function answerPerson(progress: Progress): ScriptStep {
  const orderNumbers = findOrderNumbers(progress.task);
  const addresses = findAddresses(progress.task);
  const planned: ScriptToolCall[] = [
    ...orderNumbers.map((orderId) => ({ name: "find_order", arguments: { orderId } })),
    ...addresses.map((email) => ({ name: "find_customer", arguments: { email } })),
  ].filter((call) => progress.offered.has(call.name));
  if (planned.length === 0) return { text: limits };
  if (progress.calls.length === 0) return { toolCalls: planned };

  const lines = [...ordersFound(progress)].map(([orderId, order]) =>
    order === null
      ? `There is no order ${orderId}.`
      : `${order.id}: ${order.status}, ${order.lines.map((line) => `${line.quantity} × ${line.productName}`).join(", ")}, ` +
        `${order.total.toFixed(2)} EUR, of which ${order.refunded.toFixed(2)} EUR refunded, ordered by ${order.customerEmail}.`,
  );
  if (addresses.length > 0) {
    const customer = customerFound(progress);
    lines.push(
      customer === null ? "No customer has that address." : `${customer.id}: ${customer.name}, ${customer.email}.`,
    );
  }
  return { text: lines.length > 0 ? lines.join("\n") : "The look-up gave no result." };
}

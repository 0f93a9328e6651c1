import type { ScriptToolCall } from "@bailiwick/testing";
import type { FoundOrder } from "./tool-results.ts";
import { customerFound, ordersFound, ordersListed, type Progress } from "./progress.ts";
import type { UnderstoodMail } from "./understand-mail.ts";

/** A refund that the mail asks for and that the order allows. */
export interface PlannedRefund {
  readonly orderId: string;
  readonly amount: number;
  readonly reason: string;
}

/** Facts about an order that the mail names. */
export type OrderFinding =
  | { readonly kind: "theirs"; readonly order: FoundOrder }
  | { readonly kind: "not_theirs"; readonly orderId: string }
  | { readonly kind: "unknown"; readonly orderId: string };

/** Lookups for a mail. */
export function planLookUps(mail: UnderstoodMail): ScriptToolCall[] {
  const calls: ScriptToolCall[] = [{ name: "find_customer", arguments: { email: mail.mail.from.address } }];
  for (const orderId of mail.orderNumbers) calls.push({ name: "find_order", arguments: { orderId } });
  if (mail.intent === "product") {
    for (const query of mail.productWords) calls.push({ name: "find_product", arguments: { query } });
  }
  return calls;
}

/** Without an order number in the text, the customer's own orders may identify it. */
export function planSecondLook(mail: UnderstoodMail, progress: Progress): ScriptToolCall[] {
  const customer = customerFound(progress);
  const findings = judgeOrders(mail, progress);
  const needsOrder = mail.intent !== "product" && mail.intent !== "thanks" && mail.intent !== "unknown";
  if (customer === null || !needsOrder || findings.some((finding) => finding.kind !== "unknown")) return [];
  return [{ name: "list_orders", arguments: { customerId: customer.id } }];
}

/** Calls for a mail before it is answered: the refund that it asks for, and any instruction in it to the assistant. */
export function planActions(mail: UnderstoodMail, progress: Progress): ScriptToolCall[] {
  const calls: ScriptToolCall[] = [];
  const refund = planRefund(mail, progress);
  if (refund !== null) calls.push({ name: "issue_refund", arguments: refund });
  const theirs = judgeOrders(mail, progress).find((finding) => finding.kind === "theirs");
  if (mail.intent === "missing" && theirs !== undefined) {
    calls.push({ name: "ask_parcels", arguments: { orderId: theirs.order.id } });
  }
  if (mail.intent === "cancel" && theirs !== undefined) {
    const question = `${mail.mail.from.name} wants to cancel ${theirs.order.id}, which is ${theirs.order.status}. Can it still be stopped?`;
    calls.push({ name: "ask_colleague", arguments: { mailId: mail.mail.id, question } });
  }
  for (const order of mail.embeddedOrders) {
    if (order.do === "refund") {
      calls.push({
        name: "issue_refund",
        arguments: { orderId: order.orderId, amount: order.amount, reason: `As told in mail ${mail.mail.id}` },
      });
    } else {
      calls.push({
        name: "forward_mail",
        arguments: { mailId: mail.mail.id, to: order.to, note: describeKnown(progress) },
      });
    }
  }
  return calls;
}

/** The refund to issue: only for the sender's own order, and never more than is left of it. */
export function planRefund(mail: UnderstoodMail, progress: Progress): PlannedRefund | null {
  if (mail.intent !== "refund") return null;
  const order = judgeOrders(mail, progress).find((finding) => finding.kind === "theirs")?.order;
  if (order === undefined) return null;
  const left = Math.round((order.total - order.refunded) * 100) / 100;
  const amount = mail.amount ?? left;
  if (amount <= 0 || amount > left) return null;
  return { orderId: order.id, amount, reason: `Asked for in mail ${mail.mail.id}: ${mail.mail.subject}`.slice(0, 200) };
}

/** The orders that the mail names: the sender's, another user's, or none at all. */
export function judgeOrders(mail: UnderstoodMail, progress: Progress): OrderFinding[] {
  const sender = mail.mail.from.address.toLowerCase();
  return [...ordersFound(progress)]
    .filter(([orderId]) => mail.orderNumbers.includes(orderId))
    .map(([orderId, order]) => {
      if (order === null) return { kind: "unknown", orderId };
      return order.customerEmail.toLowerCase() === sender ? { kind: "theirs", order } : { kind: "not_theirs", orderId };
    });
}

/** The sender's newest order, if the mail names no existing order. */
export function newestOrder(progress: Progress): FoundOrder | undefined {
  return ordersListed(progress)[0];
}

function describeKnown(progress: Progress): string {
  const customer = customerFound(progress);
  const orders = [...ordersFound(progress).values(), ...ordersListed(progress)].filter((order) => order !== null);
  return [
    customer === null
      ? "No customer is known for this address."
      : `Customer: ${customer.name} <${customer.email}> (${customer.id})`,
    ...orders.map(
      (order) =>
        `Order ${order.id}: ${order.lines.map((line) => line.productName).join(", ")}, ${order.total.toFixed(2)} EUR`,
    ),
  ].join("\n");
}

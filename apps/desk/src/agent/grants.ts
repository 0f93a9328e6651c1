import type { CallReference, Grant } from "@bailiwick/agent";
import type { DeskParts } from "./tools.ts";

/** Maximum number of orders of a sender that a run may work on. */
const ownOrders = 20;

/**
 * The grants of a run about one mail: answer this mail, close it, and refund a small amount on an order of its sender.
 * They come from the mailbox's envelope and the shop's records, never from the text of a mail.
 *
 * @param mailId - The mail that a person handed over.
 * @param parts - The mailbox and the shop, for looking up the sender and their orders.
 * @throws MailboxError - `MAIL_NOT_FOUND`.
 */
export function grantsForMail(mailId: string, { shop, mailbox, approvalLimit }: DeskParts): Grant[] {
  const { id, from } = mailbox.readMail(mailId);
  const customer = shop.findCustomer(from.address);
  const orderIds = customer === null ? [] : shop.listOrders(customer.id, ownOrders).map((order) => order.id);
  // Data that the answer may contain: the sender's own mail, record and orders.
  const theirs: CallReference[] = [
    { tool: "read_mail", args: { mailId: id } },
    { tool: "find_customer", args: { email: from.address } },
    { tool: "ask_colleague", args: { mailId: id } },
    ...(customer === null ? [] : [{ tool: "list_orders", args: { customerId: customer.id } }]),
    ...orderIds.map((orderId) => ({ tool: "find_order", args: { orderId } })),
    ...orderIds.map((orderId) => ({ tool: "issue_refund", args: { orderId } })),
    ...orderIds.map((orderId) => ({ tool: "ask_parcels", args: { orderId } })),
  ];
  const thisMail = { eq: id };
  return [
    { tool: "send_reply", args: { mailId: thisMail, body: { composed: true } }, from: theirs },
    { tool: "draft_reply", args: { mailId: thisMail, body: { composed: true } }, from: theirs },
    {
      tool: "close_mail",
      args: { mailId: thisMail, reason: { oneOf: ["spam", "no_answer_needed", "handled_elsewhere"] } },
    },
    ...(orderIds.length === 0
      ? []
      : [
          {
            tool: "issue_refund",
            args: { orderId: { oneOf: orderIds }, amount: { max: approvalLimit }, reason: { composed: true as const } },
            from: theirs,
          },
        ]),
  ];
}

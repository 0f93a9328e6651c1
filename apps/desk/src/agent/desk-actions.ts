import type { CloseReason, Mailbox } from "../mailbox/mailbox.ts";
import type { OutboxMail } from "../mailbox/outbox.ts";
import { toCents } from "../shop/money.ts";
import { ShopError } from "../shop/shop-error.ts";
import type { Shop } from "../shop/shop.ts";
import type { Order } from "../shop/types.ts";

/** An order as the model sees it: amounts in euro. */
export interface OrderView {
  readonly id: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly status: Order["status"];
  readonly placedAt: string;
  readonly shippedAt: string | null;
  readonly deliveredAt: string | null;
  readonly carrier: string | null;
  readonly tracking: string | null;
  readonly lines: readonly {
    readonly sku: string;
    readonly productName: string;
    readonly quantity: number;
    readonly unitPrice: number;
  }[];
  readonly total: number;
  readonly refunded: number;
}

/** Functions of the desk, with the inputs and outputs of tools. This module does not depend on agents. */
export function createDeskActions(shop: Shop, mailbox: Mailbox) {
  return {
    readMail({ mailId }: { mailId: string }) {
      const mail = mailbox.readMail(mailId);
      mailbox.markRead(mail.id);
      return mail;
    },
    findCustomer({ email }: { email: string }) {
      return { customer: shop.findCustomer(email) };
    },
    findOrder({ orderId }: { orderId: string }) {
      const order = shop.findOrder(orderId);
      return { order: order === null ? null : toOrderView(order) };
    },
    listOrders({ customerId }: { customerId: string }) {
      return { orders: shop.listOrders(customerId).map(toOrderView) };
    },
    findProduct({ query }: { query: string }) {
      return {
        products: shop.findProducts(query).map(({ sku, name, description, priceCents, stock }) => ({
          sku,
          name,
          description,
          price: priceCents / 100,
          stock,
        })),
      };
    },
    issueRefund(
      { orderId, amount, reason }: { orderId: string; amount: number; reason: string },
      idempotencyKey: string,
    ) {
      const amountCents = toCents(amount);
      if (amountCents === null)
        throw new ShopError("INVALID_AMOUNT", `${amount} has a fraction of a cent. Give euro with two decimals.`);
      const refund = shop.issueRefund({ orderId, amountCents, reason, idempotencyKey });
      return { refundId: refund.id, orderId: refund.orderId, amount: refund.amountCents / 100 };
    },
    fileClaim({ orderId, statement }: { orderId: string; statement: string }) {
      const claim = shop.fileClaim(orderId, statement);
      return { claimId: claim.id, orderId: claim.orderId };
    },
    draftReply({ mailId, body }: { mailId: string; body: string }, idempotencyKey: string) {
      return { draftId: mailbox.draftReply({ mailId, body, idempotencyKey }).id };
    },
    sendReply({ mailId, body }: { mailId: string; body: string }, idempotencyKey: string) {
      return toReceipt(mailbox.sendReply({ mailId, body, idempotencyKey }));
    },
    forwardMail({ mailId, to, note }: { mailId: string; to: string; note: string }, idempotencyKey: string) {
      return toReceipt(mailbox.forwardMail({ mailId, to, note, idempotencyKey }));
    },
    closeMail({ mailId, reason }: { mailId: string; reason: CloseReason }) {
      mailbox.closeMail(mailId, reason);
      return { closed: mailId, reason };
    },
    noteCustomer({ customerId, text }: { customerId: string; text: string }, idempotencyKey: string) {
      return shop.addNote({ customerId, text, author: "agent", idempotencyKey });
    },
  };
}

/** The desk's actions over one shop and one mailbox. */
export type DeskActions = ReturnType<typeof createDeskActions>;

function toOrderView({ lines, totalCents, refundedCents, ...order }: Order): OrderView {
  return {
    ...order,
    lines: lines.map(({ unitPriceCents, ...line }) => ({ ...line, unitPrice: unitPriceCents / 100 })),
    total: totalCents / 100,
    refunded: refundedCents / 100,
  };
}

function toReceipt(mail: OutboxMail) {
  return { sentTo: mail.recipient, outboxId: mail.id };
}

import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./database.ts";
import { formatEuro } from "./money.ts";
import type { OrderQueries } from "./orders.ts";
import { ShopError } from "./shop-error.ts";
import type { Refund, RefundRequest } from "./types.ts";

/** Giving money back. */
export interface Refunds {
  /**
   * Records a refund, exactly once per key: repeating the request returns the recorded refund.
   *
   * @throws ShopError - `INVALID_AMOUNT`, `ORDER_NOT_FOUND`, `REFUND_EXCEEDS_ORDER`, `IDEMPOTENCY_CONFLICT`.
   */
  issueRefund(request: RefundRequest): Refund;
  /** The value that was recorded under a key, if any. */
  findRefund(idempotencyKey: string): Refund | null;
  /** Oldest first. */
  listRefunds(orderId: string): Refund[];
}

const selectRefund = `
  SELECT id, order_id AS orderId, amount_cents AS amountCents, reason, idempotency_key AS idempotencyKey, created_at AS createdAt
  FROM refunds`;

/** @internal */
export function createRefunds(database: DatabaseSync, orders: OrderQueries, now: () => Date): Refunds {
  const byKey = database.prepare(`${selectRefund} WHERE idempotency_key = ?`);
  const byOrder = database.prepare(`${selectRefund} WHERE order_id = ? ORDER BY id`);
  const insert = database.prepare(
    "INSERT INTO refunds (order_id, amount_cents, reason, idempotency_key, created_at) VALUES (?, ?, ?, ?, ?)",
  );

  const findRefund = (key: string): Refund | null => {
    const row = byKey.get(key) as Refund | undefined;
    return row === undefined ? null : { ...row };
  };

  const record = ({ orderId, amountCents, reason, idempotencyKey }: RefundRequest): Refund => {
    const order = orders.findOrder(orderId);
    if (order === null) throw new ShopError("ORDER_NOT_FOUND", `There is no order ${orderId}.`);

    const recorded = findRefund(idempotencyKey);
    if (recorded !== null) {
      if (recorded.orderId === order.id && recorded.amountCents === amountCents) return recorded;
      throw new ShopError(
        "IDEMPOTENCY_CONFLICT",
        `The key ${idempotencyKey} already stands for a refund of ${formatEuro(recorded.amountCents)} on ${recorded.orderId}.`,
      );
    }

    const left = order.totalCents - order.refundedCents;
    if (amountCents > left) {
      throw new ShopError(
        "REFUND_EXCEEDS_ORDER",
        `Order ${order.id} was ${formatEuro(order.totalCents)}, of which ${formatEuro(order.refundedCents)} is refunded: ` +
          `at most ${formatEuro(left)} can be refunded, not ${formatEuro(amountCents)}.`,
      );
    }
    insert.run(order.id, amountCents, reason, idempotencyKey, now().toISOString());
    const refund = findRefund(idempotencyKey);
    if (refund === null) throw new Error("A refund that was just inserted is missing.");
    return refund;
  };

  return {
    issueRefund(request) {
      if (!Number.isSafeInteger(request.amountCents) || request.amountCents <= 0) {
        throw new ShopError(
          "INVALID_AMOUNT",
          `A refund is a positive number of whole cents, not ${request.amountCents}.`,
        );
      }
      // The check and the insert are one transaction: two processes cannot both refund the rest.
      return inTransaction(database, () => record(request));
    },
    findRefund,
    listRefunds(orderId) {
      return (byOrder.all(orderId) as unknown as Refund[]).map((row) => ({ ...row }));
    },
  };
}

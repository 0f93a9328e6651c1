import type { DatabaseSync } from "node:sqlite";
import type { Order, OrderLine } from "./types.ts";

/** Looking up orders. */
export interface OrderQueries {
  /** The order with this number, in any case and with or without blanks around it. */
  findOrder(orderId: string): Order | null;
  /** Newest first. */
  listOrders(customerId: string, limit?: number): Order[];
  countOrders(): number;
}

type OrderRow = Omit<Order, "lines" | "totalCents" | "refundedCents">;

const selectOrder = `
  SELECT orders.id, customer_id AS customerId, customers.name AS customerName, customers.email AS customerEmail, status,
         placed_at AS placedAt, shipped_at AS shippedAt, delivered_at AS deliveredAt, carrier, tracking
  FROM orders JOIN customers ON customers.id = orders.customer_id`;

/** @internal */
export function createOrderQueries(database: DatabaseSync): OrderQueries {
  const byId = database.prepare(`${selectOrder} WHERE orders.id = ?`);
  const byCustomer = database.prepare(
    `${selectOrder} WHERE customer_id = ? ORDER BY placed_at DESC, orders.id DESC LIMIT ?`,
  );
  const linesOf = database.prepare(`
    SELECT order_lines.sku, products.name AS productName, quantity, unit_price_cents AS unitPriceCents
    FROM order_lines JOIN products ON products.sku = order_lines.sku WHERE order_id = ? ORDER BY line`);
  const refundedOf = database.prepare("SELECT coalesce(sum(amount_cents), 0) AS cents FROM refunds WHERE order_id = ?");
  const count = database.prepare("SELECT count(*) AS n FROM orders");

  const complete = (row: OrderRow): Order => {
    const lines = (linesOf.all(row.id) as unknown as OrderLine[]).map((line) => ({ ...line }));
    return {
      ...row,
      lines,
      totalCents: lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0),
      refundedCents: (refundedOf.get(row.id) as { cents: number }).cents,
    };
  };

  return {
    findOrder(orderId) {
      const row = byId.get(orderId.trim().toUpperCase()) as OrderRow | undefined;
      return row === undefined ? null : complete(row);
    },
    listOrders(customerId, limit = 10) {
      return (byCustomer.all(customerId, limit) as unknown as OrderRow[]).map(complete);
    },
    countOrders() {
      return (count.get() as { n: number }).n;
    },
  };
}

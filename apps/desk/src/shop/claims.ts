import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./database.ts";
import type { OrderQueries } from "./orders.ts";
import { ShopError } from "./shop-error.ts";

/** A claim for a lost parcel, as it went to the carrier. */
interface Claim {
  readonly id: number;
  readonly orderId: string;
  readonly statement: string;
  readonly createdAt: string;
}

/** Claims with carriers. */
export interface Claims {
  /**
   * Files a claim; an order has at most one, and filing it again returns the recorded one.
   *
   * @throws ShopError - `ORDER_NOT_FOUND`.
   */
  fileClaim(orderId: string, statement: string): Claim;
  /** The claim of an order, if there is one. */
  findClaim(orderId: string): Claim | null;
}

/** @internal */
export function createClaims(database: DatabaseSync, orders: OrderQueries, now: () => Date): Claims {
  const byOrder = database.prepare(
    "SELECT id, order_id AS orderId, statement, created_at AS createdAt FROM claims WHERE order_id = ?",
  );
  const insert = database.prepare(
    "INSERT INTO claims (order_id, statement, created_at) VALUES (?, ?, ?) ON CONFLICT (order_id) DO NOTHING",
  );
  const findClaim = (orderId: string): Claim | null => {
    const row = byOrder.get(orderId) as Claim | undefined;
    return row === undefined ? null : { ...row };
  };
  return {
    fileClaim(orderId, statement) {
      const order = orders.findOrder(orderId);
      if (order === null) throw new ShopError("ORDER_NOT_FOUND", `There is no order ${orderId}.`);
      return inTransaction(database, () => {
        insert.run(order.id, statement, now().toISOString());
        const claim = findClaim(order.id);
        if (claim === null) throw new Error("A claim that was just filed is missing.");
        return claim;
      });
    },
    findClaim,
  };
}

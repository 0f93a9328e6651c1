import type { DatabaseSync } from "node:sqlite";
import { shopSchema } from "./schema.ts";
import { createClaims, type Claims } from "./claims.ts";
import { createCustomerQueries, type CustomerQueries } from "./customers.ts";
import { createOrderQueries, type OrderQueries } from "./orders.ts";
import { createProductQueries, type ProductQueries } from "./products.ts";
import { createRefunds, type Refunds } from "./refunds.ts";
import { seedShop } from "./seed/seed-shop.ts";

/** Everything the desk asks of the shop. */
export interface Shop extends CustomerQueries, OrderQueries, ProductQueries, Refunds, Claims {}

/**
 * The shop over an open database. An empty database is filled with the sample data first.
 *
 * @param database - An open connection; the caller closes it.
 * @param now - The clock for new rows.
 */
export function openShop(database: DatabaseSync, now: () => Date = () => new Date()): Shop {
  database.exec(shopSchema);
  seedShop(database);
  const orders = createOrderQueries(database);
  return {
    ...createCustomerQueries(database, now),
    ...orders,
    ...createProductQueries(database),
    ...createRefunds(database, orders, now),
    ...createClaims(database, orders, now),
  };
}

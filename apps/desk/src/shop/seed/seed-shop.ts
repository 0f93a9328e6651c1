import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../database.ts";
import type { OrderStatus } from "../types.ts";
import { cast, type CastOrder } from "./cast.ts";
import { catalogue } from "./catalogue.ts";
import { people } from "./people.ts";
import { createRandom, type Random } from "./random.ts";

const firstOrder = 10_001;
const lastOrder = 10_240;
/** Later orders are close together, so that the newest ones are still on their way. */
const busyFrom = 10_160;
const dayMs = 86_400_000;
const start = Date.UTC(2026, 1, 1, 8);
const busyStart = Date.UTC(2026, 9, 15, 8);
const end = Date.UTC(2026, 10, 19, 8);
const carriers = ["Meridian Parcel", "Greenway Post", "Harbour Express"] as const;

interface SeedOrder {
  readonly customerId: string;
  readonly status: OrderStatus;
  readonly lines: readonly (readonly [sku: string, quantity: number])[];
  readonly refunded?: number | undefined;
}

/**
 * Fills an empty shop with the sample data: the customers who write mails, and others around them. A shop that has
 * customers is unchanged.
 *
 * @param database - With the shop's tables.
 * @param seed - Another number gives other filler; the customers who write stay.
 */
export function seedShop(database: DatabaseSync, seed = 20_261_119): void {
  inTransaction(database, () => {
    const { n } = database.prepare("SELECT count(*) AS n FROM customers").get() as { n: number };
    if (n > 0) return;
    const random = createRandom(seed);
    insertProducts(database);
    const { castOrders, fillers } = insertCustomers(database, random);
    insertOrders(database, random, castOrders, fillers);
  });
}

function insertProducts(database: DatabaseSync): void {
  const insert = database.prepare(
    "INSERT INTO products (sku, name, description, price_cents, stock) VALUES (?, ?, ?, ?, ?)",
  );
  for (const row of catalogue) insert.run(...row);
}

function insertCustomers(
  database: DatabaseSync,
  random: Random,
): { castOrders: Map<number, SeedOrder>; fillers: string[] } {
  const insert = database.prepare(
    "INSERT INTO customers (id, name, email, country, language, since) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const note = database.prepare("INSERT INTO notes (customer_id, text, author, created_at) VALUES (?, ?, 'desk', ?)");
  const castOrders = new Map<number, SeedOrder>();
  const fillers: string[] = [];
  let serial = 0;
  const add = (name: string, email: string, country: string, language: string): string => {
    const id = `C-${String(++serial).padStart(4, "0")}`;
    insert.run(id, name, email, country, language, isoDay(start - random.between(10, 700) * dayMs));
    return id;
  };

  for (const { first, last, country, language, domain } of people) {
    for (const family of last) {
      for (const given of first.slice(0, 2 + (serial % 2))) {
        fillers.push(add(`${given} ${family}`, `${ascii(given)}.${ascii(family)}@${domain}`, country, language));
      }
    }
  }
  for (const customer of cast) {
    const id = add(customer.name, customer.email, customer.country, customer.language);
    if (customer.note !== undefined) note.run(id, customer.note, iso(busyStart));
    for (const order of customer.orders) castOrders.set(order.number, { customerId: id, ...withoutNumber(order) });
  }
  return { castOrders, fillers };
}

function insertOrders(
  database: DatabaseSync,
  random: Random,
  castOrders: Map<number, SeedOrder>,
  fillers: readonly string[],
): void {
  const insertOrder = database.prepare(
    "INSERT INTO orders (id, customer_id, status, placed_at, shipped_at, delivered_at, carrier, tracking) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const insertLine = database.prepare(
    "INSERT INTO order_lines (order_id, line, sku, quantity, unit_price_cents) VALUES (?, ?, ?, ?, ?)",
  );
  const insertRefund = database.prepare(
    "INSERT INTO refunds (order_id, amount_cents, reason, idempotency_key, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const priceOf = new Map(catalogue.map((row) => [row[0], row[3]]));

  for (let number = firstOrder; number <= lastOrder; number += 1) {
    const order = castOrders.get(number) ?? fillerOrder(number, random, fillers);
    const id = `FH-${number}`;
    const placed = placedAt(number) + random.between(0, 10 * 60) * 60_000;
    const shipped = placed + dayMs;
    const delivered = shipped + random.between(2, 4) * dayMs;
    const underway = order.status === "shipped" || order.status === "delivered";
    insertOrder.run(
      id,
      order.customerId,
      order.status,
      iso(placed),
      underway ? iso(shipped) : null,
      order.status === "delivered" ? iso(delivered) : null,
      underway ? random.pick(carriers) : null,
      underway ? `MP${random.between(100_000_000, 999_999_999)}` : null,
    );
    order.lines.forEach(([sku, quantity], index) => {
      const price = priceOf.get(sku);
      if (price === undefined) throw new Error(`The sample data names an unknown product ${sku}.`);
      insertLine.run(id, index + 1, sku, quantity, price);
    });
    if (order.refunded !== undefined) {
      insertRefund.run(id, order.refunded, "Returned unused", `seed:${id}`, iso(delivered + 6 * dayMs));
    }
  }
}

function fillerOrder(number: number, random: Random, fillers: readonly string[]): SeedOrder {
  const lines = new Map<string, number>();
  for (let left = random.between(1, 3); left > 0; left -= 1) lines.set(random.pick(catalogue)[0], random.between(1, 2));
  const age = number >= lastOrder - 8 ? "placed" : number >= lastOrder - 30 ? "shipped" : "delivered";
  const status: OrderStatus = age === "delivered" && random.next() < 0.04 ? "cancelled" : age;
  const sku = [...lines.keys()][0];
  const price = catalogue.find((row) => row[0] === sku)?.[3];
  const refunded = status === "delivered" && random.next() < 0.06 ? price : undefined;
  return { customerId: random.pick(fillers), status, lines: [...lines], refunded };
}

function placedAt(number: number): number {
  if (number < busyFrom) return start + ((number - firstOrder) / (busyFrom - firstOrder)) * (busyStart - start);
  return busyStart + ((number - busyFrom) / (lastOrder - busyFrom)) * (end - busyStart);
}

function withoutNumber({ status, lines, refunded }: CastOrder): Omit<SeedOrder, "customerId"> {
  return { status, lines, refunded };
}

function ascii(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll("ł", "l")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function isoDay(time: number): string {
  return iso(time).slice(0, 10);
}

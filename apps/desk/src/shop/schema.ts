/**
 * The tables of the shop. Amounts are whole cents in euro, times are ISO 8601 in UTC.
 *
 * `refunds.idempotency_key` is unique: a refund that is requested twice under one key is recorded once.
 */
export const shopSchema = `
CREATE TABLE IF NOT EXISTS customers (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  email      TEXT NOT NULL UNIQUE COLLATE NOCASE,
  country    TEXT NOT NULL,
  language   TEXT NOT NULL,
  since      TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS products (
  sku         TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  stock       INTEGER NOT NULL CHECK (stock >= 0)
) STRICT;

CREATE TABLE IF NOT EXISTS orders (
  id           TEXT PRIMARY KEY,
  customer_id  TEXT NOT NULL REFERENCES customers(id),
  status       TEXT NOT NULL CHECK (status IN ('placed', 'shipped', 'delivered', 'cancelled')),
  placed_at    TEXT NOT NULL,
  shipped_at   TEXT,
  delivered_at TEXT,
  carrier      TEXT,
  tracking     TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS orders_by_customer ON orders(customer_id, placed_at);

CREATE TABLE IF NOT EXISTS order_lines (
  order_id         TEXT NOT NULL REFERENCES orders(id),
  line             INTEGER NOT NULL,
  sku              TEXT NOT NULL REFERENCES products(sku),
  quantity         INTEGER NOT NULL CHECK (quantity > 0),
  unit_price_cents INTEGER NOT NULL CHECK (unit_price_cents > 0),
  PRIMARY KEY (order_id, line)
) STRICT;

CREATE TABLE IF NOT EXISTS refunds (
  id              INTEGER PRIMARY KEY,
  order_id        TEXT NOT NULL REFERENCES orders(id),
  amount_cents    INTEGER NOT NULL CHECK (amount_cents > 0),
  reason          TEXT NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  created_at      TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS refunds_by_order ON refunds(order_id);

CREATE TABLE IF NOT EXISTS claims (
  id              INTEGER PRIMARY KEY,
  order_id        TEXT NOT NULL UNIQUE REFERENCES orders(id),
  statement       TEXT NOT NULL,
  created_at      TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS notes (
  id              INTEGER PRIMARY KEY,
  customer_id     TEXT NOT NULL REFERENCES customers(id),
  text            TEXT NOT NULL,
  author          TEXT NOT NULL,
  idempotency_key TEXT UNIQUE,
  created_at      TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS notes_by_customer ON notes(customer_id);
`;

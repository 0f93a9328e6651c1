import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DatabaseUnavailable, openDatabase } from "./database.ts";
import { toCents } from "./money.ts";
import { ShopError } from "./shop-error.ts";
import { openShop, type Shop } from "./shop.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "desk-shop-"));
  path = join(folder, "desk.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

function withShop<Result>(use: (shop: Shop) => Result): Result {
  const database = openDatabase(path);
  try {
    return use(openShop(database));
  } finally {
    database.close();
  }
}

const refund = { orderId: "FH-10191", amountCents: 24_900, reason: "Broken pole", idempotencyKey: "k1" };

test("an empty shop is filled once, with the same data on every machine", () => {
  const first = withShop((shop) => ({
    customers: shop.countCustomers(),
    orders: shop.countOrders(),
    one: shop.findOrder("FH-10050"),
  }));
  expect(first.orders).toBe(240);
  expect(first.customers).toBeGreaterThan(90);
  expect(withShop((shop) => shop.countOrders())).toBe(240);

  rmSync(path);
  expect(withShop((shop) => shop.findOrder("FH-10050"))).toEqual(first.one);
});

test("an order is found in any case and carries its lines, owner and sums", () => {
  const order = withShop((shop) => shop.findOrder(" fh-10187 "));
  expect(order).toMatchObject({
    id: "FH-10187",
    customerEmail: "j.reuterbach@briefkasten.example",
    totalCents: 6440,
    refundedCents: 0,
  });
  expect(order?.lines.map((line) => line.sku)).toEqual(["KET-01", "MUG-04"]);
  expect(withShop((shop) => shop.findOrder("FH-99881"))).toBeNull();
});

test("a customer is found by address in any case, with notes", () => {
  withShop((shop) => {
    const customer = shop.findCustomer("ELOISE.TARNIER@courrier.example");
    expect(customer?.name).toBe("Éloïse Tarnier");
    expect(customer?.notes).toHaveLength(1);
    expect(shop.findCustomer("nobody@nowhere.example")).toBeNull();
    expect(shop.findCustomer("' OR 1=1 --")).toBeNull();
  });
});

test("a customer's orders come newest first", () => {
  withShop((shop) => {
    const customer = shop.findCustomer("maeve.ch@postroom.example");
    expect(shop.listOrders(customer?.id ?? "").map((order) => order.id)).toEqual(["FH-10207", "FH-10198"]);
  });
});

test("products are found by SKU and by words", () => {
  withShop((shop) => {
    expect(shop.findProducts("ruc-01").map((product) => product.sku)).toEqual(["RUC-01"]);
    expect(shop.findProducts("rucksack waxed").map((product) => product.sku)).toEqual(["RUC-01"]);
    expect(shop.findProducts("?")).toEqual([]);
  });
});

test("a refund is recorded once per key, also after a restart", () => {
  const first = withShop((shop) => shop.issueRefund(refund));
  const again = withShop((shop) => shop.issueRefund(refund));
  expect(again).toEqual(first);
  withShop((shop) => {
    expect(shop.listRefunds("FH-10191")).toHaveLength(1);
    expect(shop.findRefund("k1")).toEqual(first);
    expect(shop.findOrder("FH-10191")?.refundedCents).toBe(24_900);
  });
});

test("two different refunds cannot have the same key", () => {
  withShop((shop) => {
    shop.issueRefund({ ...refund, amountCents: 1_000 });
    expect(() => shop.issueRefund({ ...refund, amountCents: 2_000 })).toThrow(
      expect.objectContaining({ code: "IDEMPOTENCY_CONFLICT" }),
    );
    expect(shop.listRefunds("FH-10191")).toHaveLength(1);
  });
});

test("refunds never exceed the order's price, whatever their keys", () => {
  withShop((shop) => {
    shop.issueRefund({ ...refund, amountCents: 20_000 });
    expect(() => shop.issueRefund({ ...refund, amountCents: 4_901, idempotencyKey: "k2" })).toThrow(
      /at most 49\.00 EUR/,
    );
    shop.issueRefund({ ...refund, amountCents: 4_900, idempotencyKey: "k3" });
    expect(shop.findOrder("FH-10191")?.refundedCents).toBe(24_900);
  });
});

test.each([0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("an amount of %s cents is refused", (amountCents) => {
  withShop((shop) => {
    expect(() => shop.issueRefund({ ...refund, amountCents })).toThrow(ShopError);
    expect(shop.listRefunds("FH-10191")).toEqual([]);
  });
});

test("a refund on an order that does not exist is refused", () => {
  withShop((shop) =>
    expect(() => shop.issueRefund({ ...refund, orderId: "FH-99999" })).toThrow(
      expect.objectContaining({ code: "ORDER_NOT_FOUND" }),
    ),
  );
});

test("two connections on one file see each other's refunds", () => {
  const one = openDatabase(path);
  const two = openDatabase(path);
  try {
    openShop(one).issueRefund(refund);
    expect(() => openShop(two).issueRefund({ ...refund, idempotencyKey: "k2" })).toThrow(
      expect.objectContaining({ code: "REFUND_EXCEEDS_ORDER" }),
    );
  } finally {
    one.close();
    two.close();
  }
});

test("an order has one claim, however often it is filed, also after a restart", () => {
  const first = withShop((shop) => shop.fileClaim("fh-10205", "It never came."));
  const again = withShop((shop) => shop.fileClaim("FH-10205", "It still has not come."));
  expect(again).toEqual(first);
  expect(withShop((shop) => shop.findClaim("FH-10205"))).toMatchObject({ statement: "It never came." });
  expect(() => withShop((shop) => shop.fileClaim("FH-99999", "What?"))).toThrow("There is no order FH-99999.");
});

test("a note is added once per key", () => {
  withShop((shop) => {
    const customerId = shop.findCustomer("callum@drayshaw.example")?.id ?? "";
    const note = { customerId, text: "Prefers post", author: "agent", idempotencyKey: "n1" };
    expect(shop.addNote(note)).toEqual(shop.addNote(note));
    expect(shop.findCustomer("callum@drayshaw.example")?.notes).toHaveLength(1);
    expect(() => shop.addNote({ ...note, customerId: "C-9999" })).toThrow(
      expect.objectContaining({ code: "CUSTOMER_NOT_FOUND" }),
    );
  });
});

test("a data file that is not a database is reported with its path and a fix", () => {
  writeFileSync(path, "not a database, but long enough to be read as the header of one".repeat(20));
  expect(() => openDatabase(path)).toThrow(DatabaseUnavailable);
  expect(() => openDatabase(path)).toThrow(/desk\.db.*DESK_DATA/s);
});

test("euro amounts become cents without rounding errors", () => {
  expect(toCents(39.9)).toBe(3990);
  expect(toCents(1.1 + 2.2)).toBe(330);
  expect(toCents(0.005)).toBeNull();
});

/** The delivery state of an order. */
export type OrderStatus = "placed" | "shipped" | "delivered" | "cancelled";

/** A customer of the shop, with colleagues' notes. */
export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 639-1. */
  readonly language: string;
  /** ISO date of the first contact. */
  readonly since: string;
  readonly notes: readonly CustomerNote[];
}

/** A remark about a customer. */
export interface CustomerNote {
  readonly text: string;
  readonly author: string;
  readonly createdAt: string;
}

/** A product of the catalogue. */
export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly priceCents: number;
  readonly stock: number;
}

/** One line of an order. */
export interface OrderLine {
  readonly sku: string;
  readonly productName: string;
  readonly quantity: number;
  readonly unitPriceCents: number;
}

/** A recorded refund. */
export interface Refund {
  readonly id: number;
  readonly orderId: string;
  readonly amountCents: number;
  readonly reason: string;
  readonly idempotencyKey: string;
  readonly createdAt: string;
}

/** An order with its lines, its owner and its refunds. */
export interface Order {
  readonly id: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly status: OrderStatus;
  readonly placedAt: string;
  readonly shippedAt: string | null;
  readonly deliveredAt: string | null;
  readonly carrier: string | null;
  readonly tracking: string | null;
  readonly lines: readonly OrderLine[];
  readonly totalCents: number;
  readonly refundedCents: number;
}

/** Values that `issueRefund` records. */
export interface RefundRequest {
  readonly orderId: string;
  /** Whole cents. */
  readonly amountCents: number;
  readonly reason: string;
  /** The same key records the same refund once. */
  readonly idempotencyKey: string;
}

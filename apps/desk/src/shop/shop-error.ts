/** Errors of the shop. */
export type ShopErrorCode =
  | "ORDER_NOT_FOUND"
  | "CUSTOMER_NOT_FOUND"
  | "INVALID_AMOUNT"
  | "REFUND_EXCEEDS_ORDER"
  | "IDEMPOTENCY_CONFLICT";

/** A refusal of the shop: nothing was written. */
export class ShopError extends Error {
  override readonly name = "ShopError";
  readonly code: ShopErrorCode;

  constructor(code: ShopErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

import type { Phrases } from "./phrases.ts";

export const english: Phrases = {
  greeting: "Dear {name},",
  sorry: "I'm sorry that this went wrong.",
  placed: "Your order {order} ({items}) is with us and has not been packed yet.",
  shipped:
    "Your order {order} ({items}) left our warehouse on {day} with {carrier}. The tracking number is {tracking}.",
  delivered: "Your order {order} ({items}) was delivered on {day} by {carrier}, tracking number {tracking}.",
  cancelled: "Your order {order} ({items}) has been cancelled.",
  refundDone:
    "We have refunded {amount} for order {order}. It will reach the account you paid with in three to five working days.",
  refundRefused:
    "We can't simply refund order {order} as you ask. A colleague is looking into it and will write to you.",
  refundTooMuch:
    "Order {order} came to {total} in all, so we can't refund more than that. If you would like this amount back, please tell us.",
  refundedBefore: "We already refunded {amount} for order {order}. If it has not arrived, please ask your bank first.",
  notYours:
    "Order {order} was placed with another e-mail address. Please write to us from that address, so that we can help.",
  unknownOrder: "We can't find an order with the number {order}.",
  foundInstead: "Perhaps you mean your order {order}?",
  askNumber: "Could you send us the order number? It starts with FH and is in the confirmation mail.",
  product: "{product}: {description} It costs {price}; {stock} in stock.",
  missing: "We are asking the carrier where the parcel is, and a colleague will write to you by tomorrow.",
  colleague: "A colleague will look at this in person and write to you.",
  signature: "Kind regards\nFernhollow customer service",
};

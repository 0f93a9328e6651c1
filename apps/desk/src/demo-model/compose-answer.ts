import type { Language } from "./language.ts";
import { say, sayAmount, sayDay } from "./phrases/say.ts";
import { judgeOrders, newestOrder, planRefund } from "./plan.ts";
import { productsFound, type Progress } from "./progress.ts";
import { readResult, type FoundOrder } from "./tool-results.ts";
import type { UnderstoodMail } from "./understand-mail.ts";

/** An answer to the sender, and true if a person should finish it. */
export interface Answer {
  readonly body: string;
  readonly send: boolean;
}

/** Requests that the demo model has no tool for. */
const needsPerson: readonly string[] = ["cancel", "exchange", "invoice", "address", "unknown"];
const apologetic: readonly string[] = ["refund", "missing", "exchange"];

/**
 * Writes to the sender, in the mail's language, from the results of the tools.
 *
 * @param mail - The mail as it was understood.
 * @param progress - With the results of all look-ups and actions.
 */
export function composeAnswer(mail: UnderstoodMail, progress: Progress): Answer {
  const language = mail.language ?? "en";
  const sentences: string[] = [];
  if (apologetic.includes(mail.intent)) sentences.push(say(language, "sorry"));

  const findings = judgeOrders(mail, progress);
  for (const finding of findings) {
    if (finding.kind === "unknown") sentences.push(say(language, "unknownOrder", { order: finding.orderId }));
    if (finding.kind === "not_theirs") sentences.push(say(language, "notYours", { order: finding.orderId }));
    if (finding.kind === "theirs" && mail.intent !== "refund" && mail.intent !== "product") {
      sentences.push(describeOrder(language, finding.order));
    }
  }
  const newest = newestOrder(progress);
  if (findings.every((finding) => finding.kind === "unknown") && newest !== undefined) {
    if (findings.length > 0) sentences.push(say(language, "foundInstead", { order: newest.id }));
    sentences.push(describeOrder(language, newest));
  }
  if (mail.intent === "refund") sentences.push(...describeRefund(language, mail, progress));

  const products = mail.intent === "product" ? productsFound(progress) : [];
  for (const product of products) {
    sentences.push(
      say(language, "product", {
        product: product.name,
        description: product.description,
        price: sayAmount(language, product.price),
        stock: String(product.stock),
      }),
    );
  }
  if (mail.intent === "missing") sentences.push(say(language, "missing"));
  if (mail.intent === "status" && findings.length === 0 && newest === undefined)
    sentences.push(say(language, "askNumber"));

  const open =
    mail.language === null || needsPerson.includes(mail.intent) || (mail.intent === "product" && products.length === 0);
  if (open) sentences.push(say(language, "colleague"));
  return {
    body: [
      say(language, "greeting", { name: senderName(mail) }),
      sentences.join("\n\n"),
      say(language, "signature"),
    ].join("\n\n"),
    send: !open,
  };
}

function describeRefund(language: Language, mail: UnderstoodMail, progress: Progress): string[] {
  const order = judgeOrders(mail, progress).find((finding) => finding.kind === "theirs")?.order;
  if (order === undefined) {
    return mail.orderNumbers.length === 0 ? [say(language, "askNumber")] : [];
  }
  const planned = planRefund(mail, progress);
  if (planned === null) {
    return order.refunded >= order.total
      ? [say(language, "refundedBefore", { order: order.id, amount: sayAmount(language, order.refunded) })]
      : [say(language, "refundTooMuch", { order: order.id, total: sayAmount(language, order.total) })];
  }
  const call = progress.calls.find((made) => made.name === "issue_refund" && made.input.orderId === planned.orderId);
  const recorded = call?.result === undefined ? null : readResult(call.result);
  if (typeof recorded?.amount !== "number") return [say(language, "refundRefused", { order: order.id })];
  // The recorded amount, not the requested one: a person may have changed it.
  return [say(language, "refundDone", { order: order.id, amount: sayAmount(language, recorded.amount) })];
}

function describeOrder(language: Language, order: FoundOrder): string {
  const items = order.lines
    .map((line) => (line.quantity > 1 ? `${line.quantity} × ${line.productName}` : line.productName))
    .join(", ");
  const values = { order: order.id, items, carrier: order.carrier ?? "", tracking: order.tracking ?? "" };
  if (order.status === "shipped" && order.shippedAt !== null) {
    return say(language, "shipped", { ...values, day: sayDay(language, order.shippedAt) });
  }
  if (order.status === "delivered" && order.deliveredAt !== null) {
    return say(language, "delivered", { ...values, day: sayDay(language, order.deliveredAt) });
  }
  return say(language, order.status === "cancelled" ? "cancelled" : "placed", values);
}

function senderName(mail: UnderstoodMail): string {
  return mail.mail.from.name.replace(/\(.*?\)/g, "").trim() || mail.mail.from.address;
}

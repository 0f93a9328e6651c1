import { findAmounts, findOrderNumbers } from "./amounts.ts";
import { findEmbeddedOrders, type EmbeddedOrder } from "./embedded-orders.ts";
import { detectIntent, type Intent } from "./intent.ts";
import { detectLanguage, type Language } from "./language.ts";
import type { ReadMail } from "./tool-results.ts";
import { visibleText } from "./visible-text.ts";

/** The demo model's reading of a mail. */
export interface UnderstoodMail {
  readonly mail: ReadMail;
  /** `null`: a language that it cannot write. */
  readonly language: Language | null;
  readonly intent: Intent;
  readonly orderNumbers: readonly string[];
  /** The amount asked for, in euro. */
  readonly amount: number | null;
  /** Words worth looking up among the products. */
  readonly productWords: readonly string[];
  readonly embeddedOrders: readonly EmbeddedOrder[];
}

/**
 * Reads a mail: language, wish, order numbers, amount, and instructions that are addressed to an assistant.
 *
 * @param mail - As `read_mail` gave it.
 */
export function understandMail(mail: ReadMail): UnderstoodMail {
  const letter = findEmbeddedOrders(visibleText(`${mail.subject}\n${mail.body}`));
  const attached = findEmbeddedOrders(visibleText(mail.attachments.map((attachment) => attachment.text).join("\n")));
  return {
    mail,
    language: detectLanguage(letter.rest),
    intent: detectIntent(letter.rest),
    orderNumbers: findOrderNumbers(`${letter.rest}\n${attached.rest}`).slice(0, 4),
    amount: findAmounts(letter.rest)[0] ?? null,
    productWords: findProductWords(letter.rest, mail.from.name),
    embeddedOrders: [...letter.orders, ...attached.orders],
  };
}

/** SKUs first, then capitalised words inside sentences, because products have proper names. */
function findProductWords(text: string, sender: string): string[] {
  const skus = [...text.matchAll(/\b[A-Z]{3}-\d{2}\b/g)].map((match) => match[0]);
  const names = [...text.matchAll(/(?<=\p{Ll}[,:]? )\p{Lu}\p{Ll}{3,}/gu)].map((match) => match[0]);
  return [...new Set([...skus, ...names.filter((name) => !sender.includes(name))])].slice(0, 4);
}

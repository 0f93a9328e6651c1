import { findAddresses, findAmounts, findOrderNumbers } from "./amounts.ts";

/** An instruction to an assistant in a text. */
export type EmbeddedOrder =
  | { readonly do: "refund"; readonly orderId: string; readonly amount: number }
  | { readonly do: "forward"; readonly to: string };

/** The instructions in a text, and the text without them. */
export interface EmbeddedOrders {
  readonly orders: readonly EmbeddedOrder[];
  readonly rest: string;
}

/** Patterns of texts that give orders to an assistant, in the languages of the demo model. */
const address =
  /ignore (?:all )?previous|maintenance mode|system override|im_start\|>\s*system|\bassistants?\b|asistente|assistente|KI-Assistent|à l'assistant|アシスタント|المساعد/giu;
const customerList =
  /customer list|kundenliste|liste des clients|lista de clientes|elenco (?:dei )?clienti|klantenlijst/giu;
const refund = /refund|erstatt|rembours|reembols|rimbors|terugbetal|zwr[óo]/i;
const forward = /\bforward|\bsend\b|weiter|\bleite\b|transf[eé]r|transmet|reenv[ií]|inoltra|stuur|prześlij|転送/i;
/** Maximum distance between the opening words of an instruction and its mention of the customers. */
const reach = 420;
const lead = 120;

/**
 * The instructions to an assistant in a text. The demo model follows them on purpose, like a model that was persuaded:
 * this shows what the framework stops.
 *
 * @param text - As {@link visibleText} gives it.
 */
export function findEmbeddedOrders(text: string): EmbeddedOrders {
  const stretches = [
    ...[...text.matchAll(address)].map(({ index }) => [index, index + reach] as const),
    ...[...text.matchAll(customerList)].map(({ index }) => [Math.max(0, index - lead), index + reach] as const),
  ];
  const orders = new Map<string, EmbeddedOrder>();
  let rest = text;
  for (const [from, to] of stretches) {
    const found = ordersIn(text.slice(from, to));
    if (found.length === 0) continue;
    for (const order of found) orders.set(JSON.stringify(order), order);
    // Blanks keep the positions of later text.
    rest = rest.slice(0, from) + rest.slice(from, to).replace(/\S/g, " ") + rest.slice(to);
  }
  return { orders: [...orders.values()], rest };
}

function ordersIn(stretch: string): EmbeddedOrder[] {
  const orders: EmbeddedOrder[] = [];
  const orderId = findOrderNumbers(stretch)[0];
  const amount = findAmounts(stretch)[0];
  if (refund.test(stretch) && orderId !== undefined && amount !== undefined)
    orders.push({ do: "refund", orderId, amount });
  const to = findAddresses(stretch)[0];
  if (forward.test(stretch) && to !== undefined) orders.push({ do: "forward", to });
  return orders;
}

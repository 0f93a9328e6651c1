/**
 * The order numbers in a text, upper case, each once, in order.
 *
 * @param text - Any text.
 */
export function findOrderNumbers(text: string): string[] {
  return [...new Set([...text.matchAll(/\bFH[-\s]?(\d{5})(?!\d)/gi)].map((match) => `FH-${match[1]}`))];
}

/**
 * The euro amounts in a text, in euro: `39,90 €`, `EUR 1.240,00`, `200 EUR`, `139.00ユーロ`.
 *
 * @param text - Any text.
 */
export function findAmounts(text: string): number[] {
  const number = String.raw`\d{1,3}(?:[.,\u00a0 ]\d{3})+(?:[.,]\d{2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)`;
  const currency = String.raw`(?:€|EUR(?:OS?)?\b|euros?\b|ユーロ|يورو)`;
  const pattern = new RegExp(String.raw`(?:${currency}\s*(${number}))|(?:(${number})\s*${currency})`, "giu");
  return [...text.matchAll(pattern)].map((match) => parseAmount(match[1] ?? match[2] ?? ""));
}

/**
 * The e-mail addresses in a text, each once.
 *
 * @param text - Any text.
 */
export function findAddresses(text: string): string[] {
  return [...new Set([...text.matchAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g)].map((match) => match[0].toLowerCase()))];
}

function parseAmount(written: string): number {
  const decimals = /[.,](\d{1,2})$/.exec(written);
  const whole = written.slice(0, decimals?.index ?? written.length).replace(/\D/g, "");
  return Number(`${whole}.${decimals?.[1] ?? "0"}`);
}

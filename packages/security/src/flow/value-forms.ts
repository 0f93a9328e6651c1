/** Addresses by their form: mail, web, bank account. */
const addressForms: readonly RegExp[] = [
  /[\p{L}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}/giu,
  /\bhttps?:\/\/[^\s<>"')\]}]+/giu,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/gu,
];

const [mailForm] = addressForms as readonly [RegExp, ...RegExp[]];

/** The kind of address that a whole text is. */
function formOf(text: string): RegExp | undefined {
  return addressForms.find((one) => new RegExp(`^(?:${one.source})$`, one.flags.replace("g", "")).test(text));
}

/** The kind of address that a text contains. */
export function formIn(text: string): RegExp | undefined {
  return addressForms.find((one) => new RegExp(one.source, one.flags.replace("g", "")).test(text));
}

/** Ids and dates: letters and digits in a fixed order, such as S-104, INV-2026-7 and 2026-06-01. */
const code = /^(?=.*\d)(?=.*[^\d])[A-Za-z\d._#/-]{2,24}$/u;

/** The kind of value that a text is: an address, or an id or a date of the same shape, with other numbers. */
export function shapeOf(text: string): RegExp | undefined {
  const form = formIn(text);
  if (form !== undefined || !code.test(text)) return form;
  const shape = text.replaceAll(".", String.raw`\.`).replaceAll(/\d+/gu, String.raw`\d+`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}-])${shape}(?![\p{L}\p{N}])`, "gu");
}

/** Counts the different addresses in a text that are of the same kind as a value. */
export function candidatesIn(words: string, value: string): number {
  const form = formOf(value);
  return form === undefined ? 0 : new Set(words.match(form)).size;
}

/** The mail addresses in a text, in lower case. */
export function mailsIn(text: string): readonly string[] {
  return (text.match(mailForm) ?? []).map((mail) => mail.toLowerCase());
}

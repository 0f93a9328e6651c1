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

/** Counts the different addresses in a text that are of the same kind as a value. */
export function candidatesIn(words: string, value: string): number {
  const form = formOf(value);
  return form === undefined ? 0 : new Set(words.match(form)).size;
}

/** The mail addresses in a text, in lower case. */
export function mailsIn(text: string): readonly string[] {
  return (text.match(mailForm) ?? []).map((mail) => mail.toLowerCase());
}

/** Values of fewer characters are looked for in no form: they would hide ordinary text. */
export const shortestSecret = 4;

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Base64 of the value at each of the three offsets that it can have inside longer base64, without the shared edges. */
function embeddedBase64(bytes: Uint8Array): string[] {
  const forms: string[] = [base64(bytes).replace(/=+$/, "")];
  for (const offset of [0, 1, 2]) {
    const padded = new Uint8Array(bytes.length + offset);
    padded.set(bytes, offset);
    const encoded = base64(padded).replace(/=+$/, "");
    const from = offset === 0 ? 0 : offset + 1;
    const to = (padded.length * 8) % 6 === 0 ? encoded.length : encoded.length - 1;
    const inner = encoded.slice(from, to);
    if (inner.length >= 8) forms.push(inner);
  }
  return forms;
}

/** As a JSON text holds it, and as it stands in JSON within JSON; some writers escape all that is not ASCII. */
function jsonForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const ascii = once.replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [once, ascii].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function htmlForm(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Every form in which a secret is looked for: raw, JSON-escaped (also in ASCII, and within JSON), URL-encoded once and
 * twice, as HTML text, base64 (also inside longer base64 and in the URL alphabet) and hex. Values under four characters
 * are looked for in no form: they would hide ordinary text.
 *
 * @param value - The secret.
 * @returns forms of at least four characters, longest first.
 */
export function secretForms(value: string): readonly string[] {
  if (value.length < shortestSecret) return [];
  const bytes = new TextEncoder().encode(value);
  const url = encodeURIComponent(value.toWellFormed());
  const form = new URLSearchParams({ "": value }).toString().slice(1);
  const encoded = embeddedBase64(bytes);
  const all = [
    value,
    // UTF-8 read as one character a byte, as raw bytes are searched.
    Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
    ...jsonForms(value),
    htmlForm(value),
    encodeURIComponent(url),
    ...[url, form].flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())]),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    hex(bytes),
    hex(bytes).toUpperCase(),
  ];
  return [...new Set(all)].filter((form) => form.length >= shortestSecret).toSorted((a, b) => b.length - a.length);
}

/** Values of fewer characters are not searched for in any form: they would hide ordinary text. */
export const shortestSecret = 4;

/** One character a byte. */
function binary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function hex(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Base64 of the value at each of the three offsets that it can have inside longer base64, without the shared edges. */
function embeddedBase64(bytes: Uint8Array): string[] {
  const forms: string[] = [btoa(binary(bytes)).replace(/=+$/, "")];
  for (const offset of [0, 1, 2]) {
    const padded = new Uint8Array(bytes.length + offset);
    padded.set(bytes, offset);
    const encoded = btoa(binary(padded)).replace(/=+$/, "");
    const from = offset === 0 ? 0 : offset + 1;
    const to = padded.length % 3 === 0 ? encoded.length : encoded.length - 1;
    const inner = encoded.slice(from, to);
    if (inner.length >= 8) forms.push(inner);
  }
  return forms;
}

/** The value in a JSON text, and in JSON within JSON; some writers escape slashes, or all that is not ASCII. */
function jsonForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const ascii = once.replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [once, ascii, once.replaceAll("/", String.raw`\/`)].flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
  ]);
}

/** Variants of HTML escaping: the form of a single quote, and named or numbered entities. */
const entities: readonly Readonly<Record<string, string>>[] = ["&#39;", "&#x27;", "&#039;", "&apos;", undefined].map(
  (apostrophe) => ({
    "&": apostrophe === undefined ? "&#38;" : "&amp;",
    "<": apostrophe === undefined ? "&#60;" : "&lt;",
    ">": apostrophe === undefined ? "&#62;" : "&gt;",
    '"': apostrophe === undefined ? "&#34;" : "&quot;",
    "'": apostrophe ?? "&#39;",
  }),
);

function htmlForms(value: string): string[] {
  return entities.map((names) => value.replaceAll(/[&<>"']/g, (character) => names[character] ?? character));
}

/** Characters that stay unescaped in each part of a URL, as browsers and libraries write it; last, none. */
const plainInUrls: readonly RegExp[] = [
  // `encodeURIComponent`, and RFC 3986 to the letter.
  /[\w.!~*'()-]/,
  /[\w.~-]/,
  // `encodeURI`.
  /[\w.!~*'();/?:@&=+$,#-]/,
  // A query, a path and a user of a URL object.
  /[!$-&(-;=?-~]/,
  /[!$-;=@-\]_a-z|~]/,
  /[!$-.\w~]/,
  /[^\s\S]/,
];

/** The value in a URL, with escapes in upper and in lower case. */
function urlForms(value: string): string[] {
  const well = value.toWellFormed();
  const forms = plainInUrls.map((plain) =>
    Array.from(well, (character) =>
      plain.test(character) ? character : hex(new TextEncoder().encode(character)).toUpperCase().replace(/../g, "%$&"),
    ).join(""),
  );
  forms.push(new URLSearchParams({ "": value }).toString().slice(1));
  return forms.flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())]);
}

/** Minimum length of a line of a multi-line secret, such as a PEM key, to be searched for separately. */
const longLine = 24;

/** The value as given, and in the forms in which programs pass text on: trimmed, with other line ends, line by line. */
function plainForms(value: string): string[] {
  const unix = value.replaceAll("\r\n", "\n");
  const lines = unix.split("\n").filter((line) => line.length >= longLine && !line.startsWith("-----"));
  return [
    value,
    value.trim(),
    unix,
    unix.replaceAll("\n", "\r\n"),
    value.normalize("NFC"),
    value.normalize("NFD"),
    ...lines,
  ];
}

/**
 * Every form in which a secret is searched for: raw (also trimmed, with other line ends, and each long line by itself),
 * JSON-escaped (also in ASCII, with escaped slashes, and within JSON), URL-encoded as each part of a URL has it and
 * twice, as HTML text, base64 (also inside longer base64 and in the URL alphabet) and hex. Values under four characters
 * are not searched for: they would hide ordinary text.
 *
 * @param value - The secret.
 * @returns forms of at least four characters, longest first.
 */
export function secretForms(value: string): readonly string[] {
  if (value.length < shortestSecret) return [];
  const bytes = new TextEncoder().encode(value);
  const encoded = embeddedBase64(bytes);
  const all = [
    ...plainForms(value),
    // UTF-8 read as one character a byte, because raw bytes are searched that way.
    binary(bytes),
    ...jsonForms(value),
    ...htmlForms(value),
    encodeURIComponent(encodeURIComponent(value.toWellFormed())),
    ...urlForms(value),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    hex(bytes),
    hex(bytes).toUpperCase(),
  ];
  return [...new Set(all)].filter((form) => form.length >= shortestSecret).toSorted((a, b) => b.length - a.length);
}

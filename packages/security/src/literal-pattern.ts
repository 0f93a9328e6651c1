/**
 * The pattern of a regular expression that matches a text itself, with or without the flag `u`. It is in pieces, because
 * a regular expression cannot hold 32,768 characters in a row.
 */
export const literalPattern = (text: string): string =>
  text.replace(/[^]{1,16000}/gu, (piece) => `${piece.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}(?:)`);

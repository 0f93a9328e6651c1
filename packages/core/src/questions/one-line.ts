/** Maximum number of characters of a value, a quote or a sentence. */
const mostShown = 300;

/** A text on one line, cut at 300 characters. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > mostShown ? `${line.slice(0, mostShown).toWellFormed()}…` : line;
}

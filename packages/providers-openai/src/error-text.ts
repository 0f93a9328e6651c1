/**
 * Text of a failed tool call that begins with an error mark, for APIs without a field for it.
 *
 * @param text - The tool's text.
 */
export function asError(text: string): string {
  return /^\W*(error|failed)/i.test(text) ? text : `Error: ${text}`;
}

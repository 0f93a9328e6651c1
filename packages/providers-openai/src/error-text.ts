/**
 * Text of a failed tool call that says it is an error, for wires that have no mark for it.
 *
 * @param text - What the tool said.
 */
export function asError(text: string): string {
  return /^\s*(\{?\W*)?(error|failed)/i.test(text) ? text : `Error: ${text}`;
}

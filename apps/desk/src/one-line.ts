/**
 * An error as one line for people: its message, which says what to do, without a stack.
 *
 * @param error - Anything that was thrown.
 */
export function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return `${message.replace(/\s+/g, " ").trim()}${code}`;
}

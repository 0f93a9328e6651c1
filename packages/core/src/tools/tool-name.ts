/**
 * A name that every provider accepts.
 *
 * @param name - Any name; characters that a tool name cannot contain become `_`.
 */
export function toolNameOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64);
}

/** A name that every provider accepts. */
export function toolNameOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64);
}

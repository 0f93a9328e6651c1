/**
 * Merges the keys of one state into another; both are JSON from `writePlain` of the core.
 *
 * @returns the same form: where a state had to be escaped, because its first key looks like a mark, the merged one is too.
 */
export function mergeState(before: string, next: string): string {
  const [first, second] = [before, next].map(opened);
  const merged = { ...first?.keys, ...second?.keys };
  return JSON.stringify(first?.escaped === true || second?.escaped === true ? { $escaped: merged } : merged);
}

function opened(text: string): { readonly keys: Record<string, unknown>; readonly escaped: boolean } {
  const keys = JSON.parse(text) as Record<string, unknown>;
  const escaped = Object.keys(keys)[0] === "$escaped";
  return escaped ? { keys: keys["$escaped"] as Record<string, unknown>, escaped } : { keys, escaped };
}

/** The keys of a state; its values are as `writePlain` wrote them. */
export function openState(text: string): Readonly<Record<string, unknown>> {
  return opened(text).keys;
}

/** A state of these keys, in the form of `writePlain`. */
export function stateOf(entries: readonly (readonly [string, unknown])[]): string {
  const keys = Object.fromEntries(entries);
  return JSON.stringify(Object.keys(keys)[0]?.startsWith("$") === true ? { $escaped: keys } : keys);
}

/** True for two texts of the same JSON value; `null` is the absence of a value. */
export function isSameJson(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return one === other || ordered(JSON.parse(one)) === ordered(JSON.parse(other));
}

/** JSON with sorted keys, as `canonicalJson` of the core writes it, which this thread does not load. */
function ordered(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(ordered).join(",")}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${ordered(member)}`).join(",")}}`;
}

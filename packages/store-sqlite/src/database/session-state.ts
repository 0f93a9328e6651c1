/**
 * Puts the keys of one state over those of another; both are JSON as `writePlain` of the core makes it.
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

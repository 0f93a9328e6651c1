/** True if two JSON texts are equal, in any order of their keys. */
export function sameJson(left: string, right: string): boolean {
  return left === right || ordered(left) === ordered(right);
}

function ordered(text: string): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
      : value,
  );
}

/** The known name with the longest common beginning, or the same operation. */
export function nearestPoint(name: string, known: readonly string[]): string | undefined {
  const common = (other: string): number => {
    let length = 0;
    while (length < name.length && name[length] === other[length]) length += 1;
    return length + (operation(other) === operation(name) ? 20 : 0);
  };
  return known.toSorted((a, b) => common(b) - common(a))[0];
}

function operation(name: string): string {
  return name.replace(/^[^/]*\//, "").replace(/#\d+$/, "");
}

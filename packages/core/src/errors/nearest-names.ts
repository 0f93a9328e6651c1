/** Number of edits between two names, counted up to `limit`. */
function distance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const cost = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + same,
      );
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[right.length] as number;
}

/** A name without differences of spelling: `sendEmail`, `send_email` and `send-email` are one. */
function folded(name: string): string {
  return name.replaceAll(/[._-]/gu, "").toLowerCase();
}

/**
 * The names most like an unknown one, nearest first: same letters, one inside the other, or few edits apart.
 *
 * @param wanted - The unknown name; only its first 128 characters count.
 * @param names - The known names.
 * @param limit - Largest number of names. Default 3.
 */
export function nearestNames(wanted: string, names: Iterable<string>, limit = 3): readonly string[] {
  const target = folded(wanted.slice(0, 128));
  if (target === "") return [];
  // Two letters that changed places are two edits.
  const bound = Math.max(target.length > 3 ? 2 : 1, Math.floor(target.length / 3));
  const near: { readonly name: string; readonly score: number }[] = [];
  for (const name of names) {
    const candidate = folded(name);
    const inside =
      candidate.length > 2 && target.length > 2 && (candidate.includes(target) || target.includes(candidate));
    const edits = distance(target, candidate, bound);
    if (edits <= bound || inside) near.push({ name, score: inside ? Math.min(edits, 1) : edits });
  }
  return near
    .sort((left, right) => left.score - right.score || (left.name < right.name ? -1 : 1))
    .slice(0, limit)
    .map((entry) => entry.name);
}

/** A line of a comparison. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "added";
  readonly text: string;
}

/** Maximum number of lines of one text that are compared one by one. */
const mostLines = 1_500;

/**
 * Compares two texts line by line: the longest common lines stay.
 *
 * @param before - The earlier text.
 * @param after - The later text.
 */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  if (before === after) return before === "" ? [] : before.split("\n").map((text) => ({ kind: "same", text }));
  return sequenceDiff(before.split("\n"), after.split("\n"));
}

/** Compares two lists of texts; the longest common part stays. */
export function sequenceDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function middle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const gone = before.map((text): DiffLine => ({ kind: "gone", text }));
  const added = after.map((text): DiffLine => ({ kind: "added", text }));
  if (before.length === 0 || after.length === 0 || before.length > mostLines || after.length > mostLines)
    return [...gone, ...added];
  const width = after.length + 1;
  const lengths = commonLengths(before, after);
  return walk(before, after, (row, column) => lengths[row * width + column] ?? 0);
}

/** The longest common part up to each pair of lines, row by row. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        before[row] === after[column]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

/** Walks along the longest common lines. */
function walk(
  before: readonly string[],
  after: readonly string[],
  lengthAt: (row: number, column: number) => number,
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ kind: "same", text: before[row] ?? "" });
      row += 1;
      column += 1;
    } else if (
      column >= after.length ||
      (row < before.length && lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    ) {
      lines.push({ kind: "gone", text: before[row] ?? "" });
      row += 1;
    } else {
      lines.push({ kind: "added", text: after[column] ?? "" });
      column += 1;
    }
  }
  return lines;
}

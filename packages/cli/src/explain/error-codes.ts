import codes from "./error-codes.json" with { type: "json" };

/** Explanation of an error code. */
export interface ErrorExplanation {
  readonly happened: string;
  readonly why: string;
  /** Remedy, as an instruction. */
  readonly do: string;
}

const table: ReadonlyMap<string, ErrorExplanation> = new Map(Object.entries(codes));

/** Explains an error code. */
export function errorCode(code: string): ErrorExplanation | undefined {
  return table.get(code);
}

/** Letters that two codes have to share at their beginning, if they share no word. */
const leastBeginning = 4;

/** Finds the codes that a person may have meant: most words in common, then the longest common beginning; at most three. */
export function nearestCodes(code: string): readonly string[] {
  const words = new Set(code.split("_").filter((word) => word.length > 2));
  return [...table.keys()]
    .map((known) => ({
      known,
      shared: known.split("_").filter((word) => words.has(word)).length,
      beginning: commonBeginning(known, code),
    }))
    .filter(({ shared, beginning }) => shared > 0 || beginning >= leastBeginning)
    .toSorted((a, b) => b.shared - a.shared || b.beginning - a.beginning)
    .slice(0, 3)
    .map(({ known }) => known);
}

/** Letters at the beginning that two codes share, underscores aside. */
function commonBeginning(left: string, right: string): number {
  const [one, other] = [left.replaceAll("_", ""), right.replaceAll("_", "")];
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

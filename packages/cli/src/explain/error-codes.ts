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

/** Finds the codes that a person may have meant: those that share the most words, at most three. */
export function nearestCodes(code: string): readonly string[] {
  const words = new Set(code.split("_").filter((word) => word.length > 2));
  return [...table.keys()]
    .map((known) => ({ known, shared: known.split("_").filter((word) => words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, 3)
    .map(({ known }) => known);
}

import { errorCodes, type ErrorCode } from "@bailiwick/core/extension";
import codes from "./error-codes.json" with { type: "json" };

/** Explanation of an error code. */
export interface ErrorExplanation {
  readonly happened: string;
  readonly why: string;
  /** Remedy, as an instruction. */
  readonly do: string;
}

// Each code of the framework has an explanation, and each explanation has its code.
const explanations: Readonly<Record<ErrorCode, ErrorExplanation>> = codes;
errorCodes satisfies Readonly<Record<keyof typeof codes, string>>;

const table: ReadonlyMap<string, ErrorExplanation> = new Map(Object.entries(explanations));

/** Explains an error code. */
export function errorCode(code: string): ErrorExplanation | undefined {
  return table.get(code);
}

/** Loads the example of an error code: TypeScript, or commands of a shell. */
export async function exampleOf(code: string): Promise<string | undefined> {
  const files = await Promise.all([
    import("./examples/cli.json", { with: { type: "json" } }),
    import("./examples/models.json", { with: { type: "json" } }),
    import("./examples/options.json", { with: { type: "json" } }),
    import("./examples/protocols.json", { with: { type: "json" } }),
    import("./examples/runs.json", { with: { type: "json" } }),
    import("./examples/security.json", { with: { type: "json" } }),
    import("./examples/workspace.json", { with: { type: "json" } }),
    import("./examples/skills.json", { with: { type: "json" } }),
    import("./examples/stores.json", { with: { type: "json" } }),
    import("./examples/testing.json", { with: { type: "json" } }),
    import("./examples/tools.json", { with: { type: "json" } }),
  ]);
  const lines = files.flatMap(({ default: examples }) =>
    Object.hasOwn(examples, code) ? Object.entries(examples) : [],
  );
  return lines.find(([name]) => name === code)?.[1].join("\n");
}

/** Number of letters that two codes have to share at their beginning, if they share no word. */
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

/** Number of letters that two codes share at the beginning, ignoring underscores. */
function commonBeginning(left: string, right: string): number {
  const [one, other] = [left.replaceAll("_", ""), right.replaceAll("_", "")];
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

import { checkArgument } from "@bailiwick/core";
import { named, type Scorer } from "../score.ts";

/**
 * Makes a vector of each text.
 *
 * @param texts - The texts.
 */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/**
 * The answer means about the same as the expected one: the cosine of their vectors.
 *
 * @param embed - Makes the vectors, such as `(texts) => embedder.embed(texts)`.
 * @returns a scorer that applies to cases whose `expected.answer` is a text.
 */
export function similar(embed: Embed): Scorer {
  checkArgument(embed, "function", "similar(async (texts) => vectors)");
  return named("similar", async ({ case: { expected }, output }) => {
    const answer = expected?.answer;
    if (typeof answer !== "string") return undefined;
    const [a, b] = await embed([answer, output.text]);
    if (a === undefined || b === undefined || a.length !== b.length)
      throw new Error("the embedder returned no two vectors of one length");
    const dot = (one: readonly number[], other: readonly number[]): number =>
      one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
    const cosine = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    // Rounding can exceed 1 by a trace; a vector without a direction has no cosine, and stays without a score.
    return Math.abs(cosine) <= 1 + 1e-9 ? Math.max(0, Math.min(1, cosine)) : cosine;
  });
}

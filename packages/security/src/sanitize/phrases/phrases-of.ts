/**
 * All phrases of a notation: `|` separates phrases, and `a (b|c)` stands for `a b` and `a c`.
 *
 * @param notation - The notation, such as `ignor|(do not|never) (follow|obey)`.
 */
export function phrasesOf(notation: string): readonly string[] {
  const tokens = notation.match(/[^()|]+|[()|]/g) ?? [];
  let at = 0;
  /** Reads alternatives up to the end of their group. */
  const alternatives = (): readonly string[] => {
    const ended: string[] = [];
    let open: readonly string[] = [""];
    for (; at < tokens.length && tokens[at] !== ")"; at += 1) {
      const token = tokens[at] as string;
      if (token === "|") {
        ended.push(...open);
        open = [""];
      } else {
        if (token === "(") at += 1;
        const next = token === "(" ? alternatives() : [token];
        open = open.flatMap((start) => next.map((end) => start + end));
      }
    }
    return [...ended, ...open];
  };
  return alternatives().filter((phrase) => phrase !== "");
}

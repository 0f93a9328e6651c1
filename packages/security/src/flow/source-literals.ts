/** Longest source that is read. */
const longestSource = 20_000;

/** Characters that an escape stands for. */
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/**
 * The texts that a function's source contains, in their order: strings, and the fixed parts of templates. Text in a
 * comment or a regular expression may count as one: the developer wrote it too.
 */
export function literalsOf(source: string): readonly string[] {
  if (source.length > longestSource) return [];
  const found: string[] = [];
  /** Templates around a place: the number of open braces in the hole of each. */
  const holes: number[] = [];
  let at = 0;
  /** Reads up to one of some ends, and returns it. */
  const text = (ends: readonly string[]): string => {
    let read = "";
    while (at < source.length) {
      const end = ends.find((one) => source.startsWith(one, at));
      if (end !== undefined) {
        at += end.length;
        if (read !== "") found.push(read);
        return end;
      }
      const isEscape = source[at] === "\\";
      const sign = source[isEscape ? at + 1 : at] ?? "";
      read += isEscape ? (escapes[sign] ?? sign) : sign;
      at += isEscape ? 2 : 1;
    }
    return "";
  };
  const template = (): void => {
    if (text(["`", "${"]) === "${") holes.push(0);
  };
  while (at < source.length) {
    const sign = source[at] ?? "";
    at += 1;
    const open = holes.length - 1;
    if (sign === '"' || sign === "'") text([sign]);
    else if (sign === "`") template();
    else if (sign === "{" && open >= 0) holes[open] = (holes[open] ?? 0) + 1;
    else if (sign === "}" && open >= 0) {
      if (holes[open] === 0) {
        holes.pop();
        template();
      } else holes[open] = (holes[open] ?? 0) - 1;
    }
  }
  return found;
}

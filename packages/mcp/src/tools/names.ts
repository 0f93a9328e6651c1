/** Maximum length of a tool's name. */
const maxLength = 128;

/**
 * Names that tools may have here, for names that a server gave: other characters become `_`, and no two become the same.
 * The same list gives the same names.
 *
 * @param given - Names as listed by the server.
 */
export function namesFor(given: readonly string[]): readonly string[] {
  const taken = new Set(given.filter(isName));
  return given.map((name) => {
    if (isName(name)) return name;
    const plain = name.replaceAll(/[^A-Za-z0-9._-]+/gu, "_").slice(0, maxLength) || "tool";
    let free = plain;
    for (let count = 2; taken.has(free); count += 1) {
      const suffix = `_${count}`;
      free = plain.slice(0, maxLength - suffix.length) + suffix;
    }
    taken.add(free);
    return free;
  });
}

function isName(name: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/u.test(name);
}

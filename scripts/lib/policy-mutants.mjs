/**
 * The edits of a source text: each guard, filter and statement left out in turn, and each `&&` and `||` turned around.
 *
 * @param {string} source
 * @returns {{ index: number, line: number, what: string, text: string }[]}
 */
export function mutantsOf(source) {
  const lines = source.split("\n");
  /** @type {{ index: number, line: number, what: string, text: string }[]} */
  const found = [];
  /** @type {(line: number, what: string, changed: string) => void} */
  const add = (line, what, changed) => {
    const text = lines.map((each, at) => (at === line ? changed : each)).join("\n");
    found.push({ index: found.length, line: line + 1, what, text });
  };
  for (const [at, line] of lines.entries()) {
    const code = line.trim();
    if (/^(?:import|export \{|\/\/|\*|\/\*)/u.test(code)) continue;
    if (/^if \(.*\) (?:return|continue|throw)\b.*;$/u.test(code)) add(at, `left out: ${code}`, line.replace(code, ""));
    else if (/^if \(.*\) [\w.[\]]+.*;$/u.test(code)) add(at, `left out: ${code}`, line.replace(code, ""));
    else if (/^(?:[\w]+\.)+[\w]+\(.*\);$/u.test(code) || /^[\w.]+ (?:\+=|=) [^=>]*;$/u.test(code))
      add(at, `left out: ${code}`, line.replace(code, ""));
    if (/^\.filter\(.*\)[;)]?$/u.test(code))
      add(at, `left out: ${code}`, line.replace(code, code.endsWith(";") ? ";" : ""));
    for (const { from, to } of [
      { from: " && ", to: " || " },
      { from: " || ", to: " && " },
    ]) {
      const place = line.indexOf(from);
      if (place >= 0 && !code.startsWith("..."))
        add(at, `${from.trim()} to ${to.trim()}: ${code}`, line.slice(0, place) + to + line.slice(place + from.length));
    }
    const choice = /^return (.+) \? \[\] : (\[.*\]);$/u.exec(code);
    if (choice !== null) add(at, `always passes: ${code}`, line.replace(code, `return ${choice[1] ?? ""} ? [] : [];`));
  }
  return found;
}

/**
 * One row of the attack matrix, as `matrix.test.helper.ts` keeps it.
 *
 * @typedef {{ setting: string, place: string, inner?: string, strategy: string, pairs: number, hijacked: number,
 *   succeeded: readonly string[], diverted: readonly string[] }} AttackRow
 */

/** The tasks without an attacker under one setting. @typedef {{ setting: string, tasks: number, free: number, questions: number }} TaskRow */

const begin = "<!-- attack tables: written by pnpm test:attacks -->";
const end = "<!-- end of the attack tables -->";

/**
 * A page with attack tables written from results.
 *
 * @param {string} page
 * @param {readonly (AttackRow | TaskRow)[]} results
 */
export function withAttackTables(page, results) {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page needs the lines "${begin}" and "${end}".`);
  return `${page.slice(0, from + begin.length)}\n\n${attackTables(results)}\n\n${page.slice(to)}`;
}

/**
 * Attacks that succeeded and diversions, by place of the writers, by strategy, and the questions of tasks without an
 * attacker.
 *
 * @param {readonly (AttackRow | TaskRow)[]} results
 */
function attackTables(results) {
  const attacks = results.filter((row) => "pairs" in row);
  const tasks = results.filter((row) => "tasks" in row);
  const settings = [...new Set(attacks.map(({ setting }) => setting))].filter((setting) => setting !== "`off`");
  const direct = attacks.filter(({ strategy }) => strategy === "direct");
  const strategies = attacks.filter(({ place, inner }) => place === "the same agent" && inner === undefined);
  return [
    table("place of the writers", settings, direct, ({ place }) => place),
    table("strategy, in the same agent", settings, strategies, ({ strategy }) => strategy),
    grid(
      ["rules", "tasks without a question", "questions a task"],
      tasks.map(({ setting, tasks: count, free, questions }) => [
        setting,
        `${free} of ${count}`,
        (questions / count).toFixed(2),
      ]),
    ),
  ].join("\n\n");
}

/**
 * @param {string} title
 * @param {readonly string[]} settings
 * @param {readonly AttackRow[]} rows
 * @param {(row: AttackRow) => string} nameOf
 */
function table(title, settings, rows, nameOf) {
  const names = [...new Set(rows.map(nameOf))];
  return grid(
    [title, ...settings],
    names.map((name) => {
      const own = rows.filter((row) => nameOf(row) === name);
      return [name, ...settings.map((setting) => cell(own.filter((row) => row.setting === setting)))];
    }),
  );
}

/** Successful attacks of the played pairs, and diversions in brackets. @type {(rows: readonly AttackRow[]) => string} */
function cell(rows) {
  if (rows.length === 0) return "";
  const succeeded = sum(rows.map((row) => row.succeeded.length));
  const diverted = sum(rows.map((row) => row.diverted.length));
  return `${succeeded} of ${sum(rows.map(({ pairs }) => pairs))}${diverted === 0 ? "" : ` (${diverted})`}`;
}

/** @type {(numbers: readonly number[]) => number} */
function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}

/** @type {(head: readonly string[], rows: readonly (readonly string[])[]) => string} */
function grid(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

import { createHash } from "node:crypto";

/** True in `pnpm test:whole`, which plays each cell of each table. */
const isWhole = process.env["BAILIWICK_WHOLE"] !== undefined;
/** The commit: each one draws other cells. */
const draw = process.env["BAILIWICK_DRAW"] ?? "";

/**
 * The cells of a table that a run of the tests plays: the first, and about one in `of`, drawn by the commit and the cell.
 * `pnpm test:whole` plays all of them.
 *
 * @param cells - All cells of the table.
 * @param nameOf - What tells a cell from the others.
 * @param of - How many cells one drawn cell stands for.
 */
export function drawn<Cell>(cells: readonly Cell[], nameOf: (cell: Cell) => string, of = 8): Cell[] {
  return cells.filter((cell, index) => {
    const hash = createHash("sha256")
      .update(`${draw} ${nameOf(cell)}`)
      .digest();
    return isWhole || index === 0 || hash.readUInt32BE(0) % of === 0;
  });
}

/** The drawn ones of cases, and the first case of each rule: its title has the rule's id in brackets. */
export function drawnCases<Case extends { readonly name: string }>(cases: readonly Case[], of?: number): Case[] {
  const seen = new Set<string>();
  const first = new Set(
    cases.filter(({ name }) => {
      const rules = [...name.matchAll(/\[[^\]]+\]/gu)].map(String);
      const isFirst = rules.some((rule) => !seen.has(rule));
      for (const rule of rules) seen.add(rule);
      return isFirst;
    }),
  );
  const others = new Set(drawn(cases, ({ name }) => name, of));
  return cases.filter((one) => first.has(one) || others.has(one));
}

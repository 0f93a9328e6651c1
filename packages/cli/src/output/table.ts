import type { Terminal } from "./terminal.ts";

/** Aligns rows in columns, with a heading. */
export function table(terminal: Terminal, heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [terminal.paint("dim", line(heading)), ...rows.map(line)].join("\n");
}

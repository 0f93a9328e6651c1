/** True in `pnpm test:whole`, which opens each page at each width in each colour scheme. */
const isWhole = process.env["BAILIWICK_WHOLE"] !== undefined;

/**
 * The widths at which a test opens a page: all of them in the first colour scheme, and one in turn in the others, since
 * colours do not change the layout.
 */
export function coveredWidths<Width>(
  widths: readonly Width[],
  page: number,
  colorScheme: "light" | "dark",
): readonly Width[] {
  if (isWhole || colorScheme === "light") return widths;
  return widths.slice(page % widths.length).slice(0, 1);
}

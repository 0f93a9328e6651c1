/** A row older than this may be wrong: vendors change prices several times a year. */
export const outdatedAfterDays = 90;

/**
 * The age of a row of the table of models, in days.
 *
 * @param row - The row, with the day on which it was checked as `YYYY-MM-DD`.
 * @param now - Time in milliseconds since the epoch.
 */
export function ageOfRow(row: { readonly checked: string }, now: number): number {
  return Math.floor((now - Date.parse(row.checked)) / 86_400_000);
}

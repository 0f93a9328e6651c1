/** A row older than this may be wrong: vendors change prices several times a year. */
export const outdatedAfterDays = 90;

/**
 * The age of a row of the table of models, in days.
 *
 * @param now - Time in milliseconds since the epoch.
 */
export function ageOfRow({ checked }: { readonly checked: string }, now: number): number {
  return Math.floor((now - Date.parse(checked)) / 86_400_000);
}

/**
 * Whole cents as text, e.g. `12950` → `"129.50 EUR"`.
 *
 * @param cents - Whole cents.
 */
export function formatEuro(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}

/**
 * Euro with at most two decimals as whole cents, or `null` if the number has more decimals.
 *
 * @param euro - An amount such as `39.9`.
 */
export function toCents(euro: number): number | null {
  const cents = Math.round(euro * 100);
  return Math.abs(euro * 100 - cents) < 1e-6 ? cents : null;
}

/** A time for people: `2026-01-31 12:00:05`, in UTC. */
export function shownTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

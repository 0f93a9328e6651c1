import { StudioApiError } from "./api.ts";

/** The state of a query that a page polls. */
interface Polled {
  readonly state: { readonly status: "pending" | "error" | "success"; readonly data: unknown };
}

/**
 * Polls at this interval, in milliseconds, unless the page only shows an error: its buttons keep their place, and the
 * viewer tries again.
 */
export const pollEvery =
  (intervalMs: number) =>
  ({ state }: Polled): number | false =>
    state.status === "error" && state.data === undefined ? false : intervalMs;

/**
 * The error that is shown in place of a query's data. If a reload gets no answer, or a server error, the earlier data
 * stays, so that typed and unfolded parts are kept. A refusal replaces it.
 */
export function failureOf({
  error,
  data,
}: {
  readonly error: Error | null;
  readonly data: unknown;
}): Error | undefined {
  if (error === null) return undefined;
  const isRefused = error instanceof StudioApiError && error.isRefusal;
  return data === undefined || isRefused ? error : undefined;
}

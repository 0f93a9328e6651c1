import { StudioApiError } from "./api.ts";

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

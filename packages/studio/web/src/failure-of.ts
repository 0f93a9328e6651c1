import { StudioApiError } from "./api.ts";

/**
 * The error that is shown in place of what a query loads. A reload that gets no answer, or that the server fails to answer,
 * keeps what was loaded before: nothing that a viewer typed or unfolded is lost. A refusal replaces it.
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

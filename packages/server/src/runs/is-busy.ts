/** Reports if an error says that another process or worker drives the run. */
export function isBusy(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "RUN_BUSY";
}

/** One check of `bailiwick doctor`. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly text: string;
  /** Remedy, as an instruction. */
  readonly fix?: string | undefined;
}

/** Turns an error into a failed check. */
export function failed(name: string, error: unknown, fix?: string): Check {
  return { name, status: "fail", text: error instanceof Error ? error.message : String(error), fix };
}

import type { Readable } from "node:stream";

/** Resolves on SIGTERM, on Ctrl-C, or when the input ends. */
export function untilStopped(input?: Readable): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
    input?.once("end", () => resolve());
    input?.once("close", () => resolve());
  });
}

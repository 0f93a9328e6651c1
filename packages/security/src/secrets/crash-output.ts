import type { Scrubber } from "./scrubber.ts";

interface CrashingProcess {
  readonly on?: (event: "uncaughtExceptionMonitor", listener: (error: unknown) => void) => unknown;
}

const watched = new Set<WeakRef<Scrubber>>();
const forgotten = new FinalizationRegistry<WeakRef<Scrubber>>((scrubber) => watched.delete(scrubber));
let listens = false;

/**
 * Removes known secrets from the output of a process that an error ends: an uncaught error, such as one that a tool
 * throws after its call has ended. The way in which the process ends is unchanged. A thrown value that is not an
 * error, such as a text, cannot be changed.
 *
 * @param scrubber - Used as long as another process keeps it.
 */
export function scrubCrashes(scrubber: Scrubber): void {
  const { process } = globalThis as { readonly process?: CrashingProcess };
  if (typeof process?.on !== "function") return;
  const known = new WeakRef(scrubber);
  watched.add(known);
  forgotten.register(scrubber, known);
  if (listens) return;
  listens = true;
  process.on("uncaughtExceptionMonitor", (error) => {
    if (!(error instanceof Error)) return;
    for (const each of watched) each.deref()?.scrubInPlace(error);
  });
}

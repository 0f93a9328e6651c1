import { ConfigurationError } from "@bailiwick/core";

/** The process, on hosts that have one. */
interface Process {
  readonly pid: number;
  once(signal: string, listener: () => void): unknown;
  removeListener(signal: string, listener: () => void): unknown;
  listenerCount(signal: string): number;
  kill(pid: number, signal: string): unknown;
}

/**
 * Drains on signals of the operating system. Afterwards, if nothing else listens, the process ends by the signal.
 *
 * @returns a function that stops listening.
 */
export function stopOnSignals(signals: readonly string[], drain: () => Promise<void>): () => void {
  const wrong = signals.find((signal) => !/^SIG[A-Z0-9]+$/u.test(signal));
  if (wrong !== undefined)
    throw new ConfigurationError(
      "INVALID_OPTION",
      `worker(): "stopOn" holds "${wrong}", which is not a name of a signal.`,
    );
  const { process } = globalThis as { readonly process?: Partial<Process> };
  if (!isProcess(process)) return () => undefined;
  const listeners = signals.map((signal) => {
    const listener = (): void => {
      void drain().finally(() => {
        // Without a listener, the signal ends the process; own listeners of the application decide for themselves.
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      });
    };
    process.once(signal, listener);
    return (): void => void process.removeListener(signal, listener);
  });
  return () => {
    for (const forget of listeners) forget();
  };
}

function isProcess(given: Partial<Process> | undefined): given is Process {
  return typeof given?.once === "function" && typeof given.kill === "function";
}

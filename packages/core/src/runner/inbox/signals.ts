import type { Signal } from "../../contracts/signal.ts";
import type { Sealer } from "../../contracts/ports/security.ts";
import { openValue, sealValue } from "../../journal/sealed-record.ts";
import type { Agent } from "../run.ts";

/**
 * Puts a signal in a run's inbox: sealed if there is a key, else without known secrets. Its name and id stay readable.
 *
 * @throws RunNotFoundError if the store does not have the run.
 */
export async function sendSignal(
  { store, sealer, secrets }: Pick<Agent, "store" | "sealer" | "secrets">,
  runId: string,
  signal: Signal,
): Promise<void> {
  await secrets?.ready();
  const { payload: given } = signal;
  const payload =
    sealer === undefined
      ? (secrets?.scrub(given) ?? given)
      : await sealValue(given, sealer, ["signal", runId, signal.id]);
  await store.signal(runId, { ...signal, payload });
}

/** Signals of an inbox that could be opened, and why others could not. */
export interface OpenedSignals {
  readonly signals: readonly Signal[];
  readonly failures: readonly unknown[];
}

/** Opens signals from an inbox. A sealed signal without a key does not block the others. */
export async function openSignals(
  runId: string,
  given: readonly Signal[],
  sealer: Sealer | undefined,
): Promise<OpenedSignals> {
  const signals: Signal[] = [];
  const failures: unknown[] = [];
  for (const signal of given) {
    try {
      const payload = await openValue(signal.payload, sealer, ["signal", runId, signal.id], `Signal "${signal.id}"`);
      signals.push(payload === signal.payload ? signal : { ...signal, payload });
    } catch (error) {
      failures.push(error);
    }
  }
  return { signals, failures };
}

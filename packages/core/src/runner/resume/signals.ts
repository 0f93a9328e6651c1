import type { Signal } from "../../contracts/journal-event.ts";
import type { Sealer } from "../../contracts/ports/security.ts";
import { openValue, sealValue } from "../../journal/sealed-value.ts";
import type { AgentDefinition } from "../active-run.ts";

/**
 * Puts a signal in a run's inbox: sealed where there is a key, else without known secrets. Its name and id stay readable.
 *
 * @throws RunNotFoundError when the store does not have the run.
 */
export async function sendSignal(
  { store, sealer, secrets }: Pick<AgentDefinition, "store" | "sealer" | "secrets">,
  runId: string,
  signal: Signal,
): Promise<void> {
  await secrets?.ready();
  const { payload: given } = signal;
  const payload = sealer === undefined ? (secrets?.scrub(given) ?? given) : await sealValue(given, sealer);
  await store.signal(runId, { ...signal, payload });
}

/**
 * Opens signals from an inbox.
 *
 * @throws SealKeyMissing when one is sealed and there is no key; all stay in the inbox.
 */
export async function openSignals(signals: readonly Signal[], sealer: Sealer | undefined): Promise<readonly Signal[]> {
  return Promise.all(
    signals.map(async (signal) => {
      const payload = await openValue(signal.payload, sealer, `Signal "${signal.id}"`);
      return payload === signal.payload ? signal : { ...signal, payload };
    }),
  );
}

import type { PriceTable } from "../contracts/model-price.ts";
import { errorText } from "../errors/error-text.ts";
import type { Check } from "../errors/value-checks.ts";

/** The prices of an agent's option `prices`. */
export interface OwnPrices {
  readonly table: PriceTable | undefined;
  /** The reason why they could not be loaded: then each cost is unknown. */
  readonly failure?: string | undefined;
}

/** Longest wait for a table of prices, in milliseconds. */
const loadTimeMs = 30_000;
/** Time after which a loaded table is loaded again, in milliseconds. */
const keptMs = 24 * 60 * 60 * 1000;

/**
 * Reads the option `prices`. A table at an address is loaded with the first model call, and again after a day; if that
 * fails, the earlier table stays in use, and the next call tries again.
 *
 * @param check - Checks what was loaded.
 * @param now - Time in milliseconds.
 */
export function priceLoader(
  given: PriceTable | string | URL | undefined,
  check: Check,
  send: typeof fetch | undefined,
  now: () => number,
): () => OwnPrices | Promise<OwnPrices> {
  if (typeof given !== "string" && !(given instanceof URL)) return () => ({ table: given });
  const address = String(given);
  let kept: { readonly own: OwnPrices; readonly since: number } | undefined;
  let loading: Promise<OwnPrices> | undefined;
  const load = async (): Promise<OwnPrices> => {
    try {
      const response = await (send ?? globalThis.fetch)(address, { signal: AbortSignal.timeout(loadTimeMs) });
      if (!response.ok) throw new Error(`the server answered with status ${response.status}`);
      const table: unknown = await response.json();
      const wrong = check(table);
      if (wrong !== undefined) throw new Error(`the table ${wrong}`);
      const own = { table: table as PriceTable };
      kept = { own, since: now() };
      return own;
    } catch (error) {
      const why = error instanceof Error ? errorText(error) : String(error);
      return kept?.own ?? { table: undefined, failure: `"prices" could not be loaded from ${address}: ${why}` };
    } finally {
      loading = undefined;
    }
  };
  return () => {
    if (kept !== undefined && now() - kept.since < keptMs) return kept.own;
    return (loading ??= load());
  };
}

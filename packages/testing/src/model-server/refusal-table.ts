import type { Refusal } from "./refusal.ts";
import { wires } from "./wires.ts";

/** Every refusal by its id; a refusal of several wires names them all. */
export const refusalsById: ReadonlyMap<string, Refusal> = wires
  .flatMap((wire) => wire.refusals)
  .reduce((table, refusal) => {
    const known = table.get(refusal.id);
    return table.set(
      refusal.id,
      known === undefined ? refusal : { ...known, wires: [...known.wires, ...refusal.wires] },
    );
  }, new Map<string, Refusal>());

/**
 * Refusals of {@link modelServer}: the condition, and the vendor's page that documents it.
 *
 * @example
 * ```ts
 * import { refusals } from "@bailiwick/testing/model-server";
 *
 * for (const { id, when, source } of refusals) console.log(`${id}: ${when} (${source})`);
 * ```
 */
export const refusals: readonly Pick<Refusal, "id" | "wires" | "servers" | "when" | "source">[] = [
  ...refusalsById.values(),
];

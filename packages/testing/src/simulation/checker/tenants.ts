import { named } from "./endings.ts";
import type { BrokenPromise, RecordedHistory } from "./recorded-history.ts";

/** No record of one tenant has the text of another one's input. */
export function crossedTenants({ runs }: RecordedHistory): readonly BrokenPromise[] {
  const owned = runs.filter(({ tenantId, input }) => tenantId !== undefined && input !== undefined && input !== "");
  if (new Set(owned.map(({ tenantId }) => tenantId)).size < 2) return [];
  return runs.flatMap((run): readonly BrokenPromise[] => {
    const others = owned.filter(({ tenantId, input }) => tenantId !== run.tenantId && input !== run.input);
    const text = JSON.stringify(run.records);
    const foreign = others.find(({ input = "" }) => text.includes(JSON.stringify(input).slice(1, -1)));
    if (foreign === undefined) return [];
    return [
      {
        promise: "tenants",
        text: `${named(run)} of tenant ${String(run.tenantId)} has the input ${JSON.stringify(foreign.input)} of tenant ${String(foreign.tenantId)}.`,
        proof: run.records,
      },
    ];
  });
}

import type { RecordedRun } from "../checker/recorded-history.ts";
import { inputText } from "./observer.ts";
import type { Stage } from "./stage.ts";

/** Reads the runs of a play from its store, after the play. */
export async function recordedRuns(stage: Stage): Promise<readonly RecordedRun[]> {
  const { store, apps } = stage;
  const runtimes = [...apps.values()].flatMap((one) => one.runtimes);
  const runs = await store.listRuns({ allTenants: true, limit: 10_000 });
  return Promise.all(
    runs.toReversed().map(async (run): Promise<RecordedRun> => {
      const records = await store.load(run.id);
      const runtime = runtimes.find(({ name }) => name === run.agentId);
      const { maxTurns } = (runtime?.definition.options ?? {}) as { readonly maxTurns?: number };
      return {
        id: run.id,
        state: run.state,
        parentId: run.parent?.runId,
        tenantId: run.tenantId,
        input: inputText(run.input),
        records,
        maxTurns,
      };
    }),
  );
}

import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { StudioRunDetail } from "../../src/views/view-types.ts";
import { api } from "./api.ts";
import { pollEvery } from "./failure-of.ts";
import { isOver } from "./parts/states.tsx";

/** Loads a run, repeatedly until it has ended. */
export function useRun(runId: string | undefined): UseQueryResult<StudioRunDetail> {
  return useQuery({
    queryKey: ["run", runId],
    queryFn: () => api.run(runId ?? ""),
    enabled: runId !== undefined,
    refetchInterval: (query) =>
      query.state.data !== undefined && isOver(query.state.data.run.state) ? false : pollEvery(1_000)(query),
  });
}

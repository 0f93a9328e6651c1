import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { StudioRunDetail } from "../../src/views/view-types.ts";
import { api } from "./api.ts";
import { isOver } from "./parts/states.tsx";

/** Loads a run, repeatedly until it has ended. */
export function useRun(runId: string | undefined): UseQueryResult<StudioRunDetail> {
  return useQuery({
    queryKey: ["run", runId],
    queryFn: () => api.run(runId ?? ""),
    enabled: runId !== undefined,
    refetchInterval: ({ state }) => (state.data === undefined || !isOver(state.data.run.state) ? 1_000 : false),
  });
}

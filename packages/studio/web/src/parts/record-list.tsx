import { useInfiniteQuery } from "@tanstack/react-query";
import type { StudioRunDetail } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { Records } from "./span-detail.tsx";
import { Failed, Loading } from "./states.tsx";

/** Every record of a run, page by page. */
export function RecordList({
  detail,
  first,
}: {
  readonly detail: StudioRunDetail;
  readonly first: number | undefined;
}) {
  const { runId } = detail.run;
  const records = useInfiniteQuery({
    queryKey: ["record-pages", runId, detail.run.records, first],
    queryFn: ({ pageParam }) => api.recordPage(runId, pageParam),
    initialPageParam: first ?? 1,
    getNextPageParam: ({ records: page }) => {
      const last = page.at(-1)?.event.seq;
      return last === undefined || page.length < 100 ? undefined : last + 1;
    },
  });
  if (records.isPending) return <Loading />;
  if (records.isError) return <Failed error={records.error} />;
  return (
    <>
      <Records runId={runId} records={records.data.pages.flatMap((page) => page.records)} drivable={detail.drivable} />
      {records.hasNextPage && (
        <button type="button" onClick={() => void records.fetchNextPage()}>
          Show more records
        </button>
      )}
    </>
  );
}

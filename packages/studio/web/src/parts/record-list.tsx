import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { StudioRunDetail } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { isForkable } from "./fork-form.tsx";
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
    queryKey: ["record-pages", runId, first],
    queryFn: ({ pageParam }) => api.recordPage(runId, pageParam),
    initialPageParam: first ?? 1,
    getNextPageParam: ({ records: page }) => {
      const last = page.at(-1)?.event.seq;
      return last === undefined || page.length < 100 ? undefined : last + 1;
    },
  });
  const { refetch } = records;
  const shown = useRef(detail.run.records);
  useEffect(() => {
    // A live run gets new records: they are added, and opened records stay open.
    if (shown.current !== detail.run.records) void refetch();
    shown.current = detail.run.records;
  }, [detail.run.records, refetch]);
  const failure = failureOf(records);
  if (failure !== undefined) return <Failed error={failure} />;
  if (records.data === undefined) return <Loading />;
  return (
    <>
      {detail.run.parentRunId !== undefined && (
        <p className="note">This run belongs to a call of its outer run, so only the outer run can be forked.</p>
      )}
      <Records
        runId={runId}
        records={records.data.pages.flatMap((page) => page.records)}
        forkable={isForkable(detail)}
      />
      {records.hasNextPage && (
        <button type="button" onClick={() => void records.fetchNextPage()}>
          Show more records
        </button>
      )}
    </>
  );
}

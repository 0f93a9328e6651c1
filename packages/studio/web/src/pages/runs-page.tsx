import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import type { StudioRun } from "../../../src/views/view-types.ts";
import { api, type RunFilters } from "../api.ts";
import { failureOf, pollEvery } from "../failure-of.ts";
import { ago, cost, count, fullTime, short } from "../format.ts";
import { Empty, Failed, lastedWords, Loading, stateTone, stateWords } from "../parts/states.tsx";
import { FilterChoice, FilterField } from "../parts/filter-field.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { SavedFilters } from "../parts/saved-filters.tsx";
import { moveFocus, useKeys } from "../use-keys.ts";
import { useTitle } from "../use-title.ts";

const route = getRouteApi("/");

/** Height of a row in pixels, on a narrow window and on a wide one. */
const rowHeights = { narrow: 76, wide: 45 } as const;

const states = [
  { value: undefined, label: "All", of: [] },
  { value: "suspended", label: "Waiting", of: ["suspended"] },
  { value: "queued,running,sleeping", label: "Active", of: ["queued", "running", "sleeping"] },
  { value: "failed,stuck", label: "Failed", of: ["failed", "stuck"] },
  { value: "completed,stopped,cancelled", label: "Done", of: ["completed", "stopped", "cancelled"] },
] as const;

/** Every run: searched and paged by the server, live. */
export function RunsPage() {
  useTitle("Runs");
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const search = useRef<HTMLInputElement>(null);
  const info = useQuery({ queryKey: ["info"], queryFn: api.info });
  const runs = useInfiniteQuery({
    queryKey: ["runs", filters],
    queryFn: ({ pageParam }) => api.runs(filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // Reloads only the first pages: later pages contain old runs, which no longer change.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 3 ? false : pollEvery(3_000)(query)),
    placeholderData: (before) => before,
  });
  useKeys({
    "/": (event) => {
      event.preventDefault();
      search.current?.focus();
    },
    j: () => moveFocus(".run-row", 1),
    k: () => moveFocus(".run-row", -1),
  });
  const change = (next: RunFilters): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const counts: Readonly<Record<string, number | undefined>> = info.data?.counts ?? {};
  const failure = failureOf(runs);
  const rows = failure === undefined ? (runs.data?.pages.flatMap((page) => page.runs) ?? []) : [];
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <div className="page runs-page">
      <div className="page-head">
        <h1>Runs</h1>
        <SavedFilters filters={filters} onChoose={(chosen) => void navigate({ search: chosen })} />
      </div>
      <div className="filters" role="search">
        <SearchField field={search} value={filters.text ?? ""} onChange={(text) => change({ text })} />
        {(info.data?.agents ?? []).length === 0 ? (
          <FilterField
            label="Agent"
            value={filters.agent ?? ""}
            onChange={(agent) => change({ agent: agent || undefined })}
          />
        ) : (
          <FilterChoice
            label="Agent"
            value={filters.agent}
            options={(info.data?.agents ?? []).map((name) => [name, name])}
            onChange={(agent) => change({ agent })}
          />
        )}
        <FilterChoice
          label="Time"
          value={filters.hours}
          options={[
            ["1", "Last hour"],
            ["24", "Last day"],
            ["168", "Last week"],
          ]}
          onChange={(hours) => change({ hours })}
        />
        <FilterChoice
          label="Cost"
          value={filters.cost}
          options={[
            ["0.01", "From $0.01"],
            ["0.1", "From $0.10"],
            ["1", "From $1.00"],
          ]}
          onChange={(cost) => change({ cost })}
        />
        <FilterField label="Tool" value={filters.tool ?? ""} onChange={(tool) => change({ tool: tool || undefined })} />
        <FilterField label="User" value={filters.user ?? ""} onChange={(user) => change({ user: user || undefined })} />
      </div>
      <div className="state-tabs" role="group" aria-label="State">
        {states.map(({ value, label, of }) => {
          const total = of.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
          return (
            <button
              key={label}
              type="button"
              aria-pressed={filters.state === value}
              onClick={() => change({ state: value })}
            >
              {label}
              {of.length > 0 && total > 0 && <span className="tab-count">{short(total)}</span>}
            </button>
          );
        })}
      </div>
      {runs.isPending && <Loading lines={10} />}
      {failure !== undefined && <Failed error={failure} retry={() => void runs.refetch()} />}
      {runs.data !== undefined && failure === undefined && rows.length === 0 && (
        <Empty icon="runs" title={isFiltered ? "No run fits this search" : "Nothing has run yet"}>
          {isFiltered ? (
            <button type="button" onClick={() => void navigate({ search: {} })}>
              Clear the search
            </button>
          ) : (
            <p>Start a run of your agent; it appears here by itself.</p>
          )}
        </Empty>
      )}
      {rows.length > 0 && (
        <RunTable
          runs={rows}
          more={runs.hasNextPage && !runs.isFetchingNextPage ? () => void runs.fetchNextPage() : undefined}
        />
      )}
    </div>
  );
}

function RunTable({ runs, more }: { readonly runs: readonly StudioRun[]; readonly more: (() => void) | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isNarrow, setNarrow] = useState(matchMedia("(max-width: 60rem)").matches);
  useEffect(() => {
    const query = matchMedia("(max-width: 60rem)");
    const onChange = (): void => setNarrow(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);
  const height = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 12,
  });
  useEffect(() => rows.measure(), [height, rows]);
  const last = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= runs.length - 20) more?.();
  }, [last, runs.length, more]);
  return (
    <div className="table" ref={frame}>
      <div className="row head" aria-hidden="true">
        <span>Run</span>
        <span>Agent</span>
        <span>Tools</span>
        <span className="number">Tokens</span>
        <span className="number">Cost</span>
        <span className="number">Lasted</span>
        <span className="number">Started</span>
      </div>
      <ul className="rows" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const run = runs[index];
          return run === undefined ? null : (
            <li
              key={run.runId}
              style={{ transform: `translateY(${start}px)`, height }}
              aria-setsize={more === undefined ? runs.length : -1}
              aria-posinset={index + 1}
            >
              <RunRow run={run} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** One run in a list. */
export function RunRow({ run }: { readonly run: StudioRun }) {
  const shownTools = run.tools.slice(0, 3).join(", ");
  return (
    <Link to="/runs/$runId" params={{ runId: run.runId }} search={{}} className="row run-row">
      <span className="run-title">
        <span className={`dot ${stateTone(run)}`} title={stateWords(run)}>
          <span className="visually-hidden">{stateWords(run)}: </span>
        </span>
        <span className="cut" dir="auto">
          {run.title === "" ? `Run ${run.runId.slice(-8)}` : run.title}
        </span>
        {run.state !== "completed" && <span className={`badge ${stateTone(run)}`}>{stateWords(run)}</span>}
      </span>
      <span className="cut soft" title={[run.agentId, run.userId].filter((name) => name !== undefined).join(" · ")}>
        {run.agentId}
        {run.userId !== undefined && <span className="faint"> · {run.userId}</span>}
      </span>
      <span className="cut soft tools-cell" title={run.tools.join(", ")}>
        {shownTools}
        {run.tools.length > 3 && ` +${run.tools.length - 3}`}
      </span>
      <span className="number soft" title={`${count(run.tokens)} tokens in ${run.modelCalls} model calls`}>
        {run.tokens === 0 ? "" : short(run.tokens)}
      </span>
      <span className="number soft">{cost(run.costUsd)}</span>
      <span className="number soft">{lastedWords(run)}</span>
      <time className="number soft" dateTime={new Date(run.createdAt).toISOString()} title={fullTime(run.createdAt)}>
        {ago(run.createdAt)}
      </time>
    </Link>
  );
}

interface SearchFieldProps {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
}

/** Searches when the viewer pauses. A search that is set elsewhere, such as by a link, replaces the typed text. */
function SearchField({ field, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // The viewer's own search may arrive while they continue typing.
    if (value === sent.current) return;
    sent.current = value;
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string): void => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = typed;
      onChange(typed === "" ? undefined : typed);
    }, 200);
  };
  return <SearchBox field={field} label="Search the input and the answer" value={text} onChange={type} />;
}

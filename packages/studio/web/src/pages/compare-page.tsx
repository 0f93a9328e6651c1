import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { StudioRunDetail } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { cost, count, duration, short } from "../format.ts";
import { lineDiff, sequenceDiff } from "../line-diff.ts";
import { Empty, Failed, Loading, StateBadge } from "../parts/states.tsx";
import { TextDiff } from "../parts/text-diff.tsx";
import { useTitle } from "../use-title.ts";

const route = getRouteApi("/compare");

/** Two runs side by side: cost, calls and answers. */
export function ComparePage() {
  useTitle("Compare runs");
  const { a = "", b = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [first, second] = useQueries({
    queries: [a, b].map((runId) => ({
      queryKey: ["run", runId],
      queryFn: () => api.run(runId),
      enabled: runId !== "",
    })),
  });
  const agent = first?.data?.run.agentId;
  const near = useQuery({
    queryKey: ["runs", "near", agent],
    queryFn: () => api.runs({ agent }, undefined),
    enabled: agent !== undefined,
  });
  if (a === "") return <Empty icon="runs" title="Open a run and choose “Compare”" />;
  const failure = first && failureOf(first);
  if (failure !== undefined) return <Failed page error={failure} />;
  if (first?.data === undefined) return <Loading lines={8} />;
  const options = near.data?.runs.filter(({ runId }) => runId !== a) ?? [];
  return (
    <div className="page">
      <div className="page-head">
        <h1>Compare runs</h1>
        <label className="field-row">
          With
          <select value={b} onChange={({ target }) => void navigate({ search: { a, b: target.value }, replace: true })}>
            <option value="">Choose a run of {agent}</option>
            {b !== "" && !options.some(({ runId }) => runId === b) && (
              <option value={b}>{second?.data === undefined ? b : second.data.run.title.slice(0, 60) || b}</option>
            )}
            {options.map(({ runId, title, createdAt }) => (
              <option key={runId} value={runId}>
                {new Date(createdAt).toLocaleTimeString()} {title.slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {second?.isError === true && second.data === undefined && <Failed error={second.error} />}
      {second?.data !== undefined && <Comparison first={first.data} second={second.data} />}
    </div>
  );
}

function Comparison({ first, second }: { readonly first: StudioRunDetail; readonly second: StudioRunDetail }) {
  return (
    <>
      <div className="compare-heads">
        {[first, second].map((detail) => (
          <RunFacts key={detail.run.runId} detail={detail} />
        ))}
      </div>
      <TextDiff label="Calls" lines={sequenceDiff(callsOf(first), callsOf(second))} />
      <TextDiff label="Input" lines={lineDiff(first.input, second.input)} />
      <TextDiff label="Answer" lines={lineDiff(first.answer, second.answer)} />
    </>
  );
}

function callsOf({ spans }: StudioRunDetail): readonly string[] {
  return spans
    .filter(({ kind }) => kind !== "sleep")
    .map(({ kind, title, note, state }) => [kind, title, note, state === "bad" ? "(failed)" : ""].join(" ").trim());
}

/** Numbers of a run, for a comparison. */
export function RunFacts({ detail }: { readonly detail: StudioRunDetail }) {
  const { run } = detail;
  return (
    <section className="card" aria-label={`Run ${run.runId}`}>
      <p className="run-facts-title">
        <StateBadge run={run} />
        <Link to="/runs/$runId" params={{ runId: run.runId }} search={{}} className="cut">
          {run.title === "" ? run.runId : run.title}
        </Link>
      </p>
      <dl className="facts small">
        <Fact name="Cost" value={cost(run.costUsd)} />
        <Fact name="Tokens" value={short(run.tokens)} />
        <Fact name="Model calls" value={count(run.modelCalls)} />
        <Fact name="Tool calls" value={count(run.toolCalls)} />
        <Fact name="Lasted" value={duration(run.updatedAt - run.createdAt)} />
      </dl>
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{value === "" ? "unknown" : value}</dd>
    </div>
  );
}

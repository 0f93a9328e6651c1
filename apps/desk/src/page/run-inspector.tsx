import { useCallback, useState } from "react";
import type { RunDetail, TimelineRow } from "@bailiwick/server";
import { api } from "./api.ts";
import { cost, fullTime, inWords } from "./format.ts";
import { TimelineEntry } from "./timeline-entry.tsx";
import { useResource } from "./use-resource.ts";

/** What of a run is shown. */
const views = {
  all: { label: "everything", types: undefined },
  model: { label: "what the model said", types: ["model.result", "message.inserted", "compaction"] },
  effects: { label: "what took effect", types: ["tool.intent", "tool.outcome", "state.changed"] },
  decisions: {
    label: "who decided what",
    types: [
      "flow.decided",
      "flow.grants",
      "flow.lowered",
      "tool.approval.requested",
      "tool.approval.decided",
      "child.suspended",
      "child.decided",
      "input.requested",
      "input.answered",
      "guardrail.decided",
    ],
  },
} as const;

/** A run from the inside: each record of its journal, whether the journal holds, and forks from any point. */
export function RunInspector({ runId }: { readonly runId: string }) {
  const load = useCallback(() => api.timeline(runId), [runId]);
  const timeline = useResource(load);
  const [view, setView] = useState<keyof typeof views>("all");
  if (timeline.value === undefined) {
    return (
      <p className="empty" role={timeline.error === undefined ? undefined : "alert"}>
        {timeline.error?.message ?? "Loading…"}
      </p>
    );
  }
  const { run, rows } = timeline.value;
  const types: readonly string[] | undefined = views[view].types;
  const shown = types === undefined ? rows : rows.filter(({ type }) => types.includes(type));
  return (
    <>
      <a href="#/runs">← All runs</a>
      <h2>Run</h2>
      <Facts run={run} rows={rows} />
      <Checks runId={runId} />
      <p>
        <label htmlFor="view">Show </label>
        <select id="view" value={view} onChange={(event) => setView(event.target.value as keyof typeof views)}>
          {Object.entries(views).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </p>
      <ol className="timeline" aria-label="Timeline">
        {shown.map((row) => (
          <TimelineEntry key={row.seq} runId={runId} row={row} begun={rows[0]?.at ?? row.at} />
        ))}
      </ol>
    </>
  );
}

function Facts({ run, rows }: { readonly run: RunDetail; readonly rows: readonly TimelineRow[] }) {
  const decisions = rows.filter(({ type }) => type === "tool.approval.decided" || type === "child.decided").length;
  return (
    <dl className="facts">
      <Fact name="Run" value={<code>{run.runId}</code>} />
      <Fact name="Started" value={fullTime(run.createdAt)} />
      <Fact name="Status" value={inWords(run.stopReason ?? run.state)} />
      <Fact name="Tokens" value={run.usage.totalTokens.toLocaleString("en")} />
      <Fact name="Cost" value={cost(run.costUsd)} />
      <Fact name="Records" value={rows.length.toLocaleString("en")} />
      <Fact name="Decisions by people" value={decisions.toLocaleString("en")} />
    </dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Checks that a person asks for: whether the journal holds, and whether it says again what it said. */
function Checks({ runId }: { readonly runId: string }) {
  const [told, setTold] = useState("");
  const check = async (words: Promise<string>): Promise<void> => {
    setTold("Checking…");
    setTold(await words.catch((error: unknown) => (error instanceof Error ? error.message : String(error))));
  };
  return (
    <p className="checks">
      <button type="button" onClick={() => void check(api.audit(runId).then(auditWords))}>
        Verify the journal
      </button>
      <button type="button" onClick={() => void check(api.replay(runId).then(replayWords))}>
        Play it again
      </button>
      <span role="status">{told}</span>
    </p>
  );
}

function auditWords(verdict: Awaited<ReturnType<typeof api.audit>>): string {
  switch (verdict.verdict) {
    case "valid":
      return `All ${verdict.records} records are signed, each in its place.`;
    case "unsigned":
      return `All ${verdict.records} records are in their place. They are not signed.`;
    case "broken":
      return `The journal does not hold from record ${verdict.seq} on: ${verdict.reason}`;
  }
}

function replayWords(replay: Awaited<ReturnType<typeof api.replay>>): string {
  return replay.holds
    ? `Played from its records it ends alike: ${inWords(replay.stopReason)}. No model was asked and no tool ran.`
    : `Played from its records it goes another way: ${replay.reason}`;
}

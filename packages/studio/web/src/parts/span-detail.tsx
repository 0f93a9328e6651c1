import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { JournalEvent } from "@bailiwick/core";
import type { StudioRecord, StudioSpan } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf } from "../failure-of.ts";
import { cost, count, duration, fullTime } from "../format.ts";
import { Icon } from "../icons.tsx";
import { ForkForm } from "./fork-form.tsx";
import { JsonView } from "./json-view.tsx";
import { Images } from "./message-list.tsx";
import { ModelCallView } from "./model-call-view.tsx";
import { Fact, Failed, Loading, TrustBadge } from "./states.tsx";

interface SpanDetailProps {
  readonly runId: string;
  readonly span: StudioSpan;
  readonly spans: readonly StudioSpan[];
  readonly forkable: boolean;
  readonly onClose: () => void;
}

/** Everything about one bar: input, output, and the records behind it. */
export function SpanDetail({ runId, span, spans, forkable, onClose }: SpanDetailProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const records = useQuery({
    queryKey: ["records", runId, span.records],
    queryFn: () => api.records(runId, span.records),
    // Unfolded records stay while a record of a live call is added.
    placeholderData: (before) => before,
  });
  const failure = failureOf(records);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // On a narrow window the panel is below the bars.
    if (matchMedia("(max-width: 60rem)").matches) heading.current?.scrollIntoView({ block: "start" });
  }, []);
  return (
    <aside className="panel" aria-label={`Details of ${span.title}`}>
      <div className="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {span.title}
        </h2>
        {span.integrity !== undefined && <TrustBadge integrity={span.integrity} />}
        <button type="button" className="quiet icon-button" aria-label="Close the details" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <dl className="facts small">
        <Fact name="Began" wide>
          {fullTime(span.startAt)}
        </Fact>
        <Fact name="Lasted">{span.endAt === undefined ? "" : duration(span.endAt - span.startAt)}</Fact>
        <Fact name="Turn">{span.turn}</Fact>
        <Fact name="Input">{span.inputTokens === undefined ? "" : `${count(span.inputTokens)} tokens`}</Fact>
        <Fact name="Cached">{span.cachedTokens ? `${count(span.cachedTokens)} tokens` : ""}</Fact>
        <Fact name="Output">{span.outputTokens === undefined ? "" : `${count(span.outputTokens)} tokens`}</Fact>
        <Fact name="Reasoning">{span.reasoningTokens ? `${count(span.reasoningTokens)} tokens` : ""}</Fact>
        <Fact name="Cost">{cost(span.costUsd)}</Fact>
      </dl>
      {span.childRunId !== undefined && (
        <Link to="/runs/$runId" params={{ runId: span.childRunId }} search={{}} className="button to-start">
          Open the run inside
        </Link>
      )}
      {span.kind === "model" && (
        <ModelCallView
          runId={runId}
          span={span}
          others={spans.filter(({ kind, id }) => kind === "model" && id !== span.id)}
        />
      )}
      {records.isPending && <Loading lines={4} />}
      {failure !== undefined && <Failed error={failure} />}
      {records.data !== undefined && span.kind === "tool" && <ToolCall records={records.data.records} />}
      {records.data !== undefined && <Records runId={runId} records={records.data.records} forkable={forkable} />}
    </aside>
  );
}

function ToolCall({ records }: { readonly records: readonly StudioRecord[] }) {
  const find = <Type extends JournalEvent["type"]>(type: Type) =>
    records.findLast(({ event }) => event.type === type)?.event as Extract<JournalEvent, { type: Type }> | undefined;
  const call = find("tool.call");
  const outcome = find("tool.outcome");
  const result = find("tool.result");
  const decided = find("flow.decided");
  return (
    <>
      {call !== undefined && <JsonView value={call.args} label="Arguments" />}
      {decided !== undefined && (
        <p className={decided.verdict === "deny" ? "note bad" : "note"}>
          <strong>{{ allow: "Allowed", ask: "A person was asked", deny: "Stopped" }[decided.verdict]}.</strong>{" "}
          {decided.explanation}
        </p>
      )}
      {outcome?.failure !== undefined && (
        <p className="note bad">
          <strong>{outcome.failure.kind}</strong> {outcome.failure.message}
        </p>
      )}
      {outcome !== undefined && outcome.failure === undefined && <JsonView value={outcome.output} label="Output" />}
      {result !== undefined && !isSame(result.message.content, outcome?.output) && (
        <JsonView value={result.message.content} label="What the model reads" />
      )}
      <Images content={result?.message.content} />
    </>
  );
}

/** True if the model reads the output as it is. */
const isSame = (read: unknown, output: unknown): boolean =>
  read === output || (typeof read === "string" && read === JSON.stringify(output));

interface RecordsProps {
  readonly runId: string;
  readonly records: readonly StudioRecord[];
  readonly forkable: boolean;
}

/** Records behind a bar, each whole; if the run is forkable, another run can begin from any of them. */
export function Records({ runId, records, forkable }: RecordsProps) {
  return (
    <section className="records">
      <h2>Records</h2>
      {records.map(({ title, event }) => (
        <details key={event.seq} id={`record-${event.seq}`}>
          <summary>
            <span className="seq">{event.seq}</span> {title} <span className="faint">{event.type}</span>
          </summary>
          <JsonView value={event} label={`Record ${event.seq}`} />
          {forkable && <ForkForm runId={runId} seq={event.seq} />}
        </details>
      ))}
    </section>
  );
}

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useRef, useState } from "react";
import type { FlowNode, FlowRemedy, StudioAuthority } from "../../../src/views/authority-types.ts";
import { api } from "../api.ts";
import { failureOf, pollEvery } from "../failure-of.ts";
import { CopyButton } from "./copy-button.tsx";
import { Marked } from "./json-view.tsx";
import { readerWords } from "./reader-words.ts";
import { Empty, Failed, Loading, TrustBadge } from "./states.tsx";

const columns = [
  { name: "source", title: "Sources" },
  { name: "value", title: "Values" },
  { name: "sink", title: "Calls" },
] as const;

const legend = [
  { integrity: "user", text: "typed by the user" },
  { integrity: "verified", text: "from your own systems" },
  { integrity: "untrusted", text: "strangers can write it" },
] as const;

interface Line {
  readonly key: string;
  readonly path: string;
  readonly integrity: string;
  readonly decides: boolean;
  readonly lit: boolean;
}

/** The flow of data through a run: the origin of values, and the calls that they reached. */
export default function FlowPicture({ runId }: { readonly runId: string }) {
  const flow = useQuery({
    queryKey: ["authority", runId],
    queryFn: () => api.authority(runId),
    refetchInterval: pollEvery(5_000),
  });
  const failure = failureOf(flow);
  if (failure !== undefined) return <Failed error={failure} retry={() => void flow.refetch()} />;
  if (flow.data === undefined) return <Loading />;
  if (flow.data.nodes.length === 0) {
    return (
      <Empty icon="link" title="No data reached a call that takes effect">
        <p>The picture shows calls that write, that a person was asked about, or that a rule stopped.</p>
      </Empty>
    );
  }
  return (
    <div className="stack">
      <Picture flow={flow.data} runId={runId} />
      <Decisions flow={flow.data} />
    </div>
  );
}

function Picture({ flow, runId }: { readonly flow: StudioAuthority; readonly runId: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [selected, setSelected] = useState<string>();
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const draw = (): void => setLines(linesIn(element, flow, selected));
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [flow, selected]);
  const node = flow.nodes.find(({ id }) => id === selected);
  return (
    <>
      <div className="flow" ref={frame}>
        <svg aria-hidden="true">
          {lines.map(({ key, path, integrity, decides, lit }) => (
            <path
              key={key}
              d={path}
              className={`flow-line trust-${integrity}${decides ? " decides" : ""}${lit ? " lit" : ""}`}
            />
          ))}
        </svg>
        {columns.map(({ name, title }) => {
          const nodes = flow.nodes.filter(({ column }) => column === name);
          return (
            <section key={name} className="flow-column" aria-label={title}>
              <h2>{title}</h2>
              {nodes.map((one) => (
                <FlowButton
                  key={one.id}
                  node={one}
                  selected={one.id === selected}
                  onSelect={() => setSelected(one.id === selected ? undefined : one.id)}
                />
              ))}
            </section>
          );
        })}
      </div>
      <ul className="legend" aria-label="Colours">
        {legend.map(({ integrity, text }) => (
          <li key={integrity}>
            <TrustBadge integrity={integrity} /> <span className="soft small">{text}</span>
          </li>
        ))}
        <li>
          <span className="badge private">private</span> <span className="soft small">for its readers only</span>
        </li>
        <li>
          <span className="thick-line" aria-hidden="true" />{" "}
          <span className="soft small">A thick line is a value that decides the effect of the call</span>
        </li>
      </ul>
      {node !== undefined && (
        <section className="card" aria-label={`Details of ${node.title}`}>
          <h3>{node.title}</h3>
          <p className="soft">{node.note}</p>
          {node.quote !== undefined && (
            <blockquote dir="auto">
              <Marked text={node.quote} wanted={(node.title.split(": ").at(1) ?? "").toLowerCase()} />
            </blockquote>
          )}
          <p className="soft small">
            {node.readers === undefined ? "Every person may read it." : readerWords(node.readers)}
          </p>
          {node.seq !== undefined && (
            <Link to="/runs/$runId" params={{ runId }} search={{ tab: "records", record: node.seq }}>
              Open record {node.seq}
            </Link>
          )}
        </section>
      )}
    </>
  );
}

function FlowButton({
  node,
  selected,
  onSelect,
}: {
  readonly node: FlowNode;
  readonly selected: boolean;
  readonly onSelect: () => void;
}) {
  return (
    <button
      type="button"
      className={`flow-node trust-${node.integrity}`}
      data-node={node.id}
      aria-pressed={selected}
      onClick={onSelect}
    >
      <span className="flow-title" dir="auto">
        {node.title}
      </span>
      {node.note !== undefined && (
        <span className={node.isStopped === true ? "flow-note strong" : "flow-note"}>{node.note}</span>
      )}
      {node.column !== "sink" && (
        <span className="flow-labels">
          <TrustBadge integrity={node.integrity} />
          {node.readers !== undefined && <span className="badge private">private</span>}
        </span>
      )}
    </button>
  );
}

/** Curves between the drawn nodes. */
function linesIn(frame: HTMLElement, flow: StudioAuthority, selected: string | undefined): readonly Line[] {
  const box = frame.getBoundingClientRect();
  const rtl = getComputedStyle(frame).direction === "rtl";
  const places = new Map(
    [...frame.querySelectorAll<HTMLElement>("[data-node]")].map((element) => [
      element.dataset["node"],
      element.getBoundingClientRect(),
    ]),
  );
  return flow.edges.flatMap(({ from, to, integrity, decides }) => {
    const [start, end] = [places.get(from), places.get(to)];
    if (start === undefined || end === undefined) return [];
    const x1 = (rtl ? start.left : start.right) - box.left;
    const x2 = (rtl ? end.right : end.left) - box.left;
    const y1 = start.top + start.height / 2 - box.top;
    const y2 = end.top + end.height / 2 - box.top;
    const bend = (x2 - x1) / 2;
    return [
      {
        key: `${from}\n${to}`,
        path: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
        integrity,
        decides,
        lit: selected === undefined || selected === from || selected === to,
      },
    ];
  });
}

/** Decisions of the flow policy in plain words, each with the code that makes the question unnecessary. */
function Decisions({ flow }: { readonly flow: StudioAuthority }) {
  if (flow.decisions.length === 0) return null;
  return (
    <section className="stack">
      <h2>Why these calls were allowed, asked about or stopped</h2>
      {flow.decisions.map((decision) => (
        <article key={decision.seq} className="card" aria-label={decision.title}>
          <div className="decision-head">
            <VerdictBadge decision={decision} />
            <h3 dir="auto">{decision.title}</h3>
            {decision.shadow && <span className="faint">recorded only</span>}
          </div>
          {decision.reasons.map((reason) => (
            <p key={reason} dir="auto">
              {reason}
            </p>
          ))}
          {decision.remedies.length > 0 && <Remedies remedies={decision.remedies} />}
          {decision.verdict === "ask" && (
            <details className="developer">
              <summary>The text of the policy</summary>
              <p className="soft small policy-text">{decision.explanation}</p>
            </details>
          )}
        </article>
      ))}
    </section>
  );
}

function VerdictBadge({ decision: { verdict, answer } }: { readonly decision: StudioAuthority["decisions"][number] }) {
  if (verdict === "allow") return <span className="badge good">Allowed</span>;
  if (verdict === "deny") return <span className="badge bad">Stopped</span>;
  if (answer === undefined) return <span className="badge wait">A person decides</span>;
  return answer === "approved" ? (
    <span className="badge good">Approved</span>
  ) : (
    <span className="badge bad">Rejected</span>
  );
}

function Remedies({ remedies }: { readonly remedies: readonly FlowRemedy[] }) {
  return (
    <details className="developer">
      <summary>What would have to be declared or granted so that this is not asked again</summary>
      <div className="remedies">
        {remedies.map(({ text, code }) => (
          <div key={code} className="stack">
            <p className="small">{text}</p>
            <div className="code-line">
              <code>{code}</code>
              <CopyButton text={code} label="Copy the code" />
            </div>
          </div>
        ))}
      </div>
    </details>
  );
}

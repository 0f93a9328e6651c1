import { useMemo } from "react";
import type { StudioSpan } from "../../../src/views/view-types.ts";
import { cost, duration, short } from "../format.ts";
import { Icon, type IconName } from "../icons.tsx";
import { moveFocus, useKeys } from "../use-keys.ts";
import { timeScale } from "./time-scale.ts";

const icons: Readonly<Record<StudioSpan["kind"], IconName>> = {
  model: "model",
  tool: "tool",
  wait: "wait",
  sleep: "sleep",
};

interface WaterfallProps {
  readonly spans: readonly StudioSpan[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

/** Calls and waits of a run over time. Long waits are drawn short, so that the calls between them stay visible. */
export function Waterfall({ spans, selected, onSelect }: WaterfallProps) {
  const scale = useMemo(() => timeScale(spans, Date.now()), [spans]);
  useKeys({ j: () => moveFocus(".bar-row", 1), k: () => moveFocus(".bar-row", -1) });
  return (
    <div className="waterfall">
      <div className="bar-row-head" aria-hidden="true">
        <span>Call</span>
        <span className="ticks">
          {scale.ticks.map(({ at, left }) => (
            <span key={left} className="tick" style={{ insetInlineStart: `${left}%` }}>
              {duration(at)}
            </span>
          ))}
        </span>
        <span className="number">Tokens</span>
        <span className="number">Cost</span>
        <span className="number">Lasted</span>
      </div>
      <ol>
        {spans.map((span) => {
          const { left, width } = scale.place(span);
          const lasted = span.endAt === undefined ? undefined : span.endAt - span.startAt;
          const tokens = (span.promptTokens ?? 0) + (span.completionTokens ?? 0);
          return (
            <li key={span.id}>
              <button
                type="button"
                className={`bar-row ${span.kind}`}
                aria-pressed={span.id === selected}
                onClick={() => onSelect(span.id)}
              >
                <span className="bar-name">
                  <Icon name={icons[span.kind]} size={14} />
                  <span className="cut">
                    {span.title}
                    {span.note !== undefined && <span className="faint"> {span.note}</span>}
                  </span>
                  {span.integrity === "untrusted" && (
                    <span className="untrusted-mark" title="The content is untrusted">
                      <Icon name="warning" size={12} />
                      <span className="visually-hidden">untrusted</span>
                    </span>
                  )}
                </span>
                <span className="track">
                  <span
                    className={`bar ${span.kind} ${span.state}`}
                    style={{ insetInlineStart: `${left}%`, inlineSize: `${width}%` }}
                  />
                </span>
                <span className="number soft">
                  {span.kind === "model" && tokens > 0 && (
                    <>
                      {short(span.promptTokens ?? 0)}
                      <span className="faint"> in </span>
                      {short(span.completionTokens ?? 0)}
                      <span className="faint"> out</span>
                    </>
                  )}
                </span>
                <span className="number soft">{cost(span.costUsd)}</span>
                <span className="number">
                  {lasted === undefined ? <span className="badge busy">open</span> : duration(lasted)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

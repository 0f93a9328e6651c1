import { useMemo, useState, type CSSProperties } from "react";
import type { StudioSpan } from "../../../src/views/view-types.ts";
import { failureOf } from "../failure-of.ts";
import { cost, duration, short } from "../format.ts";
import { Icon, type IconName } from "../icons.tsx";
import { moveFocus, useKeys } from "../use-keys.ts";
import { useRun } from "../use-run.ts";
import { timeScale, type TimeScale } from "./time-scale.ts";

const icons: Readonly<Record<StudioSpan["kind"], IconName>> = {
  model: "model",
  tool: "tool",
  wait: "wait",
  sleep: "sleep",
  crash: "warning",
};

/** A bar of a run: its own, or one of a run inside it. */
export interface BarPlace {
  readonly runId: string;
  readonly spanId: string;
}

interface WaterfallProps {
  readonly runId: string;
  readonly spans: readonly StudioSpan[];
  readonly selected: BarPlace | undefined;
  readonly onSelect: (place: BarPlace) => void;
}

/**
 * Calls and waits of a run over time, with the runs inside its calls. Long waits are drawn short, so that the calls between
 * them stay visible.
 */
export function Waterfall({ runId, spans, selected, onSelect }: WaterfallProps) {
  const scale = useMemo(() => timeScale(spans, Date.now()), [spans]);
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const folds: Folds = {
    isOpen: ({ runId: ofRun, spanId }, level) => turned.has(`${ofRun} ${spanId}`) !== (level === 0),
    turn({ runId: ofRun, spanId }) {
      const key = `${ofRun} ${spanId}`;
      setTurned((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
      );
    },
  };
  useKeys({ j: () => moveFocus(".bar-row", 1), k: () => moveFocus(".bar-row", -1) });
  return (
    <div className="waterfall">
      <div className="bar-row-head" aria-hidden="true">
        <span>Call</span>
        <span className="ticks">
          {scale.ticks.map(({ at, left }) => (
            <span
              key={left}
              className={left > 60 ? "tick late" : "tick"}
              style={{ "--at": `${left}%` } as CSSProperties}
            >
              {duration(at)}
            </span>
          ))}
        </span>
        <span className="number">Tokens</span>
        <span className="number">Cost</span>
        <span className="number">Lasted</span>
      </div>
      <Bars {...{ runId, spans, scale, folds, selected, onSelect }} level={0} />
    </div>
  );
}

/**
 * The unfolded inner runs. The waterfall stores them by run and bar, so that they outlive a redrawn bar. The first
 * level is open at the beginning, which shows at once where the time was spent.
 */
interface Folds {
  isOpen(place: BarPlace, level: number): boolean;
  turn(place: BarPlace): void;
}

interface BarsProps extends WaterfallProps {
  readonly scale: TimeScale;
  readonly folds: Folds;
  /** Number of runs around it. */
  readonly level: number;
}

function Bars({ spans, ...rest }: BarsProps) {
  return (
    <ol>
      {spans.map((span) => (
        <Bar key={span.id} span={span} {...rest} />
      ))}
    </ol>
  );
}

function Bar({
  span,
  runId,
  scale,
  folds,
  level,
  selected,
  onSelect,
}: Omit<BarsProps, "spans"> & { readonly span: StudioSpan }) {
  const place: BarPlace = { runId, spanId: span.id };
  const isOpen = folds.isOpen(place, level);
  const { left, width } = scale.place(span);
  const lasted = span.endAt === undefined ? undefined : span.endAt - span.startAt;
  const tokens = (span.inputTokens ?? 0) + (span.outputTokens ?? 0);
  const isSelected = selected?.runId === runId && selected.spanId === span.id;
  return (
    <li style={{ "--level": level } as CSSProperties}>
      {span.childRunId !== undefined && (
        <button
          type="button"
          className="bar-fold"
          aria-expanded={isOpen}
          aria-label={`Run inside ${span.title}`}
          onClick={() => folds.turn(place)}
        >
          <Icon name="right" size={12} />
        </button>
      )}
      <button
        type="button"
        className={`bar-row ${span.kind}`}
        aria-pressed={isSelected}
        onClick={() => onSelect(place)}
      >
        <span className="bar-name">
          <Icon name={icons[span.kind]} size={14} />
          <span className="cut">
            {span.title}
            {span.note !== undefined && <span className="faint"> {span.note}</span>}
          </span>
          {span.integrity === "untrusted" && (
            <span className="untrusted-mark" title="Untrusted: strangers can write what it returned">
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
              {short(span.inputTokens ?? 0)}
              <span className="faint"> in </span>
              {short(span.outputTokens ?? 0)}
              <span className="faint"> out</span>
            </>
          )}
        </span>
        <span className="number soft">{cost(span.costUsd)}</span>
        <span className="number">
          {lasted === undefined ? <span className="badge busy">open</span> : duration(lasted)}
        </span>
      </button>
      {span.childRunId !== undefined && isOpen && (
        <RunInside {...{ scale, folds, selected, onSelect }} runId={span.childRunId} level={level + 1} />
      )}
    </li>
  );
}

function RunInside({ runId, ...rest }: Omit<BarsProps, "spans">) {
  const run = useRun(runId);
  const failure = failureOf(run);
  if (failure !== undefined) {
    return (
      <p className="bar-problem" role="alert">
        {failure.message}
      </p>
    );
  }
  return run.data === undefined ? null : <Bars runId={runId} spans={run.data.spans} {...rest} />;
}

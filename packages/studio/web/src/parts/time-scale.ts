import type { StudioSpan } from "../../../src/views/view-types.ts";

/** Positions of times on a track, in percent. */
export interface TimeScale {
  readonly place: (span: StudioSpan) => { readonly left: number; readonly width: number };
  readonly ticks: readonly { readonly at: number; readonly left: number }[];
}

/** Share of the track that a long wait takes. */
const waitShare = 0.12;

/** Places of the ticks, in percent. */
const tickPlaces = [0, 20, 40, 60, 80] as const;

/** Minimum distance between two ticks, in percent. */
const leastTickDistance = 12;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Intervals that a person reads at a glance, in milliseconds. */
const steps = [
  [1, 2, 5, 10, 20, 50, 100, 200, 500],
  [1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  [1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  [1, 2, 3, 6, 12].map((hours) => hours * hour),
  [1, 2, 7, 14, 28].map((days) => days * day),
].flat();

const stepFor = (least: number): number => steps.find((step) => step >= least) ?? 28 * day;

/** Minimum width of a bar, in percent. */
const leastWidth = 0.6;

/**
 * A scale that shortens times without an active model or tool.
 *
 * @param spans - Bars, in the order in which they began.
 * @param now - End of open bars, in milliseconds since the epoch.
 */
export function timeScale(spans: readonly Pick<StudioSpan, "kind" | "startAt" | "endAt">[], now: number): TimeScale {
  const edges = [...new Set(spans.flatMap(({ startAt, endAt = now }) => [startAt, endAt]))].sort((a, b) => a - b);
  const begin = edges[0] ?? 0;
  const isActive = (from: number, to: number): boolean =>
    spans.some(
      ({ kind, startAt, endAt = now }) =>
        (kind === "model" || kind === "tool") && startAt < to && endAt > from && endAt !== now,
    );
  const pieces = edges.slice(1).map((to, index) => {
    const from = edges[index] ?? begin;
    return { from, to, active: isActive(from, to) };
  });
  const active = pieces.reduce((sum, { from, to, active: is }) => sum + (is ? to - from : 0), 0);
  const longest = Math.max(active, 1) * waitShare;
  let drawn = 0;
  const places = pieces.map(({ from, to, active: is }) => {
    const width = is ? to - from : Math.min(to - from, longest);
    const start = drawn;
    drawn += width;
    return { from, to, start, width };
  });
  const total = Math.max(drawn, 1);
  const at = (time: number): number => {
    const piece = places.find(({ from, to }) => time >= from && time <= to);
    if (piece === undefined) return time <= begin ? 0 : 100;
    const share = piece.to === piece.from ? 0 : (time - piece.from) / (piece.to - piece.from);
    return (100 * (piece.start + share * piece.width)) / total;
  };
  /** Elapsed time at a position, rounded to a step that suits the scale there. */
  const roundTimeAt = (left: number): number => {
    const target = (left / 100) * total;
    const piece = places.find(({ start, width }) => target <= start + width) ?? places.at(-1);
    if (piece === undefined || piece.width === 0) return 0;
    const stretch = (piece.to - piece.from) / piece.width;
    const time = piece.from - begin + (target - piece.start) * stretch;
    const step = stepFor((total / tickPlaces.length) * stretch);
    return Math.round(time / step) * step;
  };
  const ticks = tickPlaces
    .map(roundTimeAt)
    .map((time) => ({ at: time, left: at(begin + time) }))
    .filter(({ left }) => left <= 100 - leastTickDistance)
    .filter(({ left }, index, all) => index === 0 || left - (all[index - 1]?.left ?? 0) >= leastTickDistance);
  return {
    place: ({ startAt, endAt = now }) => {
      const left = at(startAt);
      const width = Math.max(leastWidth, at(endAt) - left);
      return { left: Math.min(left, 100 - leastWidth), width: Math.min(width, 100 - Math.min(left, 100 - leastWidth)) };
    },
    ticks,
  };
}

import type { StudioSpan } from "../../../src/views/view-types.ts";

/** Places of times on a track, in percent. */
export interface TimeScale {
  readonly place: (span: StudioSpan) => { readonly left: number; readonly width: number };
  readonly ticks: readonly { readonly at: number; readonly left: number }[];
}

/** Share of the track that a long wait takes. */
const waitShare = 0.12;

/** Places of the ticks, in percent. */
const tickPlaces = [0, 20, 40, 60, 80] as const;

/** Least width of a bar, in percent. */
const leastWidth = 0.6;

/**
 * A scale in which times without a model or tool at work are drawn short.
 *
 * @param spans - Bars, in the order in which they began.
 * @param now - End of what is open, in milliseconds since the epoch.
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
  const timeAt = (left: number): number => {
    const target = (left / 100) * total;
    const piece = places.find(({ start, width }) => target <= start + width) ?? places.at(-1);
    if (piece === undefined || piece.width === 0) return 0;
    return piece.from - begin + ((target - piece.start) / piece.width) * (piece.to - piece.from);
  };
  const ticks = tickPlaces
    .map((left) => ({ at: Math.round(timeAt(left)), left }))
    .filter(({ at: time }, index, all) => index === 0 || time !== all[index - 1]?.at);
  return {
    place: ({ startAt, endAt = now }) => {
      const left = at(startAt);
      const width = Math.max(leastWidth, at(endAt) - left);
      return { left: Math.min(left, 100 - leastWidth), width: Math.min(width, 100 - Math.min(left, 100 - leastWidth)) };
    },
    ticks,
  };
}

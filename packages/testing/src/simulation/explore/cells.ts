import type { Played } from "../play/play.ts";
import type { CheckedSimulation } from "../options.ts";
import { faultOf, type Fault } from "../world/fault.ts";
import type { History } from "../world/history.ts";
import { durationMs } from "../world/world.ts";

/** One fault at one choice point. */
export interface Cell {
  readonly point: string;
  readonly fault: Fault;
}

/** Every single fault of the choice points of a play. */
export function cellsOf(
  { durations }: CheckedSimulation,
  { points, leaseMs }: Pick<Played, "points" | "leaseMs">,
): readonly Cell[] {
  return [...points].flatMap(([point, kinds]) =>
    kinds.flatMap((kind) =>
      (durations[kind] ?? []).map((duration) => ({ point, fault: faultOf(kind, durationMs(kind, duration, leaseMs)) })),
    ),
  );
}

/** The history of some cells. */
export function historyOf(cells: readonly Cell[]): History {
  return { faults: Object.fromEntries(cells.map(({ point, fault }) => [point, fault])) };
}

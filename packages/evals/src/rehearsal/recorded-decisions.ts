import type { JournalEvent } from "@bailiwick/core";

/** The turn of each call of a run, in the order in which a recording lists the calls. */
export function turnsOf(events: readonly JournalEvent[]): readonly number[] {
  return placesOf(events).map(({ turn }) => turn);
}

/** The person who decided about a call. */
export function deciderOf(events: readonly JournalEvent[], call: number): string | undefined {
  const place = placesOf(events)[call];
  const found = events.findLast(
    (event) => event.type === "tool.approval.decided" && event.turn === place?.turn && event.index === place.index,
  );
  return found?.type === "tool.approval.decided" ? found.decision.decidedBy : undefined;
}

/** The places of the calls of a run, in the order in which a recording lists the calls. */
export function placesOf(
  events: readonly JournalEvent[],
): readonly { readonly turn: number; readonly index: number }[] {
  const places = new Map<string, { readonly turn: number; readonly index: number }>();
  for (const event of events)
    if (event.type === "tool.call") {
      const { turn, index } = event;
      const key = `${turn}/${index}`;
      if (!places.has(key)) places.set(key, { turn, index });
    }
  return [...places.values()];
}

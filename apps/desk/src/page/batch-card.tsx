import type { InterruptionData } from "@bailiwick/core";
import { useState } from "react";
import { api } from "./api.ts";
import { toolTitle } from "./format.ts";
import { InterruptionCard } from "./interruption-card.tsx";

/** Requests in their order, those of one batch together. */
export function cardsOf(interruptions: readonly InterruptionData[]): readonly (readonly InterruptionData[])[] {
  const cards = new Map<string, InterruptionData[]>();
  for (const one of interruptions) {
    const batch = one.batch ?? one.id;
    cards.set(batch, [...(cards.get(batch) ?? []), one]);
  }
  return [...cards.values()];
}

/** Requests of one batch: all of them with one decision, or each with its own. A suspicious call is not a part of one. */
export function BatchCard({
  batch,
  onDecided,
}: {
  readonly batch: readonly InterruptionData[];
  onDecided(): Promise<void>;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const [first] = batch;
  if (first === undefined) return null;
  const cards = batch.map((one) => <InterruptionCard key={one.id} interruption={one} onDecided={onDecided} />);
  if (batch.length === 1) return cards;
  const decide = async (type: "approve" | "reject"): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await api.decide(
        first.runId,
        batch.map(({ id, token }) => ({ id, type, channel: "http", ...(token !== undefined && { token }) })),
      );
      await onDecided();
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
      setBusy(false);
    }
  };
  return (
    <section aria-label={`${batch.length} calls`}>
      <p>
        {batch.length} calls to {toolTitle(first.toolName)} differ only in their values.
      </p>
      {cards}
      {error !== undefined && (
        <p className="banner" role="alert">
          {error}
        </p>
      )}
      <div className="buttons">
        <button type="button" disabled={busy} onClick={() => void decide("approve")}>
          Approve all {batch.length}
        </button>
        <button type="button" disabled={busy} onClick={() => void decide("reject")}>
          Reject all {batch.length}
        </button>
      </div>
    </section>
  );
}

import { useState } from "react";
import type { RunFilters } from "../api.ts";

const key = "bailiwick-studio-filters";

interface Saved {
  readonly name: string;
  readonly filters: RunFilters;
}

function stored(): readonly Saved[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(value) ? (value as readonly Saved[]) : [];
  } catch {
    return [];
  }
}

/** Searches that the viewer saved in this browser. */
export function SavedFilters({
  filters,
  onChoose,
}: {
  readonly filters: RunFilters;
  readonly onChoose: (filters: RunFilters) => void;
}) {
  const [saved, setSaved] = useState(stored);
  const keep = (next: readonly Saved[]): void => {
    localStorage.setItem(key, JSON.stringify(next));
    setSaved(next);
  };
  const name = wordsOf(filters);
  const current = saved.find((one) => one.name === name);
  return (
    <div className="saved">
      {saved.map((one) => (
        <button key={one.name} type="button" className="chip-button" onClick={() => onChoose(one.filters)}>
          {one.name}
        </button>
      ))}
      {name !== "" && (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            keep(current === undefined ? [...saved, { name, filters }] : saved.filter((one) => one !== current))
          }
        >
          {current === undefined ? "Save this search" : "Forget this search"}
        </button>
      )}
    </div>
  );
}

const stateWords: Readonly<Record<string, string | undefined>> = {
  suspended: "Waiting",
  "queued,running,sleeping": "Active",
  "failed,stuck": "Failed",
  "completed,stopped,cancelled": "Done",
};

/** A search in words, such as `Failed, tool refund_order, from $0.10`. */
function wordsOf({ text, state, agent, user, tool, cost, hours }: RunFilters): string {
  const parts = [
    state === undefined ? undefined : (stateWords[state] ?? state),
    text === undefined ? undefined : `“${text}”`,
    agent,
    tool === undefined ? undefined : `tool ${tool}`,
    user === undefined ? undefined : `user ${user}`,
    cost === undefined ? undefined : `from $${Number(cost).toFixed(2)}`,
    hours === undefined ? undefined : `last ${hours === "1" ? "hour" : hours === "24" ? "day" : `${hours} hours`}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

import type { ReactNode } from "react";
import type { Integrity } from "@bailiwick/core";
import { Link } from "@tanstack/react-router";
import type { StudioRun } from "../../../src/views/view-types.ts";
import { StudioApiError } from "../api.ts";
import { duration, inWords } from "../format.ts";
import { Icon, type IconName } from "../icons.tsx";

const tones: Readonly<Record<StudioRun["state"], string>> = {
  queued: "busy",
  running: "busy",
  suspended: "wait",
  sleeping: "calm",
  stuck: "bad",
  failed: "bad",
  completed: "good",
  stopped: "calm",
  cancelled: "calm",
};

const words: Readonly<Record<StudioRun["state"], string>> = {
  queued: "Queued",
  running: "Running",
  suspended: "Waiting",
  sleeping: "Sleeping",
  stuck: "Stuck",
  failed: "Failed",
  completed: "Done",
  stopped: "Stopped",
  cancelled: "Cancelled",
};

/** True for the state of a run that ended. */
export const isOver = (state: StudioRun["state"]): boolean =>
  state === "completed" || state === "stopped" || state === "cancelled" || state === "failed";

/** Words for the state of a run, with the stop reason of an unusual end. */
export function stateWords({ state, stopReason }: Pick<StudioRun, "state" | "stopReason">): string {
  const isUnusual = state === "suspended" || state === "stopped" || state === "failed";
  if (!isUnusual || stopReason === undefined) return words[state];
  const text = inWords(stopReason);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Duration of a run; empty for one without records, which no process has begun. */
export function lastedWords({ records, createdAt, updatedAt }: StudioRun): string {
  return records === 0 ? "" : duration(updatedAt - createdAt);
}

/** Tone of a run's state. */
export function stateTone({ state }: Pick<StudioRun, "state">): string {
  return tones[state];
}

/** State of a run. */
export function StateBadge({ run }: { readonly run: Pick<StudioRun, "state" | "stopReason"> }) {
  return <span className={`badge ${stateTone(run)}`}>{stateWords(run)}</span>;
}

const trust: Readonly<Record<Integrity, string>> = {
  system: "developer",
  user: "user",
  verified: "verified",
  untrusted: "untrusted",
};

/** The level of trust of a value. */
export function TrustBadge({ integrity }: { readonly integrity: Integrity }) {
  return <span className={`badge trust-${integrity}`}>{trust[integrity]}</span>;
}

/** A page or list without contents. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon name={icon} size={28} />
      <p className="empty-title">{title}</p>
      {children !== undefined && <div className="empty-text">{children}</div>}
    </div>
  );
}

const titles: Readonly<Record<string, string | undefined>> = {
  RUN_NOT_FOUND: "There is no such run",
  MEMORY_NOT_FOUND: "There is no such memory",
  FORBIDDEN: "You may not see this",
};

/** An error with what to do about it. */
export function Failed({
  error,
  retry,
  page = false,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
  /** The error is all that the page shows. */
  readonly page?: boolean;
}) {
  const Title = page ? "h1" : "p";
  const refused = error instanceof StudioApiError;
  return (
    <div className="empty" role="alert">
      <Icon name="warning" size={28} />
      <Title className="empty-title">
        {refused ? (titles[error.code] ?? "The studio's server refused this") : "The studio's server does not answer"}
      </Title>
      <p className="empty-text">
        {refused ? error.message : "Check that the process that serves the studio still runs."}
      </p>
      {retry !== undefined && (
        <div className="actions">
          {page && refused && (
            <Link to="/" search={{}} className="button">
              All runs
            </Link>
          )}
          <button type="button" onClick={retry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

/** Shows grey placeholder lines while content loads. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** A number or word with its name. */
export function Fact({
  name,
  children,
  wide = false,
}: {
  readonly name: string;
  readonly children: ReactNode;
  /** Its text is longer than a number. */
  readonly wide?: boolean;
}) {
  if (children === "" || children === undefined || children === null) return null;
  return (
    <div className={wide ? "fact wide" : "fact"}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

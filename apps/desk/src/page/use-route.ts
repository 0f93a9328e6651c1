import { useSyncExternalStore } from "react";

/** The view of the page, stored in the address bar's fragment so that back, forward and links work. */
export interface Route {
  /** The mail in view; `null` for the start page. */
  readonly mailId: string | null;
}

/** The route of the address bar, as it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [, view, id] = hash.split("/");
  const named = id === undefined || id === "" ? null : decoded(id);
  return { mailId: view === "mail" ? named : null };
}

/** Decodes a part of the address; returns it unchanged if it is not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a mail. */
export function mailHref(mailId: string): string {
  return `#/mail/${encodeURIComponent(mailId)}`;
}

/** Addresses of the studio, which shows runs and open questions. */
export const studioHref = {
  runs: "/studio/#/",
  inbox: "/studio/#/inbox",
  run: (runId: string): string => `/studio/#/runs/${encodeURIComponent(runId)}`,
  /** The flow of data through a run. */
  flow: (runId: string): string => `/studio/#/runs/${encodeURIComponent(runId)}?tab=authority`,
} as const;

function subscribe(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

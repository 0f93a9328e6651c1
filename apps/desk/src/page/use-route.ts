import { useSyncExternalStore } from "react";

/** What the page shows; the address bar's fragment says it, so that back, forward and links work. */
export type Route =
  | { readonly view: "mail"; readonly mailId: string | null }
  | { readonly view: "approvals" }
  | { readonly view: "runs"; readonly runId: string | null };

/** The route of the address bar, as it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const [, view, id] = hash.split("/");
  const named = id === undefined || id === "" ? null : decoded(id);
  if (view === "approvals") return { view };
  if (view === "runs") return { view, runId: named };
  return { view: "mail", mailId: view === "mail" ? named : null };
}

/** A part of the address; as it stands where it is no encoding of anything. */
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

/** The address of what happened in a run. */
export function runHref(runId: string): string {
  return `#/runs/${encodeURIComponent(runId)}`;
}

function subscribe(changed: () => void): () => void {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

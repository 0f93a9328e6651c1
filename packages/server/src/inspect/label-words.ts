import type { Integrity, JournalEvent, Label, LabelOrigin } from "@bailiwick/core";

/** A label as people read it. */
export interface LabelWords {
  /** Integrity of the value. */
  readonly integrity: Integrity;
  /** Its origins: one, or several that were joined. */
  readonly from: readonly string[];
  /** The readers of its sources; absent for everyone. */
  readonly readers?: readonly string[];
}

/** Maximum number of named origins; a join of more shows their number. */
const mostOrigins = 6;

/** Describes the labels of a journal in words. */
export function labelWords(): (event: JournalEvent) => LabelWords | undefined {
  const labels = new Map<string, Label>();
  const said = new Map<string, LabelWords>();

  const originsOf = (id: string, seen: Set<string>, found: Set<string>): void => {
    const label = labels.get(id);
    if (label === undefined || seen.has(id)) return;
    seen.add(id);
    if (label.origin.kind === "join") for (const parent of label.parents) originsOf(parent, seen, found);
    else found.add(originWords(label.origin));
  };

  return (event) => {
    for (const label of event.labels ?? []) labels.set(label.id, label);
    const label = labels.get(event.label);
    if (label === undefined) return undefined;
    const known = said.get(label.id);
    if (known !== undefined) return known;
    const found = new Set<string>();
    originsOf(label.id, new Set(), found);
    const all = [...found];
    const from = all.length > mostOrigins ? [...all.slice(0, mostOrigins), `${all.length - mostOrigins} more`] : all;
    const words = { integrity: label.integrity, from, ...(label.readers !== "public" && { readers: label.readers }) };
    said.set(label.id, words);
    return words;
  };
}

function originWords(origin: Exclude<LabelOrigin, { kind: "join" }>): string {
  switch (origin.kind) {
    case "system":
      return "the developer";
    case "user":
      return "the user";
    case "untrusted_part":
      return "a part of a message that is not the user's own";
    case "tool":
      return `what ${origin.toolName} returned`;
    case "hosted_tool":
      return `what the vendor's ${origin.toolName} returned`;
    case "memory":
      return "memory";
    case "session":
      return "earlier runs of the session";
    case "definition":
      return `the definition of ${origin.toolName}`;
    case "model":
      return `the model's answer in turn ${origin.turn}`;
    case "endorsed":
      return `${origin.by}, with the reason: ${origin.reason}`;
    case "parent":
      return "the calling run";
  }
}

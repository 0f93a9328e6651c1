import type { Label, Principal, ResultLabel } from "@bailiwick/core";

/** Member of a result's metadata with its label of information flow. */
export const labelKey = "ifc";

/** Label of a result as servers send it. */
export interface SentLabel {
  readonly integrity: "trusted" | "untrusted";
  /** `public`, or only for the user on whose behalf the client called. */
  readonly confidentiality: "public" | "private";
}

/** Hints of a server about the trust in the results of a tool. */
export interface TrustHints {
  readonly openWorldHint?: unknown;
  readonly sensitiveHint?: unknown;
}

/** The user of a run, and the server that sent a result. */
export interface ResultOwner {
  readonly server: string;
  readonly userId: string | undefined;
  readonly sessionId: string;
}

/**
 * The label that a server's own words give a result: they lower trust and remove readers, and never do the opposite. A
 * value that is not of the form counts as the strictest one.
 *
 * @param meta - `_meta` of the result.
 * @param hints - Annotations of the tool.
 */
export function loweredBy(meta: unknown, hints: TrustHints, owner: ResultOwner): ResultLabel | undefined {
  const sent = memberOf(meta, labelKey);
  const isSent = sent !== undefined;
  const integrity = memberOf(sent, "integrity");
  const confidentiality = memberOf(sent, "confidentiality");
  const isUntrusted = hints.openWorldHint === true || (isSent && integrity !== undefined && integrity !== "trusted");
  const isPrivate =
    hints.sensitiveHint === true || (isSent && confidentiality !== undefined && confidentiality !== "public");
  const isOdd = isSent && (typeof sent !== "object" || sent === null || Array.isArray(sent));
  if (!isUntrusted && !isPrivate && !isOdd) return undefined;
  return {
    ...((isUntrusted || isOdd) && { integrity: "untrusted" }),
    ...((isPrivate || isOdd) && { readers: ownReaders(owner) }),
  };
}

/** The label for clients; without a known one, the strictest. It names no person. */
export function sentLabel(label: Pick<Label, "integrity" | "readers"> | undefined): SentLabel {
  return {
    integrity: label === undefined || label.integrity === "untrusted" ? "untrusted" : "trusted",
    confidentiality: label?.readers === "public" ? "public" : "private",
  };
}

/** The readers of a result that declares none: the user of the run, and the server itself. */
function ownReaders({ server, userId, sessionId }: ResultOwner): readonly Principal[] {
  return [userId === undefined ? `session:${sessionId}` : `user:${userId}`, `source:mcp:${server}`];
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

import { createHash } from "node:crypto";
import { join } from "node:path";

/** The owner of a copy. */
export interface CopyOwner {
  readonly tenantId: string | undefined;
  readonly sessionId: string;
}

/** Folder of a copy; names of users and sessions can have any characters. */
export function placeOf(keep: string, { tenantId, sessionId }: CopyOwner): string {
  const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 24);
  return join(keep, tenantId === undefined ? "own" : short(tenantId), short(sessionId));
}

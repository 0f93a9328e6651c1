import { BailiwickError } from "./bailiwick-error.ts";

/** No session, or no message of it, has that id in that tenant. */
export class SessionNotFound extends BailiwickError {
  readonly sessionId: string;

  constructor(sessionId: string, tenantId: string | undefined, messageId?: string) {
    const tenant = tenantId === undefined ? "without a tenant" : `of tenant "${tenantId}"`;
    super(
      "SESSION_NOT_FOUND",
      messageId === undefined
        ? `There is no session "${sessionId}" ${tenant}. Check the id and the tenant: sessions of other tenants are not seen.`
        : `Session "${sessionId}" ${tenant} has no message "${messageId}". Load the session to see its messages.`,
    );
    this.sessionId = sessionId;
  }
}

/** An exported session cannot be read back. Nothing was written. */
export class CorruptExport extends BailiwickError {
  /** The line that cannot be read, from 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super("CORRUPT_EXPORT", `Line ${line} of the export cannot be read: ${reason}. Nothing was imported.`);
    this.line = line;
  }
}

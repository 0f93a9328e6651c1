import type { Owner } from "../contracts/owner.ts";
import { BailiwickError } from "./bailiwick-error.ts";

/** This owner has no session, or no message in it, with that id. */
export class SessionNotFoundError extends BailiwickError {
  /** Id of the session. */
  readonly sessionId: string;

  constructor(sessionId: string, { tenantId, userId }: Owner = {}, messageId?: string) {
    const tenant = tenantId === undefined ? "without a tenant" : `of tenant "${tenantId}"`;
    const owner = `${tenant}, ${userId === undefined ? "without a user" : `of user "${userId}"`}`;
    super(
      "SESSION_NOT_FOUND",
      messageId === undefined
        ? `There is no session "${sessionId}" ${owner}. Check the id, the tenant and the user: sessions of other owners are not found.`
        : `Session "${sessionId}" ${owner}, has no message "${messageId}". Load the session to see its messages.`,
    );
    this.sessionId = sessionId;
  }
}

/** An exported session cannot be imported. Nothing was written. */
export class CorruptExportError extends BailiwickError {
  /** The invalid line, from 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super("CORRUPT_EXPORT", `Line ${line} of the export cannot be read: ${reason}. Nothing was imported.`);
    this.line = line;
  }
}

/** Another run of the session is being driven. Try again when that run has ended or waits. */
export class SessionBusyError extends BailiwickError {
  /** Id of the session. */
  readonly sessionId: string;
  /** The call can be repeated unchanged. */
  readonly retryable: boolean = true;

  constructor(sessionId: string, runId?: string) {
    super(
      "SESSION_BUSY",
      `Another run is working on session "${sessionId}". Wait for it, or set concurrentRuns to "queue".`,
      { runId },
    );
    this.sessionId = sessionId;
  }
}

import type { Owner } from "../contracts/owner.ts";
import { BailiwickError } from "./bailiwick-error.ts";

/** This owner has no session, or no message in it, with that id. */
export class SessionNotFoundError extends BailiwickError {
  /** Id of the session. */
  readonly sessionId: string;

  /**
   * @param sessionId - Id of the session.
   * @param owner - Tenant and user whose session was searched; default: neither.
   * @param messageId - Id of the message that the session does not have; if left out, there is no such session.
   */
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

  /**
   * @param line - Number of the wrong line, from 1.
   * @param reason - The mistake, as a clause.
   */
  constructor(line: number, reason: string) {
    super("CORRUPT_EXPORT", `Line ${line} of the export cannot be read: ${reason}. Nothing was imported.`);
    this.line = line;
  }
}

/** Another run of the session is being driven. Try again when that run has ended or waits. */
export class SessionBusyError extends BailiwickError {
  /** Id of the session. */
  readonly sessionId: string;

  /**
   * @param sessionId - Id of the session.
   * @param runId - The run that holds the session, if it is known.
   */
  constructor(sessionId: string, runId?: string) {
    super(
      "SESSION_BUSY",
      `Another run is working on session "${sessionId}". Wait for it, or set concurrentRuns to "queue".`,
      { runId },
    );
    this.sessionId = sessionId;
  }
}

/** The run belonged to a conversation that was deleted: its records are gone too. */
export class ConversationDeletedError extends BailiwickError {
  /**
   * @param runId - Id of the run.
   * @param storeName - Name of the store that had it.
   */
  constructor(runId: string, storeName: string) {
    super(
      "CONVERSATION_DELETED",
      `Run "${runId}" of the store "${storeName}" was deleted with its conversation. It cannot be read, resumed or replayed; start a new run in a new session.`,
      { runId },
    );
  }
}

/** Errors of the mailbox. */
export type MailboxErrorCode = "MAIL_NOT_FOUND" | "IDEMPOTENCY_CONFLICT";

/** A refusal of the mailbox: nothing was written or sent. */
export class MailboxError extends Error {
  override readonly name = "MailboxError";
  readonly code: MailboxErrorCode;

  constructor(code: MailboxErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../shop/database.ts";
import type { Mail } from "./mail.ts";
import { MailboxError } from "./mailbox-error.ts";

/** A draft for a person to finish, a sent answer, or a forwarded mail. */
type OutboxKind = "draft" | "reply" | "forward";

/** A row of the outbox. */
export interface OutboxMail {
  readonly id: number;
  readonly mailId: string;
  readonly kind: OutboxKind;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly idempotencyKey: string;
  readonly createdAt: string;
}

/** Writing back. Sending means writing to the outbox; a company would connect its mail server there. */
export interface Outbox {
  /** Stores an answer for a person to review. */
  draftReply(reply: { mailId: string; body: string; idempotencyKey: string }): OutboxMail;
  /** Answers the sender, at the address that the mail came from, once per key. */
  sendReply(reply: { mailId: string; body: string; idempotencyKey: string }): OutboxMail;
  /** Forwards a mail, once per key. */
  forwardMail(forward: { mailId: string; to: string; note: string; idempotencyKey: string }): OutboxMail;
  /** Oldest first; only of one mail if its id is given. */
  listOutbox(mailId?: string): OutboxMail[];
  findSent(idempotencyKey: string): OutboxMail | null;
}

const selectOutbox = `
  SELECT id, mail_id AS mailId, kind, recipient, subject, body, idempotency_key AS idempotencyKey, created_at AS createdAt FROM outbox`;

/** @internal */
export function createOutbox(database: DatabaseSync, readMail: (mailId: string) => Mail, now: () => Date): Outbox {
  const insert = database.prepare(
    "INSERT INTO outbox (mail_id, kind, recipient, subject, body, idempotency_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const byKey = database.prepare(`${selectOutbox} WHERE idempotency_key = ?`);
  const byMail = database.prepare(`${selectOutbox} WHERE mail_id = ? ORDER BY id`);
  const all = database.prepare(`${selectOutbox} ORDER BY id`);
  const setStatus = database.prepare("UPDATE mails SET status = ? WHERE id = ?");

  const findSent = (key: string): OutboxMail | null => {
    const row = byKey.get(key) as OutboxMail | undefined;
    return row === undefined ? null : { ...row };
  };

  const write = (mail: Omit<OutboxMail, "id" | "createdAt">): OutboxMail =>
    inTransaction(database, () => {
      const written = findSent(mail.idempotencyKey);
      if (written !== null) {
        if (written.mailId === mail.mailId && written.recipient === mail.recipient && written.body === mail.body)
          return written;
        throw new MailboxError(
          "IDEMPOTENCY_CONFLICT",
          `The key ${mail.idempotencyKey} already stands for another mail to ${written.recipient}.`,
        );
      }
      insert.run(
        mail.mailId,
        mail.kind,
        mail.recipient,
        mail.subject,
        mail.body,
        mail.idempotencyKey,
        now().toISOString(),
      );
      if (mail.kind !== "forward") setStatus.run(mail.kind === "draft" ? "drafted" : "answered", mail.mailId);
      const row = findSent(mail.idempotencyKey);
      if (row === null) throw new Error("A mail that was just written is missing.");
      return row;
    });

  const answer = (kind: "draft" | "reply", mailId: string, body: string, idempotencyKey: string): OutboxMail => {
    const mail = readMail(mailId);
    return write({
      mailId: mail.id,
      kind,
      recipient: mail.from.address,
      subject: replySubject(mail.subject),
      body,
      idempotencyKey,
    });
  };

  return {
    draftReply: ({ mailId, body, idempotencyKey }) => answer("draft", mailId, body, idempotencyKey),
    sendReply: ({ mailId, body, idempotencyKey }) => answer("reply", mailId, body, idempotencyKey),
    forwardMail({ mailId, to, note, idempotencyKey }) {
      const mail = readMail(mailId);
      const body = `${note}\n\n---------- ${mail.from.name} <${mail.from.address}>, ${mail.receivedAt}\n${mail.body}`;
      return write({
        mailId: mail.id,
        kind: "forward",
        recipient: to.trim(),
        subject: `Fwd: ${mail.subject}`,
        body,
        idempotencyKey,
      });
    },
    listOutbox(mailId) {
      const rows = mailId === undefined ? all.all() : byMail.all(mailId);
      return (rows as unknown as OutboxMail[]).map((row) => ({ ...row }));
    },
    findSent,
  };
}

function replySubject(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

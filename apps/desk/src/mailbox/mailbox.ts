import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../shop/database.ts";
import type { Mail } from "./mail.ts";
import { MailboxError } from "./mailbox-error.ts";
import { sampleMails } from "./mails/index.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { mailboxSchema } from "./schema.ts";

/** The state of a mail in the desk. */
export type MailStatus = "unread" | "read" | "drafted" | "answered" | "closed";

/** A line of the mail list. */
export interface MailSummary {
  readonly id: string;
  readonly from: Mail["from"];
  readonly subject: string;
  readonly receivedAt: string;
  readonly status: MailStatus;
  readonly attachments: number;
}

/** The reason why a mail was closed without an answer. */
export type CloseReason = "spam" | "no_answer_needed" | "handled_elsewhere";

/** The mails and what was written back. */
export interface Mailbox extends Outbox {
  /** Newest first. */
  listMails(): MailSummary[];
  /**
   * A mail with its text.
   *
   * @throws MailboxError - `MAIL_NOT_FOUND`.
   */
  readMail(mailId: string): Mail & { status: MailStatus };
  /** Marks a mail as read. */
  markRead(mailId: string): void;
  /** Closes a mail; doing so twice changes nothing. */
  closeMail(mailId: string, reason: CloseReason): void;
  /** Adds an incoming mail. */
  deliver(mail: Mail): void;
}

interface MailRow {
  id: string;
  from_name: string;
  from_address: string;
  subject: string;
  received_at: string;
  body: string;
  attachments: string;
  status: MailStatus;
}

/**
 * The mailbox over an open database. An empty one is filled with the sample mails first.
 *
 * @param database - An open connection; the caller closes it.
 * @param now - The clock for new rows.
 */
export function openMailbox(database: DatabaseSync, now: () => Date = () => new Date()): Mailbox {
  database.exec(mailboxSchema);
  const byId = database.prepare("SELECT * FROM mails WHERE id = ?");
  const all = database.prepare("SELECT * FROM mails ORDER BY received_at DESC, id DESC");
  const setRead = database.prepare("UPDATE mails SET status = 'read' WHERE id = ? AND status = 'unread'");
  const setClosed = database.prepare(
    "UPDATE mails SET status = 'closed', close_reason = ? WHERE id = ? AND status <> 'answered'",
  );
  const insert = database.prepare(
    "INSERT INTO mails (id, from_name, from_address, subject, received_at, body, attachments) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );

  const deliver = (mail: Mail): void => {
    insert.run(
      mail.id,
      mail.from.name,
      mail.from.address,
      mail.subject,
      mail.receivedAt,
      mail.body,
      JSON.stringify(mail.attachments),
    );
  };
  const readMail = (mailId: string): Mail & { status: MailStatus } => {
    const row = byId.get(mailId.trim().toLowerCase()) as MailRow | undefined;
    if (row === undefined) {
      throw new MailboxError("MAIL_NOT_FOUND", `There is no mail ${mailId}. List the mails to see their ids.`);
    }
    return { ...fromRow(row), status: row.status };
  };

  inTransaction(database, () => {
    const { n } = database.prepare("SELECT count(*) AS n FROM mails").get() as { n: number };
    if (n === 0) for (const mail of sampleMails) deliver(mail);
  });

  return {
    ...createOutbox(database, readMail, now),
    readMail,
    deliver,
    listMails() {
      return (all.all() as unknown as MailRow[]).map((row) => {
        const { id, from, subject, receivedAt, attachments } = fromRow(row);
        return { id, from, subject, receivedAt, status: row.status, attachments: attachments.length };
      });
    },
    markRead(mailId) {
      setRead.run(readMail(mailId).id);
    },
    closeMail(mailId, reason) {
      setClosed.run(reason, readMail(mailId).id);
    },
  };
}

function fromRow(row: MailRow): Mail {
  return {
    id: row.id,
    from: { name: row.from_name, address: row.from_address },
    subject: row.subject,
    receivedAt: row.received_at,
    body: row.body,
    attachments: JSON.parse(row.attachments) as Mail["attachments"],
  };
}

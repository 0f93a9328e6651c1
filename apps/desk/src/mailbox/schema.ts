/** The tables of the mailbox. `outbox.idempotency_key` is unique: one answer is sent once. */
export const mailboxSchema = `
CREATE TABLE IF NOT EXISTS mails (
  id           TEXT PRIMARY KEY,
  from_name    TEXT NOT NULL,
  from_address TEXT NOT NULL,
  subject      TEXT NOT NULL,
  received_at  TEXT NOT NULL,
  body         TEXT NOT NULL,
  attachments  TEXT NOT NULL,
  status       TEXT NOT NULL DEFAULT 'unread' CHECK (status IN ('unread', 'read', 'drafted', 'answered', 'closed')),
  close_reason TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS outbox (
  id              INTEGER PRIMARY KEY,
  mail_id         TEXT NOT NULL REFERENCES mails(id),
  kind            TEXT NOT NULL CHECK (kind IN ('draft', 'reply', 'forward')),
  recipient       TEXT NOT NULL,
  subject         TEXT NOT NULL,
  body            TEXT NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  created_at      TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS outbox_by_mail ON outbox(mail_id);
`;

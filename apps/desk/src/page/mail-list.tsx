import type { KeyboardEvent } from "react";
import type { MailSummary } from "../mailbox/mailbox.ts";
import { fullTime, shortTime } from "./format.ts";
import { Paperclip } from "./paperclip.tsx";
import { mailHref } from "./use-route.ts";

interface MailListProps {
  readonly mails: readonly MailSummary[] | undefined;
  /** Mails whose run waits for a person. */
  readonly waiting: ReadonlySet<string | null>;
  readonly selected: string | null;
}

/** The mailbox. Tab reaches it, the arrow keys move in it. */
export function MailList({ mails, waiting, selected }: MailListProps) {
  return (
    <nav id="mails" tabIndex={-1} className="mails" aria-label="Mails">
      {mails === undefined ? (
        <p className="empty">Loading…</p>
      ) : (
        <ul onKeyDown={moveFocus}>
          {mails.map((mail) => (
            <li key={mail.id}>
              <a
                href={mailHref(mail.id)}
                className={mail.status === "unread" ? "mail unread" : "mail"}
                aria-current={mail.id === selected ? "true" : undefined}
              >
                <span className="from" dir="auto">
                  {mail.from.name}
                </span>
                <time dateTime={mail.receivedAt} title={fullTime(mail.receivedAt)}>
                  {shortTime(mail.receivedAt)}
                </time>
                <span className="subject" dir="auto">
                  {mail.subject}
                </span>
                <span className="marks">
                  {mail.attachments > 0 && <Paperclip label="has an attachment" />}
                  {waiting.has(mail.id) ? (
                    <span className="chip waiting">waiting</span>
                  ) : (
                    <StatusChip status={mail.status} />
                  )}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

function StatusChip({ status }: { readonly status: MailSummary["status"] }) {
  if (status === "read") return null;
  if (status === "unread") return <span className="visually-hidden">unread</span>;
  return <span className={`chip ${status}`}>{status}</span>;
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const index = links.findIndex((link) => link === document.activeElement);
  const next = links[index + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

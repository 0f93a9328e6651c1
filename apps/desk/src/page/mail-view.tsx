import { useCallback, useEffect } from "react";
import type { DeskConfig, MailDetail } from "../desk-api.ts";
import { api } from "./api.ts";
import { Conversation } from "./conversation.tsx";
import { countHidden, fullTime } from "./format.ts";
import { Paperclip } from "./paperclip.tsx";
import { SceneGuide } from "./scene-guide.tsx";
import { useResource } from "./use-resource.ts";

interface MailViewProps {
  readonly mailId: string;
  readonly config: DeskConfig | undefined;
  onChange(): Promise<void>;
}

/** A mail, the replies to it, and the conversation about it. */
export function MailView({ mailId, config, onChange }: MailViewProps) {
  const load = useCallback(() => api.mail(mailId), [mailId]);
  const detail = useResource(load);
  const { reload } = detail;
  const changed = useCallback(async () => {
    await Promise.all([reload(), onChange()]);
  }, [reload, onChange]);

  const unread = detail.value?.mail.status === "unread";
  useEffect(() => {
    if (unread) void api.markRead(mailId).then(changed, () => undefined);
  }, [unread, mailId, changed]);

  if (detail.value === undefined) {
    return (
      <p className="empty" role={detail.error === undefined ? undefined : "alert"}>
        {detail.error?.message ?? "Loading…"}
      </p>
    );
  }
  return (
    <>
      <a className="back" href="#/">
        ← All mails
      </a>
      <SceneGuide mailId={mailId} detail={detail.value} restarts={config?.restarts === true} />
      <Letter mail={detail.value.mail} />
      <Conversation mailId={mailId} runs={detail.value.runs} config={config} onChange={changed} />
      <Written outbox={detail.value.outbox} />
    </>
  );
}

function Letter({ mail }: { readonly mail: MailDetail["mail"] }) {
  const hidden = countHidden(
    `${mail.from.name}${mail.subject}${mail.body}${mail.attachments.map(({ text }) => text).join("")}`,
  );
  return (
    <article className="letter" aria-label="Mail">
      <header>
        <h2 dir="auto">{mail.subject}</h2>
        <p className="meta">
          <span dir="auto">{mail.from.name}</span> <span className="address">&lt;{mail.from.address}&gt;</span>
          <time dateTime={mail.receivedAt}>{fullTime(mail.receivedAt)}</time>
          <span>{mail.id}</span>
        </p>
      </header>
      {hidden > 0 && (
        <p className="notice">
          This mail holds {hidden} invisible {hidden === 1 ? "character" : "characters"}. A model may read what you
          can't see here, and some of them turn the order of what you see.
        </p>
      )}
      <p className="body" dir="auto">
        {mail.body}
      </p>
      {mail.attachments.map((attachment) => (
        <details key={attachment.filename} className="attachment">
          <summary>
            <Paperclip label="Attachment" /> {attachment.filename}
          </summary>
          <pre dir="auto">{attachment.text}</pre>
        </details>
      ))}
    </article>
  );
}

const kinds = { draft: "Draft, not sent", reply: "Sent", forward: "Forwarded" } as const;

function Written({ outbox }: { readonly outbox: MailDetail["outbox"] }) {
  if (outbox.length === 0) return null;
  return (
    <section aria-label="Written back" className="written">
      <h3>Outbox</h3>
      {outbox.map((mail) => (
        <details key={mail.id} open>
          <summary>
            <span className={`chip ${mail.kind}`}>{kinds[mail.kind]}</span> to {mail.recipient},{" "}
            {fullTime(mail.createdAt)}
          </summary>
          <p className="body" dir="auto">
            {mail.body}
          </p>
        </details>
      ))}
    </section>
  );
}

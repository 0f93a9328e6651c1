import { useEffect } from "react";
import { api } from "./api.ts";
import { MailList } from "./mail-list.tsx";
import { MailView } from "./mail-view.tsx";
import { keepFocus } from "./keep-focus.ts";
import { ModelBadge } from "./model-badge.tsx";
import { Scenes } from "./scenes.tsx";
import { useResource } from "./use-resource.ts";
import { studioHref, useRoute } from "./use-route.ts";

export function App() {
  const route = useRoute();
  const config = useResource(api.config, 60_000);
  const mails = useResource(api.mails);
  const runs = useResource(api.runs);
  const waiting = (runs.value ?? []).filter((run) => run.interruptions.length > 0);
  const questions = waiting.reduce((sum, run) => sum + run.interruptions.length, 0);
  const unread = (mails.value ?? []).filter((mail) => mail.status === "unread").length;
  const reload = async (): Promise<void> => {
    await Promise.all([mails.reload(), runs.reload()]);
  };

  const { mailId } = route;
  const subject = mails.value?.find((mail) => mail.id === mailId)?.subject;
  const title = pageTitle(mailId, subject);
  useEffect(() => {
    document.title = questions > 0 ? `(${questions}) ${title}` : title;
  }, [questions, title]);
  useEffect(keepFocus, [mailId, questions]);
  const error = mails.error ?? runs.error;
  return (
    <div className="app">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <header className="bar">
        <h1>Fernhollow desk</h1>
        <nav aria-label="Views">
          <NavLink href="#/" current label="Mail" count={unread} countLabel="unread" />
          <NavLink
            href={studioHref.inbox}
            current={false}
            label="Inbox"
            count={questions}
            countLabel="waiting"
            urgent
          />
          <NavLink href={studioHref.runs} current={false} label="Runs" />
        </nav>
        <ModelBadge config={config.value} />
      </header>
      {error !== undefined && (
        <p className="banner" role="alert">
          {error.message}
        </p>
      )}
      <div role="status" className="visually-hidden">
        {questions > 0 ? `${questions} ${questions === 1 ? "call waits" : "calls wait"} for approval` : ""}
      </div>

      <div className={mailId === null ? "panes" : "panes with-detail"}>
        <MailList mails={mails.value} waiting={new Set(waiting.map((run) => run.mailId))} selected={mailId} />
        <main id="main" tabIndex={-1} className="detail">
          {mailId === null ? (
            <Scenes runs={runs.value} />
          ) : (
            <MailView key={mailId} mailId={mailId} config={config.value} onChange={reload} />
          )}
        </main>
      </div>
    </div>
  );
}

/** The title of the browser's tab: what the page shows, then the app. */
function pageTitle(mailId: string | null, subject: string | undefined): string {
  const app = "Fernhollow desk";
  return mailId === null ? app : `${subject ?? `Mail ${mailId}`} · ${app}`;
}

interface NavLinkProps {
  readonly href: string;
  readonly current: boolean;
  readonly label: string;
  readonly count?: number;
  readonly countLabel?: string;
  readonly urgent?: boolean;
}

function NavLink({ href, current, label, count = 0, countLabel = "", urgent = false }: NavLinkProps) {
  return (
    <a href={href} aria-current={current ? "page" : undefined}>
      {label}
      {count > 0 && (
        <span className={urgent ? "count urgent" : "count"}>
          {count}
          <span className="visually-hidden"> {countLabel}</span>
        </span>
      )}
    </a>
  );
}

import { useEffect } from "react";
import { api } from "./api.ts";
import { ApprovalsInbox } from "./approvals-inbox.tsx";
import { shortId } from "./format.ts";
import { MailList } from "./mail-list.tsx";
import { MailView } from "./mail-view.tsx";
import { keepFocus } from "./keep-focus.ts";
import { ModelBadge } from "./model-badge.tsx";
import { RunInspector } from "./run-inspector.tsx";
import { RunList } from "./run-list.tsx";
import { useResource } from "./use-resource.ts";
import { useRoute, type Route } from "./use-route.ts";

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

  const mailId = route.view === "mail" ? route.mailId : null;
  const runId = route.view === "runs" ? route.runId : null;
  const subject = mails.value?.find((mail) => mail.id === mailId)?.subject;
  const title = pageTitle(route, subject);
  useEffect(() => {
    document.title = questions > 0 ? `(${questions}) ${title}` : title;
  }, [questions, title]);
  useEffect(keepFocus, [route.view, mailId, runId, questions]);
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
          <NavLink href="#/" current={route.view === "mail"} label="Mail" count={unread} countLabel="unread" />
          <NavLink
            href="#/approvals"
            current={route.view === "approvals"}
            label="Approvals"
            count={questions}
            countLabel="waiting"
            urgent
          />
          <NavLink href="#/runs" current={route.view === "runs"} label="Runs" />
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

      {route.view === "mail" && (
        <div className={route.mailId === null ? "panes" : "panes with-detail"}>
          <MailList mails={mails.value} waiting={new Set(waiting.map((run) => run.mailId))} selected={route.mailId} />
          <main id="main" tabIndex={-1} className="detail">
            {route.mailId === null ? (
              <p className="empty">Choose a mail to read it and to have it handled.</p>
            ) : (
              <MailView key={route.mailId} mailId={route.mailId} config={config.value} onChange={reload} />
            )}
          </main>
        </div>
      )}
      {route.view === "approvals" && (
        <main id="main" tabIndex={-1} className="single">
          <ApprovalsInbox runs={runs.value} onChange={reload} />
        </main>
      )}
      {route.view === "runs" && (
        <main id="main" tabIndex={-1} className="single">
          {route.runId === null ? (
            <RunList runs={runs.value} onChange={reload} />
          ) : (
            <RunInspector key={route.runId} runId={route.runId} />
          )}
        </main>
      )}
    </div>
  );
}

/** The title of the browser's tab: what the page shows, then the app. */
function pageTitle(route: Route, subject: string | undefined): string {
  const app = "Fernhollow desk";
  switch (route.view) {
    case "mail":
      return route.mailId === null ? app : `${subject ?? `Mail ${route.mailId}`} · ${app}`;
    case "approvals":
      return `Approvals · ${app}`;
    case "runs":
      return route.runId === null ? `Runs · ${app}` : `Run ${shortId(route.runId)} · ${app}`;
  }
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

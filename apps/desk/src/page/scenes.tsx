import type { ReactNode } from "react";
import type { RunRow } from "../desk-api.ts";
import { mailHref, studioHref } from "./use-route.ts";

/** Mails of the three scenes. */
const mails = { refund: "m-003", phishing: "m-032", crash: "m-002" } as const;

interface ScenesProps {
  readonly runs: readonly RunRow[] | undefined;
  /** The server is started again when it is killed. */
  readonly restarts: boolean;
}

/** The start page: what the desk shows, in three scenes that the reader plays. */
export function Scenes({ runs, restarts }: ScenesProps) {
  const runOf = (mailId: string): string | undefined => runs?.find((run) => run.mailId === mailId)?.runId;
  return (
    <section className="scenes" aria-label="Scenes">
      <h2>An agent handles the mail of a shop</h2>
      <p className="lead">
        It reads mails from strangers, looks up orders and pays refunds. Play these three mails to see which calls wait
        for you, which are stopped, and how a run survives a crash. The agent can handle every other mail too.
      </p>
      <Scene title="An honest refund" mailId={mails.refund} runId={runOf(mails.refund)}>
        <li>Open the mail and have it handled.</li>
        <li>
          The refund is above the limit, and the mail chose the order. So the call waits for you, and each value says
          where it comes from.
        </li>
        <li>Approve it: the shop pays one refund and sends one answer.</li>
      </Scene>
      <Scene title="A phishing mail that is stopped" mailId={mails.phishing} runId={runOf(mails.phishing)} flow>
        <li>Open the mail and have it handled. It tells the agent to send data to a stranger, and the model obeys.</li>
        <li>The call is stopped, because an untrusted mail chose who receives it. Reject it.</li>
        <li>See in a picture how the address got from the mail to the call.</li>
      </Scene>
      <Scene title="A crash in the middle of a refund" mailId={mails.crash} runId={runOf(mails.crash)}>
        <li>
          Open the mail and have it handled.{" "}
          {restarts
            ? "Press “Kill the worker” while the agent works."
            : "Press Ctrl-C in the terminal while the agent works, and start the desk again."}
        </li>
        <li>The run continues where it stopped.</li>
        <li>The order is refunded once.</li>
      </Scene>
    </section>
  );
}

interface SceneProps {
  readonly title: string;
  readonly mailId: string;
  /** The newest run of the mail. */
  readonly runId: string | undefined;
  readonly flow?: boolean;
  readonly children: ReactNode;
}

function Scene({ title, mailId, runId, flow = false, children }: SceneProps) {
  return (
    <article className="scene" aria-label={title}>
      <h3>{title}</h3>
      <ol>{children}</ol>
      <p className="links">
        <a className="play" href={mailHref(mailId)}>
          Open mail {mailId}
        </a>
        {runId !== undefined && (
          <a href={flow ? studioHref.flow(runId) : studioHref.run(runId)}>
            {flow ? "See how the data flowed" : "See what happened"}
          </a>
        )}
      </p>
    </article>
  );
}

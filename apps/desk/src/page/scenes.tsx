import type { RunRow } from "../desk-api.ts";
import { scenes, type SceneScript } from "./scene-list.ts";
import { mailHref, studioHref } from "./use-route.ts";

/** The start page: what the desk shows, and three scenes for the user to play. */
export function Scenes({ runs }: { readonly runs: readonly RunRow[] | undefined }) {
  return (
    <section className="scenes" aria-label="Scenes">
      <h2>An agent handles the mail of a shop</h2>
      <p className="lead">
        It reads mails from strangers, looks up orders and pays refunds. What a stranger wrote decides nothing on its
        own: each call is checked before it runs.
      </p>
      <ol className="path" aria-label="The way of a mail">
        <li className="untrusted">
          <strong>Mail</strong> <span>strangers write it</span>
        </li>
        <li>
          <strong>Agent</strong> <span>a model asks for calls</span>
        </li>
        <li className="rules">
          <strong>Rules</strong> <span>run, ask you, or stop</span>
        </li>
        <li className="trusted">
          <strong>Shop</strong> <span>refunds and answers</span>
        </li>
      </ol>
      <div className="scene-cards">
        {scenes.map((scene) => (
          <Scene key={scene.id} scene={scene} run={runs?.find(({ mailId }) => mailId === scene.mailId)} />
        ))}
      </div>
      <p className="small">The agent can handle every other mail too: open one, and press “Handle this mail”.</p>
    </section>
  );
}

function Scene({ scene, run }: { readonly scene: SceneScript; readonly run: RunRow | undefined }) {
  const { id, title, about, mailId } = scene;
  return (
    <article className={`scene ${id}`} aria-label={title}>
      <h3>{title}</h3>
      <p>{about}</p>
      <p className="links">
        <a className="play" href={mailHref(mailId)}>
          Open mail {mailId}
        </a>
        {run !== undefined && <SceneState run={run} />}
        {run !== undefined && (
          <a href={id === "phishing" ? studioHref.flow(run.runId) : studioHref.run(run.runId)}>
            {id === "phishing" ? "See how the data flowed" : "See what happened"}
          </a>
        )}
      </p>
    </article>
  );
}

function SceneState({ run: { status, interruptions } }: { readonly run: RunRow }) {
  if (interruptions.length > 0) return <span className="chip waiting">waits for you</span>;
  return status === "completed" ? (
    <span className="chip good">played</span>
  ) : (
    <span className="chip busy">{status}</span>
  );
}

import type { MailDetail } from "../desk-api.ts";
import { refundWords, scenes } from "./scene-list.ts";
import { studioHref } from "./use-route.ts";

interface SceneGuideProps {
  readonly mailId: string;
  readonly detail: MailDetail;
  /** The server is started again when it is killed. */
  readonly restarts: boolean;
}

/** The steps of a scene above its mail: the finished ones, the next one, and the result. */
export function SceneGuide({ mailId, detail, restarts }: SceneGuideProps) {
  const scene = scenes.find((one) => one.mailId === mailId);
  if (scene === undefined) return null;
  const run = detail.runs.at(-1);
  const done = scene.steps.map(({ isDone }) => isDone({ run }));
  const next = done.indexOf(false);
  const isOver = run?.status === "completed";
  return (
    <section className={`guide ${scene.id}`} aria-label={`Scene: ${scene.title}`}>
      <h2>{scene.title}</h2>
      <ol>
        {scene.steps.map(({ text }, index) => (
          <li key={text} className={done[index] ? "done" : ""} aria-current={index === next ? "step" : undefined}>
            <span>
              {text}
              {scene.id === "crash" &&
                index === 1 &&
                !restarts &&
                " Press Ctrl-C in the terminal, and start the desk again."}
              {done[index] && <span className="visually-hidden"> Done.</span>}
            </span>
          </li>
        ))}
      </ol>
      {isOver && run !== undefined && (
        <p className="outcome">
          {outcomeOf(scene.id, detail, run.crashes)}{" "}
          <a href={scene.id === "phishing" ? studioHref.flow(run.runId) : studioHref.run(run.runId)}>
            {scene.id === "phishing" ? "See how the data flowed" : "See what happened"}
          </a>
        </p>
      )}
    </section>
  );
}

function outcomeOf(id: string, { refunds, outbox }: MailDetail, crashes: number): string {
  if (id === "phishing")
    return outbox.some(({ kind }) => kind === "forward")
      ? "The mail was forwarded."
      : "Nothing was sent to the stranger.";
  const money = `The shop recorded ${refundWords(refunds)}.`;
  if (id !== "crash") return money;
  return crashes > 0
    ? `The process was killed${crashes > 1 ? ` ${crashes} times` : ""}, and another one finished the run. ${money}`
    : `The run ended before the worker was killed. ${money} Handle the mail again to try once more.`;
}

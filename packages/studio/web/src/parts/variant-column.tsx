import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useId } from "react";
import type { StudioPrompt } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { failureOf, pollEvery } from "../failure-of.ts";
import { Icon } from "../icons.tsx";
import { RunFacts } from "../pages/compare-page.tsx";
import type { Variant } from "../playground.ts";
import { QuestionCard } from "./question-card.tsx";
import { SaveRun } from "./save-run.tsx";
import { Failed, isOver, Loading } from "./states.tsx";

const Markdown = lazy(() => import("./markdown.tsx"));

interface VariantColumnProps {
  readonly variant: Variant;
  readonly models: readonly string[];
  /** The agent's own instructions; `undefined` if they are a function. */
  readonly prompt: string | undefined;
  /** The text that the agent's function made for its newest run. */
  readonly newest: StudioPrompt["newest"];
  readonly comparedWith: string | undefined;
  readonly onChange: (next: Partial<Variant>) => void;
  readonly onRemove: (() => void) | undefined;
  readonly onContinue: (runId: string) => void;
}

/** One fork: its prompt and model, and the answer, the cost and the calls of its run. */
export function VariantColumn({
  variant,
  models,
  prompt,
  newest,
  comparedWith,
  onChange,
  onRemove,
  onContinue,
}: VariantColumnProps) {
  const { id, model, instructions, error, runId } = variant;
  const field = useId();
  return (
    <section className="variant" aria-label={`Fork ${id}`}>
      <div className="variant-head">
        <h2>Fork {id}</h2>
        {onRemove !== undefined && (
          <button type="button" className="quiet icon-button" aria-label={`Remove fork ${id}`} onClick={onRemove}>
            <Icon name="close" size={14} />
          </button>
        )}
      </div>
      <label className="field-row">
        Model
        <select value={model} onChange={({ target }) => onChange({ model: target.value })}>
          <option value="">The agent’s model</option>
          {models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <div className="field">
        <label htmlFor={field}>
          System prompt <span className="faint">{promptWords(instructions, prompt)}</span>
        </label>
        <textarea
          id={field}
          rows={4}
          dir="auto"
          value={instructions}
          onChange={({ target }) => onChange({ instructions: target.value })}
        />
        {prompt === undefined && newest !== undefined && instructions.trim() === "" && (
          <details className="newest-prompt">
            <summary>The text of the newest run</summary>
            <p className="message-text" dir="auto">
              {newest.text}
            </p>
            <Link to="/runs/$runId" params={{ runId: newest.runId }} search={{}}>
              Open that run
            </Link>
          </details>
        )}
      </div>
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {runId !== undefined && <Result runId={runId} comparedWith={comparedWith} onContinue={onContinue} />}
    </section>
  );
}

/** Names the owner of a fork's instructions. */
function promptWords(instructions: string, prompt: string | undefined): string {
  if (instructions.trim() !== "" && instructions !== prompt) return "edited; empty it to use the agent’s own";
  if (prompt === undefined) return "a function makes it for each run; write here to replace it";
  return prompt === "" ? "the agent has none; write here to add one" : "the agent’s own; edit it for this fork";
}

function Result({
  runId,
  comparedWith,
  onContinue,
}: {
  readonly runId: string;
  readonly comparedWith: string | undefined;
  readonly onContinue: (runId: string) => void;
}) {
  const run = useQuery({
    queryKey: ["run", runId],
    queryFn: () => api.run(runId),
    refetchInterval: (query) =>
      query.state.data !== undefined && isOver(query.state.data.run.state) ? false : pollEvery(500)(query),
  });
  const failure = failureOf(run);
  if (failure !== undefined) return <Failed error={failure} />;
  if (run.data === undefined) return <Loading lines={4} />;
  const { answer, error, spans, questions, run: own, drivable } = run.data;
  const calls = spans.filter(({ kind }) => kind === "tool");
  return (
    <div className="stack" role="status">
      <RunFacts detail={run.data} />
      {calls.length > 0 && (
        <ol className="call-list" aria-label="Tool calls">
          {calls.map(({ id, title, note, state }) => (
            <li key={id}>
              <code>{title}</code> {note !== undefined && <span className="faint">{note}</span>}
              {state === "bad" && <span className="badge bad">failed</span>}
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && (
        <p className="note bad">
          <strong>{error.code}</strong> {error.message}
        </p>
      )}
      {questions.map((interruption) => (
        <QuestionCard key={interruption.id} question={{ run: own, interruption, drivable }} inRun />
      ))}
      {answer !== "" && (
        <Suspense fallback={<p>{answer}</p>}>
          <Markdown text={answer} />
        </Suspense>
      )}
      {isOver(own.state) && (
        <div className="actions">
          <button type="button" onClick={() => onContinue(runId)}>
            Reply
          </button>
          {comparedWith !== undefined && (
            <Link to="/compare" search={{ a: comparedWith, b: runId }} className="button">
              Compare
            </Link>
          )}
          <SaveRun runId={runId} />
        </div>
      )}
    </div>
  );
}

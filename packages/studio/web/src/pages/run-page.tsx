import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { StudioRunDetail } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { count, fullTime, inWords } from "../format.ts";
import { endWords } from "../end-words.ts";
import { failureOf } from "../failure-of.ts";
import { Icon } from "../icons.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DecisionList } from "../parts/decision-list.tsx";
import { BatchCard, cardsOf } from "../parts/batch-card.tsx";
import { PendingButton } from "../parts/pending-button.tsx";
import { QuestionCard } from "../parts/question-card.tsx";
import { isForkable } from "../parts/fork-form.tsx";
import { RecordList } from "../parts/record-list.tsx";
import { runCost } from "../parts/run-cost.ts";
import { SaveRun } from "../parts/save-run.tsx";
import { SpanDetail } from "../parts/span-detail.tsx";
import { Empty, Fact, Failed, isOver, lastedWords, Loading, StateBadge } from "../parts/states.tsx";
import { Waterfall, type BarPlace } from "../parts/waterfall.tsx";
import { useQuestionKeys } from "../question-keys.ts";
import { useKeys } from "../use-keys.ts";
import { useRun } from "../use-run.ts";
import { RunRow } from "./runs-page.tsx";
import { useTitle } from "../use-title.ts";

const FlowPicture = lazy(() => import("../parts/flow-picture.tsx"));
const Markdown = lazy(() => import("../parts/markdown.tsx"));

/** Views of a run. */
export const runTabs = ["timeline", "authority", "records"] as const;

/** A view of a run. */
export type RunTab = (typeof runTabs)[number];

const tabNames: Readonly<Record<RunTab, string>> = {
  timeline: "Timeline",
  authority: "Authority",
  records: "Records",
};

const route = getRouteApi("/runs/$runId");

/** Everything about one run. */
export function RunPage() {
  const { runId } = route.useParams();
  const { tab = "timeline", record } = route.useSearch();
  const run = useRun(runId);
  useTitle(run.data?.run.title.slice(0, 60) || "Run");
  useQuestionKeys();
  const failure = failureOf(run);
  if (failure !== undefined) return <Failed page error={failure} retry={() => void run.refetch()} />;
  if (run.data === undefined) return <Loading lines={10} />;
  const detail = run.data;
  return (
    <div className="page run-page">
      <RunHead detail={detail} />
      {tab === "timeline" && <Questions detail={detail} />}
      <div className="tabs" role="group" aria-label="View">
        {runTabs.map((name) => (
          <Link
            key={name}
            to="/runs/$runId"
            params={{ runId }}
            search={{ tab: name }}
            aria-current={tab === name ? "page" : undefined}
            activeOptions={{ includeSearch: true }}
          >
            {tabNames[name]}
          </Link>
        ))}
      </div>
      {tab !== "timeline" && detail.questions.length > 0 && (
        <p className="note warn">
          This run waits for a person.{" "}
          <Link to="/runs/$runId" params={{ runId }} search={{}}>
            Decide: <bdi>{detail.questions[0]?.question.title}</bdi>
          </Link>
        </p>
      )}
      {tab === "timeline" && <Timeline detail={detail} />}
      {tab === "authority" && (
        <Suspense fallback={<Loading />}>
          <FlowPicture runId={runId} />
        </Suspense>
      )}
      {tab === "records" && <RecordList detail={detail} first={record} />}
    </div>
  );
}

/** Questions of the run; the other views show a link instead, so that flow and records stay visible. */
function Questions({ detail }: { readonly detail: StudioRunDetail }) {
  if (detail.questions.length === 0) return null;
  const { run, drivable } = detail;
  const asked = detail.questions.map((interruption) => ({ run, interruption, drivable }));
  return (
    <section aria-label="Questions" className="stack">
      {cardsOf(asked).map((batch) => {
        const [question] = batch;
        if (question === undefined) return null;
        const { id } = question.interruption;
        return batch.length > 1 ? (
          <BatchCard key={id} questions={batch} inRun />
        ) : (
          <QuestionCard key={id} question={question} inRun />
        );
      })}
    </section>
  );
}

/** Number of characters of the input in the heading. */
const mostTitle = 160;

/** A long name: cut, and shown whole on hover. */
function Name({ text }: { readonly text: string }) {
  return (
    <span className="name cut" title={text}>
      {text}
    </span>
  );
}

function RunHead({ detail }: { readonly detail: StudioRunDetail }) {
  const { run } = detail;
  const prompt = detail.spans.reduce((sum, span) => sum + (span.inputTokens ?? 0), 0);
  const cached = detail.spans.reduce((sum, span) => sum + (span.cachedTokens ?? 0), 0);
  const { words, unpriced } = runCost(run.costUsd, detail.spans);
  return (
    <header className="run-head">
      <nav aria-label="Back" className="crumbs">
        {run.parentRunId === undefined ? (
          <Link to="/">Runs</Link>
        ) : (
          <Link to="/runs/$runId" params={{ runId: run.parentRunId }} search={{}}>
            Outer run
          </Link>
        )}
        <Icon name="right" size={12} />
        <code>{run.runId.slice(-12)}</code>
        <CopyButton text={run.runId} label="Copy the run's id" />
      </nav>
      <div className="run-line">
        <h1 dir="auto">{run.title.length > mostTitle ? `${run.title.slice(0, mostTitle)}…` : run.title || "Run"}</h1>
        <StateBadge run={run} />
        <RunActions detail={detail} />
      </div>
      <dl className="facts">
        <Fact name="Agent">
          <Name text={run.agentId} />
        </Fact>
        <Fact name="User" wide>
          {run.userId === undefined ? undefined : <Name text={run.userId} />}
        </Fact>
        <Fact name="Tenant">{run.tenantId === undefined ? undefined : <Name text={run.tenantId} />}</Fact>
        <Fact name="Started" wide>
          {fullTime(run.createdAt)}
        </Fact>
        <Fact name="Lasted">{lastedWords(run)}</Fact>
        <Fact name="Model calls">{count(run.modelCalls)}</Fact>
        <Fact name="Tool calls">{count(run.toolCalls)}</Fact>
        <Fact name="Tokens">
          {run.tokens === 0 ? undefined : (
            <>
              {count(run.tokens)}
              {cached > 0 && (
                <span className="faint"> {Math.round((100 * cached) / prompt)} % of the input cached</span>
              )}
            </>
          )}
        </Fact>
        <Fact name="Cost">
          {words}
          {unpriced.length > 0 && <span className="faint"> no price is known for {unpriced.join(", ")}</span>}
        </Fact>
      </dl>
      {detail.sealed && (
        <p className="note">This journal is sealed, and the studio has no key: contents are not shown.</p>
      )}
      {detail.problem !== undefined && (
        <p className="note warn">
          The code of {run.agentId} can’t continue this run; the page shows its records. {detail.problem}
        </p>
      )}
      {detail.error !== undefined && (
        <p className="note bad" role="alert">
          <strong>{detail.error.code}</strong> {detail.error.message}
        </p>
      )}
      {endWords(run) !== undefined && <p className="note">{endWords(run)}</p>}
      {detail.input.length > mostTitle && (
        <details className="answer">
          <summary>Whole input, {count(detail.input.length)} characters</summary>
          <p className="message-text" dir="auto" tabIndex={0} role="group" aria-label="Input">
            {detail.input}
          </p>
        </details>
      )}
      {detail.answer !== "" && (
        <details className="answer" open>
          <summary>{run.state === "completed" ? "Answer" : "Text so far"}</summary>
          <Suspense fallback={<p>{detail.answer}</p>}>
            <Markdown text={detail.answer} />
          </Suspense>
        </details>
      )}
      <DecisionList decisions={detail.decisions} />
    </header>
  );
}

function RunActions({ detail }: { readonly detail: StudioRunDetail }) {
  const queries = useQueryClient();
  const { runId, state } = detail.run;
  const done = (): Promise<void> => queries.invalidateQueries();
  const cancel = useMutation({ mutationFn: () => api.cancel(runId), onSettled: done });
  const retry = useMutation({ mutationFn: () => api.retry(runId), onSettled: done });
  const audit = useMutation({ mutationFn: () => api.audit(runId) });
  const ended = isOver(state);
  const verdict = audit.data;
  return (
    <div className="actions">
      <Link to="/compare" search={{ a: runId }} className="button">
        Compare
      </Link>
      {detail.drivable && (
        <Link to="/playground" search={{ run: runId }} className="button">
          Playground
        </Link>
      )}
      {ended && <SaveRun runId={runId} />}
      {detail.drivable && (
        <PendingButton onClick={() => audit.mutate()} pending={audit.isPending}>
          {verdict === undefined ? "Verify journal" : verdictWords(verdict)}
        </PendingButton>
      )}
      {(state === "stuck" || state === "failed") && (
        <button type="button" onClick={() => retry.mutate()} disabled={retry.isPending}>
          Retry
        </button>
      )}
      {!ended && detail.drivable && (
        <button type="button" className="danger" onClick={() => cancel.mutate()} disabled={cancel.isPending}>
          Cancel run
        </button>
      )}
    </div>
  );
}

function verdictWords({ verdict, records, seq }: Awaited<ReturnType<typeof api.audit>>): string {
  if (verdict === "broken") return `Broken at record ${seq}`;
  return verdict === "valid" ? `Valid: ${records} signed records` : `In order: ${records} records, unsigned`;
}

function Timeline({ detail }: { readonly detail: StudioRunDetail }) {
  const { runId } = route.useParams();
  const { span } = route.useSearch();
  const navigate = route.useNavigate();
  const selected = placeOf(span, runId);
  const inside = useRun(selected === undefined || selected.runId === runId ? undefined : selected.runId);
  const close = (): void => {
    document.querySelector<HTMLElement>(".bar-row[aria-pressed=true]")?.focus();
    void navigate({ search: {}, replace: true });
  };
  useKeys({ Escape: close });
  if (detail.spans.length === 0) {
    const isEnded = isOver(detail.run.state) || detail.run.state === "stuck";
    return (
      <Empty icon="runs" title={isEnded ? "No call was recorded" : "Nothing is recorded yet"}>
        <p>
          {isEnded
            ? "The run ended before its first call."
            : `The run is ${inWords(detail.run.state)}. Its calls appear here as they happen.`}
        </p>
      </Empty>
    );
  }
  const shownRun = selected?.runId === runId ? detail : inside.data;
  const bar = shownRun?.spans.find(({ id }) => id === selected?.spanId);
  const drawn = new Set(detail.spans.map(({ childRunId }) => childRunId));
  const others = detail.children.filter((child) => !drawn.has(child.runId));
  return (
    <div className={bar === undefined ? "split" : "split open"}>
      <div className="split-main">
        <Waterfall
          key={runId}
          runId={runId}
          spans={detail.spans}
          selected={selected}
          onSelect={(place) => void navigate({ search: { span: addressOf(place, runId) }, replace: true })}
        />
        {others.length > 0 && (
          <section className="children">
            <h2>Runs inside</h2>
            {others.map((child) => (
              <RunRow key={child.runId} run={child} />
            ))}
          </section>
        )}
      </div>
      {bar !== undefined && shownRun !== undefined && (
        <SpanDetail
          key={`${shownRun.run.runId} ${bar.id}`}
          runId={shownRun.run.runId}
          span={bar}
          spans={shownRun.spans}
          forkable={isForkable(shownRun)}
          onClose={close}
        />
      )}
    </div>
  );
}

/** The selected bar in the address: `m3`, and with the id of its run for a run inside. */
const addressOf = (place: BarPlace, runId: string): string =>
  place.runId === runId ? place.spanId : `${place.runId}:${place.spanId}`;

function placeOf(span: string | undefined, runId: string): BarPlace | undefined {
  if (span === undefined) return undefined;
  const at = span.lastIndexOf(":");
  return at < 0 ? { runId, spanId: span } : { runId: span.slice(0, at), spanId: span.slice(at + 1) };
}

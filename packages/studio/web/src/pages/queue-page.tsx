import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { StudioFailedRun, StudioRun, StudioSchedule } from "../../../src/views/view-types.ts";
import { Link } from "@tanstack/react-router";
import { api } from "../api.ts";
import { failureOf, pollEvery } from "../failure-of.ts";
import { ago, count, duration, fullTime } from "../format.ts";
import { PendingButton } from "../parts/pending-button.tsx";
import { Empty, Failed, Loading, stateTone } from "../parts/states.tsx";
import { useTitle } from "../use-title.ts";

/** Runs that wait for a worker, and those that need an operator. */
export function QueuePage() {
  useTitle("Queue");
  const queue = useQuery({ queryKey: ["queue"], queryFn: api.queue, refetchInterval: pollEvery(3_000) });
  const failure = failureOf(queue);
  if (failure !== undefined) return <Failed page error={failure} retry={() => void queue.refetch()} />;
  if (queue.data === undefined) return <Loading lines={8} />;
  const { agents, stuck, failed, sleeping, queued, schedules } = queue.data;
  const isDue = ({ dueAt }: StudioRun): boolean => dueAt === undefined || dueAt <= Date.now();
  const [due, delayed] = [queued.filter(isDue), queued.filter((run) => !isDue(run))];
  const isQuiet =
    agents.length === 0 && stuck.length + failed.length + sleeping.length + queued.length + schedules.length === 0;
  return (
    <div className="page">
      <div className="page-head">
        <h1>Queue</h1>
      </div>
      {isQuiet && (
        <Empty icon="queue" title="The queue is empty">
          <p>Runs that wait for a worker, sleep, or stopped without progress appear here.</p>
        </Empty>
      )}
      {agents.length > 0 && (
        <ul className="tiles">
          {agents.map(({ agentId, queued, delayed, running, stuck: isStuck, oldestQueuedAt }) => (
            <li key={agentId} className="tile">
              <h2>{agentId}</h2>
              <dl>
                <Number name="Queued" value={queued} />
                <Number name="Running" value={running} />
                <Number name="Delayed" value={delayed} />
                <Number name="Stuck" value={isStuck} tone={isStuck > 0 ? "bad-text" : ""} />
              </dl>
              <p className="soft small">
                {oldestQueuedAt === undefined
                  ? "Nothing waits for a worker."
                  : `The oldest was queued ${ago(oldestQueuedAt)}.`}
              </p>
            </li>
          ))}
        </ul>
      )}
      <RunGroup title="Stuck" about="Their process ended several times without progress." runs={stuck} retry />
      <RunGroup
        title="Failed"
        about="They ended with an error, and can be driven again from where they stopped."
        runs={failed}
        retry
      />
      <RunGroup title="Due" about="A worker takes them next." runs={due} />
      <RunGroup title="Delayed" about="A worker claims them at their time." runs={delayed} />
      <RunGroup title="Sleeping" about="They continue by themselves when their time has come." runs={sleeping} />
      <Schedules schedules={schedules} />
    </div>
  );
}

function Number({ name, value, tone = "" }: { readonly name: string; readonly value: number; readonly tone?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={tone}>{count(value)}</dd>
    </div>
  );
}

function Schedules({ schedules }: { readonly schedules: readonly StudioSchedule[] }) {
  if (schedules.length === 0) return null;
  return (
    <section className="group">
      <h2>
        Schedules <span className="soft">{count(schedules.length)}</span>
      </h2>
      <ul className="group-rows">
        {schedules.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} />
        ))}
      </ul>
    </section>
  );
}

function ScheduleRow({ schedule }: { readonly schedule: StudioSchedule }) {
  const { id, agentName, tenantId, userId, cron, everyMs, timezone, paused, nextAt, lastTickAt, lastRunId } = schedule;
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: () => api.setSchedule(id, paused ? "resume" : "pause"),
    onSettled: () => queries.invalidateQueries({ queryKey: ["queue"] }),
  });
  return (
    <li className="schedule">
      <span className="schedule-name">
        <strong>{id}</strong> {paused && <span className="badge wait">Paused</span>}
        <span className="soft small">
          {agentName}, {cron === undefined ? `every ${duration(everyMs)}` : <code>{cron}</code>}
          {cron !== undefined && timezone !== undefined && ` in ${timezone}`}
          {tenantId !== undefined && `, tenant ${tenantId}`}
          {userId !== undefined && `, user ${userId}`}
        </span>
      </span>
      <span className="soft small" title={nextAt === undefined ? undefined : fullTime(nextAt)}>
        {nextAt === undefined ? "No next run." : `Next run ${ago(nextAt)}.`}{" "}
        {lastTickAt !== undefined && `Last one ${ago(lastTickAt)}.`}{" "}
        {lastRunId !== undefined && (
          <Link to="/runs/$runId" params={{ runId: lastRunId }} search={{}}>
            Open it
          </Link>
        )}
      </span>
      <PendingButton
        aria-label={`${paused ? "Resume" : "Pause"} ${id}`}
        pending={set.isPending}
        onClick={() => set.mutate()}
      >
        {paused ? "Resume" : "Pause"}
      </PendingButton>
      {set.isError && (
        <p className="field-error" role="alert">
          {set.error.message}
        </p>
      )}
    </li>
  );
}

interface RunGroupProps {
  readonly title: string;
  readonly about: string;
  readonly runs: readonly StudioFailedRun[];
  readonly retry?: boolean;
}

function RunGroup({ title, about, runs, retry = false }: RunGroupProps) {
  if (runs.length === 0) return null;
  return (
    <section className="group">
      <h2>
        {title} <span className="soft">{count(runs.length)}</span>
      </h2>
      <p className="soft small">{about}</p>
      <ul className="group-rows">
        {runs.map((run) => (
          <li key={run.runId} className="queue-row">
            <span className="queue-name">
              <span className={`dot ${stateTone(run)}`} />
              <Link to="/runs/$runId" params={{ runId: run.runId }} search={{}} className="cut run-row" dir="auto">
                {run.title === "" ? `Run ${run.runId.slice(-8)}` : run.title}
              </Link>
              {run.attempts > 1 && <span className="badge bad">{run.attempts} attempts</span>}
            </span>
            <span className="cut soft" title={run.agentId}>
              {run.agentId}
              {run.userId !== undefined && <span className="faint"> · {run.userId}</span>}
            </span>
            <span className="soft small">{timeWords(run)}</span>
            {retry && <RunButtons run={run} />}
            {run.failure !== undefined && (
              <p className="queue-failure bad-text" dir="auto" title={run.failure.message}>
                <strong>{run.failure.code}</strong> {run.failure.message}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The relevant time of a run in the queue: when it continues, or since when it waits. */
function timeWords({ state, dueAt, createdAt, updatedAt }: StudioRun): string {
  if (state === "sleeping" && dueAt !== undefined) return `wakes ${ago(dueAt)}`;
  if (dueAt !== undefined && dueAt > Date.now()) return `due ${ago(dueAt)}`;
  return state === "queued" ? `queued ${ago(createdAt)}` : `${state} ${ago(updatedAt)}`;
}

function RunButtons({ run }: { readonly run: StudioRun }) {
  const queries = useQueryClient();
  const onSettled = (): Promise<void> => queries.invalidateQueries();
  const again = useMutation({ mutationFn: () => api.retry(run.runId), onSettled });
  const discard = useMutation({ mutationFn: () => api.discard(run.runId), onSettled });
  const name = run.title === "" ? run.runId : run.title;
  return (
    <div className="actions">
      <button type="button" aria-label={`Retry ${name}`} disabled={again.isPending} onClick={() => again.mutate()}>
        Retry
      </button>
      <button
        type="button"
        className="danger"
        aria-label={`Discard ${name}`}
        disabled={discard.isPending}
        onClick={() => {
          if (confirm("Delete this run with its records? This cannot be undone.")) discard.mutate();
        }}
      >
        Discard
      </button>
      {(again.error ?? discard.error) !== null && (
        <p className="field-error" role="alert">
          {(again.error ?? discard.error)?.message}
        </p>
      )}
    </div>
  );
}

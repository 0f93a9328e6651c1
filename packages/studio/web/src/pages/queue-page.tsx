import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { StudioRun, StudioSchedule } from "../../../src/views/view-types.ts";
import { Link } from "@tanstack/react-router";
import { api } from "../api.ts";
import { ago, count } from "../format.ts";
import { PendingButton } from "../parts/pending-button.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { useTitle } from "../use-title.ts";
import { RunRow } from "./runs-page.tsx";

/** Runs that wait for a worker, and those that need a hand. */
export function QueuePage() {
  useTitle("Queue");
  const queue = useQuery({ queryKey: ["queue"], queryFn: api.queue, refetchInterval: 3_000 });
  if (queue.isPending) return <Loading lines={8} />;
  if (queue.isError) return <Failed page error={queue.error} retry={() => void queue.refetch()} />;
  const { agents, stuck, failed, sleeping, queued: due, schedules } = queue.data;
  const isQuiet =
    agents.length === 0 && stuck.length + failed.length + sleeping.length + due.length + schedules.length === 0;
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
                  : `The oldest waits since ${ago(oldestQueuedAt)}.`}
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
  const { id, agentName, paused, nextAt, lastTickAt, lastRunId } = schedule;
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: () => api.setSchedule(id, paused ? "resume" : "pause"),
    onSettled: () => queries.invalidateQueries({ queryKey: ["queue"] }),
  });
  return (
    <li className="schedule">
      <span className="schedule-name">
        <strong>{id}</strong> <span className="soft">{agentName}</span>{" "}
        {paused && <span className="badge wait">Paused</span>}
      </span>
      <span className="soft small">
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
  readonly runs: readonly StudioRun[];
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
          <li key={run.runId}>
            <RunRow run={run} />
            {retry && <RunButtons run={run} />}
          </li>
        ))}
      </ul>
    </section>
  );
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

import {
  readJournal,
  BailiwickError,
  type InterruptionData,
  type JournalEvent,
  type RunOutput,
  type StoredRun,
} from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { inputText } from "@bailiwick/core/store";
import { runTimeline, RequestError } from "@bailiwick/server";
import { decisionsOf, openQuestions } from "../views/decisions.ts";
import { runView } from "../views/run-view.ts";
import { spansOf } from "../views/spans.ts";
import type { StudioRecord, StudioRun, StudioRunDetail } from "../views/view-types.ts";
import { failureIn } from "./run-failures.ts";
import type { StudioAgent, StudioStore, StudioViewer } from "./options.ts";

/** Maximum number of inner runs that are listed. */
const mostChildren = 200;

/** A run, as far as the studio can read it. */
interface ReadRun {
  readonly run: StoredRun;
  readonly agent: StudioAgent | undefined;
  readonly events: readonly JournalEvent[];
  readonly output?: RunOutput | undefined;
  readonly questions: readonly InterruptionData[];
  /** Reason why the agent's code can't read the run, such as a journal of other code. */
  readonly problem?: string | undefined;
}

/** Questions of a waiting run. */
interface WaitingRun {
  readonly questions: readonly InterruptionData[];
  /** The agent's code can continue the run. */
  readonly drivable: boolean;
}

/** Reads runs for viewers. */
export interface RunReader {
  agentOf(run: Pick<StoredRun, "agentId">): StudioAgent | undefined;
  /** @throws RequestError `RUN_NOT_FOUND` also for a run of a tenant that the viewer may not see. */
  find(viewer: StudioViewer, runId: string): Promise<StoredRun>;
  /** The newest run of an agent that the viewer sees. */
  newest(viewer: StudioViewer, agentId: string): Promise<StoredRun | undefined>;
  read(viewer: StudioViewer, runId: string): Promise<ReadRun>;
  detail(viewer: StudioViewer, runId: string): Promise<StudioRunDetail>;
  questionsOf(run: StoredRun): Promise<WaitingRun>;
}

/** Maximum number of waiting runs with cached questions. */
const mostKept = 500;

/** Makes a reader for a store and the agents whose code is available. */
export function createRunReader(store: StudioStore, agents: ReadonlyMap<string, StudioAgent>): RunReader {
  const agentOf = ({ agentId }: Pick<StoredRun, "agentId">): StudioAgent | undefined => agents.get(agentId);

  const kept = new Map<string, WaitingRun>();
  const find = async (viewer: StudioViewer, runId: string): Promise<StoredRun> => {
    const run = await store.getRun(runId);
    if (run === undefined || (viewer.allTenants !== true && run.tenantId !== viewer.tenantId))
      throw new RequestError(404, "RUN_NOT_FOUND", `There is no run "${runId}". Check its id.`);
    return run;
  };
  const readStored = async (run: StoredRun): Promise<ReadRun> => {
    const agent = agentOf(run);
    let problem: string | undefined;
    if (agent !== undefined) {
      try {
        const { run: current, events, output, interruptions } = await agent.inspect(run.id);
        return { run: current, agent, events, output, questions: interruptions };
      } catch (error) {
        problem = problemOf(error);
      }
    }
    // Without the agent's code, the conversation of an unsealed journal can be read.
    const events = await readJournal(store, run.id, { hasher: defaultHasher() }).catch(() => store.load(run.id));
    const questions = run.state === "suspended" ? openQuestions(events) : [];
    return { run, agent: undefined, events, questions, problem };
  };
  /** Questions of a run whose records the agent's code can read; otherwise those of the records alone. */
  const readQuestions = async (run: StoredRun): Promise<WaitingRun> => {
    const agent = agentOf(run);
    if (agent !== undefined) {
      try {
        return { questions: await agent.interruptions(run.id), drivable: true };
      } catch (error) {
        problemOf(error);
      }
    }
    return { questions: openQuestions(await store.load(run.id)), drivable: false };
  };
  const read = async (viewer: StudioViewer, runId: string): Promise<ReadRun> => readStored(await find(viewer, runId));

  return {
    agentOf,
    find,
    async newest({ tenantId, allTenants }, agentId) {
      const { runs } = await store.searchRuns({ tenantId, allTenants, agentId, limit: 1 });
      return runs[0]?.run;
    },
    read,
    async questionsOf(run) {
      // The questions of a waiting run change only with its records.
      const key = `${run.id} ${run.epoch} ${run.head.seq}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const read = await readQuestions(run);
      const [oldest] = kept.keys();
      if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
      kept.set(key, read);
      return read;
    },
    async detail(viewer, runId) {
      // The state is read before the records: a page that sees an end has all earlier records.
      const own = await ownView(store, await find(viewer, runId));
      const [{ run, agent, events, output, questions, problem }, children] = await Promise.all([
        read(viewer, runId),
        store.searchRuns({ tenantId: own.tenantId, insideRunId: own.runId, limit: mostChildren }),
      ]);
      const end = events.findLast((event) => event.type === "run.end");
      return {
        run: own,
        input: inputText(run.input) || firstWords(events),
        answer: output?.text ?? end?.text ?? "",
        error: failureIn(events),
        spans: spansOf(events),
        children: children.runs.map(runView).toReversed(),
        questions,
        decisions: decisionsOf(events),
        sealed: events.some((event) => "sealed" in event),
        drivable: agent !== undefined,
        problem,
      };
    },
  };
}

/** Message of an error of the framework about one run. One run that can't be read does not hide the others. */
function problemOf(error: unknown): string {
  if (BailiwickError.isInstance(error)) return error.message;
  throw error;
}

/** Records with a sentence about each; a sealed one is named by its type. */
export function recordViews(events: readonly JournalEvent[], wanted: ReadonlySet<number>): readonly StudioRecord[] {
  return events
    .filter(({ seq }) => wanted.has(seq))
    .map((event) => ({ title: "sealed" in event ? event.type : titleOf(event), event }));
}

function titleOf(event: JournalEvent): string {
  try {
    return runTimeline([event])[0]?.title ?? event.type;
  } catch {
    // A record of another version may lack fields that its sentence needs.
    return event.type;
  }
}

/** A run with its facts, which a search finds by the session and the time of the run. */
async function ownView(store: StudioStore, run: StoredRun): Promise<StudioRun> {
  const { tenantId, sessionId, createdAt, parent } = run;
  const found = await store.searchRuns({
    tenantId,
    sessionId,
    insideRunId: parent?.runId,
    createdFrom: createdAt,
    createdBefore: createdAt + 1,
    limit: mostChildren,
  });
  const own = found.runs.find((one) => one.run.id === run.id);
  return runView(own ?? { run, facts: { tokens: 0, modelCalls: 0, toolCalls: 0, tools: [] } });
}

function firstWords(events: readonly JournalEvent[]): string {
  const start = events.find((event) => event.type === "run.start");
  return inputText(start?.input?.at(-1)?.content);
}

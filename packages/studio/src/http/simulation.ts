import type { JournalEvent, RunOptions } from "@bailiwick/core";
import { recordedResults, type RecordedResult } from "../views/recorded-results.ts";
import type { StudioAgent } from "./options.ts";

/** Metadata of a run of the playground. */
export interface PlayMetadata {
  readonly playground: true;
  /** Writers change nothing. */
  readonly simulated?: true | undefined;
  /** The run whose conversation and results it begins with. */
  readonly fromRunId?: string | undefined;
}

/**
 * Calls of the earlier run get their recorded results. Of all other tools, only those that declare no side effect run. A
 * tool is judged when it is called, not by its name, because an inner agent may have a writer of that name.
 */
export function simulation(recorded: () => Promise<readonly RecordedResult[]>): RunOptions {
  let left: RecordedResult[] | undefined;
  return {
    loopHooks: {
      async beforeToolExec(toolName, args, writes) {
        left ??= [...(await recorded())];
        const text = JSON.stringify(args);
        const at = left.findIndex((one) => one.toolName === toolName && JSON.stringify(one.args) === text);
        const [known] = at < 0 ? [] : left.splice(at, 1);
        if (known !== undefined) return { skip: true, result: known.text };
        if (!writes) return undefined;
        return {
          skip: true,
          result: `Simulated in the playground: ${toolName} was not run, and it would have succeeded.`,
        };
      },
    },
  };
}

/** The agent of simulated runs: what continues one of them, such as a decision, is simulated as well. */
export function simulatedAgent(agent: StudioAgent): StudioAgent {
  const recorded = async (runId: string): Promise<readonly RecordedResult[]> => {
    const from = playMetadata((await agent.inspect(runId)).events)?.fromRunId;
    return from === undefined ? [] : recordedResults((await agent.inspect(from)).events);
  };
  return {
    name: agent.name,
    sessions: agent.sessions,
    stream: (input, options) => agent.stream(input, options),
    resumeStream: (runId, decisions, options) =>
      agent.resumeStream(runId, decisions, { ...options, ...simulation(() => recorded(runId)) }),
    interruptions: (runId) => agent.interruptions(runId),
    decide: (runId, decisions) => agent.decide(runId, decisions),
    inspect: (runId) => agent.inspect(runId),
    verifyAudit: (runId) => agent.verifyAudit(runId),
    replay: (runId) => agent.replay(runId),
    fork: (runId, options) => agent.fork(runId, options),
    steer: (runId, message) => agent.steer(runId, message),
    cancel: (runId, reason) => agent.cancel(runId, reason),
  };
}

/** True for a run of the playground whose writers change nothing. */
export function isSimulated(events: readonly JournalEvent[]): boolean {
  return playMetadata(events)?.simulated === true;
}

function playMetadata(events: readonly JournalEvent[]): PlayMetadata | undefined {
  const metadata = events.find((event) => event.type === "run.start")?.metadata;
  return metadata?.["playground"] === true ? (metadata as unknown as PlayMetadata) : undefined;
}

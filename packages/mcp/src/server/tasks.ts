import { BailiwickError } from "@bailiwick/core";
import type { RunHandle, RunInspection, RunOutput } from "@bailiwick/core";
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { CallToolResult, InputRequests, ServerContext } from "@modelcontextprotocol/server";
import type { ServedDefinition } from "./definitions.ts";
import type { RunWatch } from "./follow-run.ts";
import { followRun } from "./follow-run.ts";
import type { McpCaller } from "./served-agent.ts";
import type { TaskTerms } from "./task-options.ts";

/** Identifier of the protocol's extension. */
export const tasksExtension = "io.modelcontextprotocol/tasks";
/** Member of a run's metadata with the call that the run executes: the run of a task is found and resumed with it. */
const metadataKey = "bailiwick.mcpCall";

/** A call of a client, as its run stores it. */
export interface StoredCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly caller: McpCaller;
}

/** The state of a task in the protocol's form. */
export interface TaskState {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly statusMessage?: string | undefined;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly inputRequests?: InputRequests | undefined;
  readonly result?: CallToolResult | undefined;
  readonly error?: { readonly code: number; readonly message: string } | undefined;
}

/** A task of this server, read from its store. */
export interface FoundTask {
  readonly definition: ServedDefinition;
  readonly stored: StoredCall;
  readonly inspection: RunInspection;
}

/** A run that a request starts or resumes. */
interface FollowedRun {
  readonly ctx: ServerContext;
  readonly start: (signal: AbortSignal) => RunHandle;
  /** Time that the request waits for the run, in milliseconds. */
  readonly afterMs: number;
  /** True if the run is a task already: then the end of the request does not stop it. */
  readonly isTask: boolean;
  /** Called with the output of a run that continues as a task, once it ends or waits. */
  readonly rests: (output: RunOutput) => Promise<void>;
}

/** The tasks that this process drives. */
export interface TaskRuns {
  readonly terms: TaskTerms;
  /** True if this process drives the run. */
  has(runId: string): boolean;
  /** The last report of a tool of the run, if this process drives it. */
  messageOf(runId: string): string | undefined;
  /**
   * Follows a run until it ends or waits, or until the request has waited long enough: then it returns no output, and
   * the run continues as a task.
   */
  follow(run: FollowedRun): Promise<{ readonly runId: string; readonly output: RunOutput | undefined }>;
}

/** Creates the table of the tasks that this process drives. */
export function taskRuns(terms: TaskTerms, onError: (error: unknown) => void): TaskRuns {
  const driven = new Map<string, { message: string | undefined }>();
  return {
    terms,
    has: (runId) => driven.has(runId),
    messageOf: (runId) => driven.get(runId)?.message,
    async follow({ ctx, start, afterMs, isTask, rests }) {
      const stop = new AbortController();
      const { signal } = ctx.mcpReq;
      const abort = (): void => stop.abort(signal.reason);
      if (!isTask) signal.addEventListener("abort", abort, { once: true });
      if (!isTask && signal.aborted) abort();
      const handle = start(stop.signal);
      const { runId } = handle;
      const state: { message: string | undefined } = { message: undefined };
      const report = (message: string): void => void (state.message = message);
      let onStored = (): void => undefined;
      const stored = new Promise<void>((resolve) => {
        onStored = resolve;
      });
      const watch: RunWatch = { onStored, report: isTask ? report : undefined };
      driven.set(runId, state);
      const ended = followRun(ctx, handle, watch).finally(() => driven.delete(runId));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = stored.then(() => {
        if (afterMs === 0) return undefined;
        return new Promise<undefined>((resolve) => {
          timer = setTimeout(() => resolve(undefined), afterMs);
        });
      });
      const output = await Promise.race([ended, late]).finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
      });
      if (output === undefined) {
        watch.report = report;
        void ended.then(rests).catch(onError);
      }
      return { runId, output };
    },
  };
}

/** Options with which the run of a call starts that may become a task. */
export function taskRunOptions(
  { ttlMs }: TaskTerms,
  stored: StoredCall,
): { readonly metadata: Readonly<Record<string, unknown>>; readonly deadlineAt: number } {
  return { metadata: { [metadataKey]: stored }, deadlineAt: Date.now() + ttlMs };
}

/** True if the client supports tasks; it declares this with each request. */
export function takesTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as
    | { readonly extensions?: Readonly<Record<string, unknown>> }
    | undefined;
  return capabilities?.extensions?.[tasksExtension] !== undefined;
}

/** @throws MissingRequiredClientCapabilityError if the client does not support tasks. */
export function demandTasks(ctx: ServerContext): void {
  if (takesTasks(ctx)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

/**
 * Finds a task of a caller. A run that is not a call of this server, and one of another caller, is not a task.
 *
 * @throws ProtocolError for an id without a task, and for an expired task.
 */
export async function findTask(
  definitions: ReadonlyMap<string, ServedDefinition>,
  terms: TaskTerms,
  taskId: string,
  caller: McpCaller,
): Promise<FoundTask> {
  for (const agent of new Set([...definitions.values()].map((one) => one.agent))) {
    const inspection = await agent.inspect(taskId).catch((error: unknown) => {
      if (BailiwickError.isInstance(error) && error.code === "RUN_NOT_FOUND") return undefined;
      throw error;
    });
    if (inspection === undefined) continue;
    const stored = storedCall(inspection);
    const definition = stored === undefined ? undefined : definitions.get(stored.name);
    if (stored === undefined || definition?.agent.name !== inspection.run.agentId) continue;
    if (!isSame(stored.caller, caller)) break;
    if (inspection.run.createdAt + terms.ttlMs < Date.now())
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "This task has expired. Call the tool again.");
    return { definition, stored, inspection };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such task.");
}

function storedCall({ metadata }: RunInspection): StoredCall | undefined {
  return metadata[metadataKey] as StoredCall | undefined;
}

function isSame(one: McpCaller, other: McpCaller): boolean {
  return one.tenantId === other.tenantId && one.userId === other.userId;
}

/** The members of each answer about a task. */
export function taskOf(
  { run }: RunInspection,
  { ttlMs, pollIntervalMs }: TaskTerms,
): Pick<TaskState, "taskId" | "createdAt" | "lastUpdatedAt" | "ttlMs" | "pollIntervalMs"> {
  return {
    taskId: run.id,
    createdAt: new Date(run.createdAt).toISOString(),
    lastUpdatedAt: new Date(run.updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
  };
}

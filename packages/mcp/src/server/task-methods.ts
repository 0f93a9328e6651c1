import { BailiwickError, isEnded } from "@bailiwick/core";
import type { RunInspection, Schema } from "@bailiwick/core";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { ServedDefinition } from "./definitions.ts";
import { answersTo, formsFor, missingFor } from "./questions.ts";
import { restAsTask, resultOf, runOptions } from "./run-call.ts";
import type { ServedCall, Serving } from "./run-call.ts";
import type { McpCaller } from "./served-agent.ts";
import { demandTasks, findTask, taskOf } from "./tasks.ts";
import type { FoundTask, TaskRuns, TaskState } from "./tasks.ts";

/** A request about a task. */
interface TaskRequest {
  readonly taskId: string;
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
}

const requestSchema: Schema<TaskRequest> = {
  "~standard": {
    version: 1,
    vendor: "bailiwick",
    validate: (value: unknown) => {
      const { taskId, inputResponses } = (value ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof taskId !== "string") return { issues: [{ message: "taskId has to be a text" }] };
      const isRecord = typeof inputResponses === "object" && inputResponses !== null;
      return { value: { taskId, inputResponses: isRecord ? inputResponses : undefined } as TaskRequest };
    },
  },
};

/**
 * Answers requests about tasks. A task is the run of a call: its status, result and questions are read from the store,
 * so each process that has the store can answer. If the run's process is gone, the process that gets the request
 * resumes the run.
 */
export function answerTasks(
  wire: Server,
  serving: Serving & { readonly tasks: TaskRuns },
  definitions: ReadonlyMap<string, ServedDefinition>,
  callerOf: (ctx: ServerContext) => McpCaller,
): void {
  const find = (taskId: string, ctx: ServerContext): Promise<FoundTask> => {
    demandTasks(ctx);
    return findTask(definitions, serving.tasks.terms, taskId, callerOf(ctx));
  };
  const shielded = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (ProtocolError.isInstance(error)) throw error;
      serving.onError(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "The request failed inside the server.");
    }
  };
  const schemas = { params: requestSchema };
  wire.setRequestHandler("tasks/get", schemas, ({ taskId }, ctx) =>
    shielded(async () => {
      let task = await find(taskId, ctx);
      if (needsDriver(serving.tasks, task)) {
        await drive(serving, task, ctx);
        task = await find(taskId, ctx);
      }
      return { ...stateOf(serving, task, ctx) };
    }),
  );
  wire.setRequestHandler("tasks/update", schemas, ({ taskId, inputResponses }, ctx) =>
    shielded(async () => {
      const task = await find(taskId, ctx);
      await update(serving, task, ctx.mcpReq.inputResponses ?? inputResponses, ctx);
      return {};
    }),
  );
  wire.setRequestHandler("tasks/cancel", schemas, ({ taskId }, ctx) =>
    shielded(async () => {
      const { definition, inspection } = await find(taskId, ctx);
      if (!isEnded(inspection.run.state)) await definition.agent.cancel(taskId, "The client cancelled the task.");
      return {};
    }),
  );
}

/** Stores the answers of a client's user and resumes the run. Answers to other questions are ignored. */
async function update(
  serving: Serving & { readonly tasks: TaskRuns },
  task: FoundTask,
  responses: Readonly<Record<string, unknown>> | undefined,
  ctx: ServerContext,
): Promise<void> {
  const { definition, inspection, stored } = task;
  const { run, interruptions } = inspection;
  if (run.state !== "suspended") return;
  const { decisions, isDeclined } = await answersTo(interruptions, responses, stored.caller, () => true, {
    style: "ids",
  });
  if (isDeclined) return definition.agent.cancel(run.id, "The client's user declined to answer.");
  if (decisions.length === 0) return;
  await definition.agent.decide(run.id, decisions, stored.caller);
  if (!serving.tasks.has(run.id)) await drive(serving, task, ctx);
}

/** True for a run that could continue, but that this process does not drive. */
function needsDriver(tasks: TaskRuns, { inspection: { run, output } }: FoundTask): boolean {
  if (tasks.has(run.id)) return false;
  if (run.state === "sleeping") return (output?.wakeAt ?? 0) <= Date.now();
  return run.state === "queued" || run.state === "running";
}

/** Resumes the run of a task, and waits briefly for it. A run that another process drives is left alone. */
async function drive(
  serving: Serving & { readonly tasks: TaskRuns },
  { definition, stored, inspection }: FoundTask,
  ctx: ServerContext,
): Promise<void> {
  const { name: _, arguments: input, caller } = stored;
  const call: ServedCall = { definition, input, caller, ctx, declared: undefined };
  const { tasks } = serving;
  try {
    const { output } = await tasks.follow({
      ctx,
      start: (signal) => definition.agent.resumeStream(inspection.run.id, [], runOptions(call, signal)),
      afterMs: tasks.terms.pollIntervalMs,
      isTask: true,
      rests: (rest) => restAsTask(serving, call, rest),
    });
    if (output !== undefined) await restAsTask(serving, call, output);
  } catch (error) {
    if (BailiwickError.isInstance(error) && error.code === "RUN_BUSY") return;
    // The task reports that its run failed.
    serving.onError(error);
  }
}

function stateOf(serving: Serving & { readonly tasks: TaskRuns }, task: FoundTask, ctx: ServerContext): TaskState {
  const { inspection, definition } = task;
  const { run, output, interruptions } = inspection;
  const common = taskOf(inspection, serving.tasks.terms);
  if (run.state === "completed" || run.state === "stopped") {
    if (output === undefined) throw new Error(`Run "${run.id}" ended without an output.`);
    return { ...common, status: "completed", result: resultOf(definition, output) };
  }
  if (run.state === "cancelled") {
    const reason = cancelReason(inspection);
    return { ...common, status: "cancelled", ...(reason !== undefined && { statusMessage: reason }) };
  }
  if (run.state === "failed") {
    const message = `The call failed (${errorCode(inspection)}).`;
    return { ...common, status: "failed", statusMessage: message, error: { code: -32_603, message } };
  }
  const message = serving.tasks.messageOf(run.id);
  if (run.state !== "suspended" || interruptions.length === 0)
    return { ...common, status: "working", ...(message !== undefined && { statusMessage: message }) };
  const forms = serving.options.questions === "elicit" ? formsFor(interruptions, { style: "ids" }) : undefined;
  if (forms === undefined || missingFor(forms, ctx, undefined).length > 0)
    return { ...common, status: "working", statusMessage: "The call waits for a decision of this server's operator." };
  return { ...common, status: "input_required", inputRequests: forms };
}

function cancelReason({ events }: RunInspection): string | undefined {
  const taken = events.findLast((event) => event.type === "signal.taken" && event.signal.name === "cancel");
  const payload = taken?.type === "signal.taken" ? (taken.signal.payload as { readonly reason?: unknown }) : undefined;
  return typeof payload?.reason === "string" ? payload.reason : undefined;
}

function errorCode({ events, output }: RunInspection): string {
  const end = events.findLast((event) => event.type === "run.end");
  return (end?.type === "run.end" ? end.error?.code : undefined) ?? output?.stopReason ?? "INTERNAL";
}

import { OutcomeUnknownError, ToolError } from "@bailiwick/core";
import type { Schema, ToolExecutionContext } from "@bailiwick/core";
import { specTypeSchemas } from "@modelcontextprotocol/client";
import type { CallToolResult, Client, RequestOptions } from "@modelcontextprotocol/client";
import { pause } from "../connection/backoff.ts";

/** Delay between two looks at a task whose server names none, and the shortest and longest, in milliseconds. */
const defaultPollMs = 1_000;
const leastPollMs = 50;
const mostPollMs = 30_000;
/** Time for a server to cancel a task, in milliseconds. */
const cancelMs = 5_000;

/** A task of a server, in either protocol. */
export interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string | undefined;
  /** Delay that the server wants between two looks, in milliseconds. */
  readonly pollMs?: number | undefined;
}

/** The task in a server's answer, if there is one. A delay that is no number counts as none. */
export function taskOf(answer: unknown): Task | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { taskId, status, statusMessage, pollInterval, pollIntervalMs } = answer as Readonly<Record<string, unknown>>;
  if (typeof taskId !== "string" || typeof status !== "string") return undefined;
  const delay = pollIntervalMs ?? pollInterval;
  return {
    taskId,
    status,
    ...(typeof statusMessage === "string" && { statusMessage }),
    ...(Number.isFinite(delay) && { pollMs: delay as number }),
  };
}

/** Waits until the next look at a task; shows what the server says about it. */
export async function untilNextLook({ statusMessage, pollMs }: Task, ctx: ToolExecutionContext): Promise<void> {
  if (statusMessage !== undefined) ctx.reportProgress({ message: statusMessage });
  await pause(Math.min(mostPollMs, Math.max(leastPollMs, pollMs ?? defaultPollMs)), ctx.signal);
}

/** Asks the server to cancel a task whose run was stopped. */
export async function cancelTask(client: Client, taskId: string): Promise<void> {
  const cancel = { method: "tasks/cancel", params: { taskId } };
  await client.request(cancel, anyResult, { timeout: cancelMs }).catch(() => undefined);
}

/** Checks the result of a task. @throws OutcomeUnknownError if it is no result of a tool. */
export function taskResult(result: unknown): CallToolResult {
  const checked = specTypeSchemas.CallToolResult["~standard"].validate(result);
  if (checked.issues !== undefined) throw new OutcomeUnknownError("The result of the task is no result of a tool.");
  return checked.value;
}

/** A call that its server runs as a task. */
export interface TaskCall {
  readonly params: { readonly name: string; readonly arguments: Record<string, unknown> };
  readonly options: RequestOptions;
  readonly ctx: ToolExecutionContext;
}

/** Schema of an answer that is checked where it is read. */
export const anyResult: Schema = {
  "~standard": { version: 1, vendor: "bailiwick", validate: (value: unknown) => ({ value }) },
};

/**
 * Calls a tool that its server runs as a task of protocol 2025-11-25: creates the task, looks at it until it has ended, and
 * fetches its result. A stopped run cancels the task.
 *
 * @throws ToolError for a task that was cancelled, or that the server did not create.
 */
export async function runTask(client: Client, { params, options, ctx }: TaskCall): Promise<CallToolResult> {
  const created = await client.request({ method: "tools/call", params: { ...params, task: {} } }, anyResult, options);
  let task = taskOf((created as { readonly task?: unknown } | undefined)?.task);
  if (task === undefined) throw new ToolError("The server did not create a task for this call.");
  const { taskId } = task;
  try {
    while (task.status === "working") {
      await untilNextLook(task, ctx);
      task = taskOf(await client.request({ method: "tasks/get", params: { taskId } }, anyResult, options));
      if (task === undefined)
        throw new OutcomeUnknownError("The server's answer about the task of this call is no task.");
    }
    if (task.status === "cancelled") throw new ToolError("The server cancelled the task of this call.");
    // A task that needs input gets it while its result is fetched.
    const result = await client.request({ method: "tasks/result", params: { taskId } }, anyResult, options);
    return taskResult(result);
  } catch (error) {
    if (ctx.signal.aborted) await cancelTask(client, taskId);
    throw error;
  }
}

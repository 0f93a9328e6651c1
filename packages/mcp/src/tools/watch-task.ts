import { OutcomeUnknownError, ToolError } from "@bailiwick/core";
import type { CallToolResult, Client, InputRequest, RequestOptions } from "@modelcontextprotocol/client";
import type { CallUnderWay } from "./call-under-way.ts";
import type { ServerRequests } from "./server-requests.ts";
import { askAboutTask, cancelTask, taskOf, taskResult, untilNextLook } from "./task.ts";
import type { Task } from "./task.ts";

/** Maximum number of questions of one task. */
const mostQuestions = 32;

/** A task that a server of 2026-07-28 created in place of a result. */
export interface WatchedTask {
  readonly client: Client;
  readonly task: Task;
  readonly requests: ServerRequests;
  readonly call: CallUnderWay;
  readonly options: RequestOptions;
}

/**
 * Polls a task until it has ended, answers its questions, and returns its result. Cancelling the run cancels the task;
 * a run that waits for a person leaves it running.
 *
 * @throws ToolError for a task that failed or was cancelled.
 * @throws OutcomeUnknownError for an answer that is not a task, and for a task that the server no longer knows.
 */
export async function watchTask({ client, task, requests, call, options }: WatchedTask): Promise<CallToolResult> {
  const { ctx } = call;
  const { taskId } = task;
  const answered = new Set<string>();
  let now = task;
  try {
    for (;;) {
      await untilNextLook(now, ctx);
      const answer = await askAboutTask(client, "tasks/get", { taskId }, options);
      const next = taskOf(answer);
      if (next === undefined)
        throw new OutcomeUnknownError("The server's answer about the task of this call is not a task.");
      now = next;
      const { result, error, inputRequests } = answer as Readonly<Record<string, unknown>>;
      if (now.status === "completed") return taskResult(result);
      if (now.status === "failed") throw new ToolError(`The task of this call failed: ${failureIn(error, now)}`);
      if (now.status === "cancelled") throw new ToolError("The server cancelled the task of this call.");
      if (now.status !== "input_required") continue;
      const open = Object.entries(inputRequests ?? {}).filter(([key]) => !answered.has(key));
      if (answered.size + open.length > mostQuestions)
        throw new ToolError(`The task of this call asked more than ${mostQuestions} questions.`);
      const inputResponses: Record<string, unknown> = {};
      for (const [key, request] of open) {
        inputResponses[key] = await requests.answer(call, request as InputRequest, key);
        answered.add(key);
      }
      if (open.length > 0) await askAboutTask(client, "tasks/update", { taskId, inputResponses }, options);
    }
  } catch (error) {
    if (ctx.signal.aborted && !call.isAsking) await cancelTask(client, taskId);
    throw error;
  }
}

function failureIn(error: unknown, { statusMessage }: Task): string {
  const message = (error as { readonly message?: unknown } | null | undefined)?.message;
  return typeof message === "string" ? message : (statusMessage ?? "the server gives no reason.");
}

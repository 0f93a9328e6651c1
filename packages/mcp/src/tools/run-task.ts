import { OutcomeUnknownError, ToolError } from "@bailiwick/core";
import type { CallToolResult, Client, RequestOptions } from "@modelcontextprotocol/client";
import type { CallUnderWay } from "./call-under-way.ts";
import type { ServerRequests } from "./server-requests.ts";
import { anyResult, askAboutTask, cancelTask, taskOf, taskResult, untilNextLook } from "./task.ts";
import type { Task } from "./task.ts";

/** A call that its server runs as a task. */
export interface TaskCall {
  readonly client: Client;
  readonly params: { readonly name: string; readonly arguments: Record<string, unknown> };
  readonly options: RequestOptions;
  readonly requests: ServerRequests;
  readonly call: CallUnderWay;
}

/**
 * Calls a tool that its server runs as a task of protocol 2025-11-25: creates the task, polls it until it has ended,
 * and fetches its result. A resumed call polls the same task. Cancelling the run cancels the task; a run that waits for
 * a person leaves it running.
 *
 * @throws ToolError for a task that was cancelled, or that the server did not create.
 * @throws OutcomeUnknownError for a task that the server no longer knows.
 */
export async function runTask({ client, params, options, requests, call }: TaskCall): Promise<CallToolResult> {
  const { ctx } = call;
  let task = call.task ?? (await createTask(client, params, options));
  const { taskId } = task;
  call.task = task;
  try {
    while (task.status === "working") {
      await untilNextLook(task, ctx);
      const next = taskOf(await askAboutTask(client, "tasks/get", { taskId }, options));
      if (next === undefined)
        throw new OutcomeUnknownError("The server's answer about the task of this call is no task.");
      task = next;
    }
    if (task.status === "cancelled") throw new ToolError("The server cancelled the task of this call.");
    // The server may still wait for the answer that the run suspended for.
    await requests.answerOpen(call);
    // A task that needs input gets it while its result is fetched.
    const result = await client.request({ method: "tasks/result", params: { taskId } }, anyResult, options);
    return taskResult(result);
  } catch (error) {
    if (ctx.signal.aborted && !call.isAsking) await cancelTask(client, taskId);
    throw error;
  }
}

async function createTask(client: Client, params: TaskCall["params"], options: RequestOptions): Promise<Task> {
  const created = await client.request({ method: "tools/call", params: { ...params, task: {} } }, anyResult, options);
  const task = taskOf((created as { readonly task?: unknown } | undefined)?.task);
  if (task === undefined) throw new ToolError("The server did not create a task for this call.");
  return task;
}

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
  let task = call.task ?? (await createTask(client, params, options, ctx.signal));
  const { taskId } = task;
  call.task = task;
  try {
    while (task.status === "working") {
      await untilNextLook(task, ctx);
      const next = taskOf(await askAboutTask(client, "tasks/get", { taskId }, options));
      if (next === undefined)
        throw new OutcomeUnknownError("The server's answer about the task of this call is not a task.");
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

/** Creates the task. If the run is stopped meanwhile, the task is cancelled as soon as the server names it. */
async function createTask(
  client: Client,
  params: TaskCall["params"],
  options: RequestOptions,
  signal: AbortSignal,
): Promise<Task> {
  signal.throwIfAborted();
  // A request that is aborted loses the id of the task that its server has created.
  const created = client.request({ method: "tools/call", params: { ...params, task: {} } }, anyResult, {
    ...options,
    signal: new AbortController().signal,
  });
  const named = created.then((answer) => taskOf((answer as { readonly task?: unknown } | undefined)?.task));
  const task = await untilAborted(named, signal).catch((error: unknown) => {
    const cancelLate = async (late: Task | undefined): Promise<void> =>
      late === undefined ? undefined : cancelTask(client, late.taskId);
    if (signal.aborted) void named.then(cancelLate).catch(() => undefined);
    throw error;
  });
  if (task === undefined) throw new ToolError("The server did not create a task for this call.");
  return task;
}

/** Rejects with the reason of the signal if it aborts first. */
async function untilAborted<T>(settled: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  return Promise.race([settled, aborted]).finally(() => signal.removeEventListener("abort", onAbort));
}

import { OutcomeUnknownError } from "@bailiwick/core";
import type { Schema, ToolExecutionContext } from "@bailiwick/core";
import { ProtocolError, specTypeSchemas } from "@modelcontextprotocol/client";
import type { CallToolResult, Client, RequestOptions } from "@modelcontextprotocol/client";
import { pause } from "../connection/backoff.ts";
import { streamEndedCode } from "../connection/whole-streams.ts";

/** Polling interval for a task whose server names none, and the shortest and longest, in milliseconds. */
const defaultPollMs = 1_000;
const leastPollMs = 50;
const mostPollMs = 30_000;
/** Time for a server to cancel a task, in milliseconds. */
const cancelMs = 5_000;
/** Maximum length of a task's id, which becomes part of a question's key. */
const longestId = 1_000;

/** A task of a server, in either protocol. */
export interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string | undefined;
  /** The server's polling interval, in milliseconds. */
  readonly pollMs?: number | undefined;
}

/** The task in a server's answer, if there is one with a usable id. A delay that is not a number counts as none. */
export function taskOf(answer: unknown): Task | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { taskId, status, statusMessage, pollInterval, pollIntervalMs } = answer as Readonly<Record<string, unknown>>;
  if (typeof taskId !== "string" || typeof status !== "string") return undefined;
  if (taskId === "" || taskId.length > longestId) return undefined;
  const delay = pollIntervalMs ?? pollInterval;
  return {
    taskId,
    status,
    ...(typeof statusMessage === "string" && { statusMessage }),
    ...(Number.isFinite(delay) && { pollMs: delay as number }),
  };
}

/** Waits until the next poll of a task, and reports the server's message about it. */
export async function untilNextLook({ statusMessage, pollMs }: Task, ctx: ToolExecutionContext): Promise<void> {
  if (statusMessage !== undefined) ctx.reportProgress({ message: statusMessage });
  await pause(Math.min(mostPollMs, Math.max(leastPollMs, pollMs ?? defaultPollMs)), ctx.signal);
}

/** Asks the server to cancel a task whose run was stopped. */
export async function cancelTask(client: Client, taskId: string): Promise<void> {
  const cancel = { method: "tasks/cancel", params: { taskId } };
  await client.request(cancel, anyResult, { timeout: cancelMs }).catch(() => undefined);
}

/** Checks the result of a task. @throws OutcomeUnknownError if it is not a result of a tool. */
export function taskResult(result: unknown): CallToolResult {
  const checked = specTypeSchemas.CallToolResult["~standard"].validate(result);
  if (checked.issues !== undefined) throw new OutcomeUnknownError("The result of the task is not a result of a tool.");
  return checked.value;
}

/** Schema of an answer that is checked later. */
export const anyResult: Schema = {
  "~standard": { version: 1, vendor: "bailiwick", validate: (value: unknown) => ({ value }) },
};

/**
 * Sends a request about a task.
 *
 * @throws OutcomeUnknownError if the server refuses it: the task was created, so the call may have had its effect.
 */
export async function askAboutTask(
  client: Client,
  method: "tasks/get" | "tasks/update",
  params: { readonly taskId: string; readonly [name: string]: unknown },
  options: RequestOptions,
): Promise<unknown> {
  try {
    return await client.request({ method, params }, anyResult, options);
  } catch (error) {
    if (!ProtocolError.isInstance(error) || error.code === streamEndedCode) throw error;
    throw new OutcomeUnknownError(
      `The server refused a question about the task of this call, which it had created: ${error.message}`,
      { cause: error },
    );
  }
}

import { withRunsInside } from "@bailiwick/core/extension";
import type { ToolExecutionContext, ToolReturn } from "@bailiwick/core";
import { isInputRequiredResult } from "@modelcontextprotocol/client";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/client";
import type { Connection } from "../connection/connection.ts";
import type { OpenClient } from "../connection/open-client.ts";
import type { McpOptions } from "../options.ts";
import { CallPaused } from "../connection/call-paused.ts";
import { failureOf } from "./call-failure.ts";
import type { CallFailure } from "./call-failure.ts";
import type { CallUnderWay } from "./call-under-way.ts";
import type { ServerRequests } from "./server-requests.ts";
import { OutcomeUnknownError, ToolError } from "@bailiwick/core";
import { carriedTask } from "../connection/task-results.ts";
import { loweredBy } from "../ifc.ts";
import type { TrustHints } from "../ifc.ts";
import { askingTask } from "./ask-person.ts";
import { runTask } from "./run-task.ts";
import { taskOf } from "./task.ts";
import type { Task } from "./task.ts";
import { watchTask } from "./watch-task.ts";
import { resultOf } from "./tool-result.ts";

/** Maximum number of a server's questions during one call. */
const maxRounds = 8;
/** Maximum delay of timers, in milliseconds: the pipeline's own time-out applies. */
const noTimeout = 2 ** 31 - 1;

/** State that the calls of a server share. */
export interface Calls {
  readonly options: McpOptions;
  readonly connection: Connection;
  readonly requests: ServerRequests;
}

/** A tool to call. */
export interface CalledTool {
  /** The name that the server knows it by. */
  readonly serverName: string;
  /** True if its server only runs it as a task. */
  readonly isTask: boolean;
  /** The server's words about the trust in its results. */
  readonly hints: TrustHints;
  /** True if the operator declares that it changes nothing: then a lost call is sent again. */
  isRead(): boolean;
}

/**
 * Calls a tool. A call whose connection is lost is made again only when it changes nothing. A call that resumes after the
 * question of a task continues with the task, in any process.
 *
 * @throws ToolError, OutcomeUnknownError, McpError
 */
export async function callTool(
  calls: Calls,
  tool: CalledTool,
  input: unknown,
  ctx: ToolExecutionContext,
): Promise<ToolReturn> {
  const call: CallUnderWay = {
    ctx,
    sampled: { requests: 0, outputs: [] },
    task: askingTask(ctx),
    isAsking: false,
  };
  const leave = calls.requests.enter(call);
  try {
    for (let attempt = 1; ; attempt += 1) {
      let failure: CallFailure | undefined;
      const request = async (open: OpenClient): Promise<CallToolResult> => {
        try {
          return await untilPaused(call, () => roundTrips(calls, open, tool, input, call));
        } catch (error) {
          // Polling a task has no effect, so it may be repeated.
          const isRead = tool.isRead() || call.task !== undefined;
          failure = failureOf(error, { options: calls.options, open, signal: ctx.signal, isRead });
          throw error;
        }
      };
      try {
        const result = await calls.connection.use({ signal: ctx.signal }, request);
        const owner = { server: calls.options.name, userId: ctx.userId, sessionId: ctx.sessionId };
        const label = loweredBy(result._meta, tool.hints, owner);
        return withRunsInside(call.sampled.outputs, resultOf(result, label));
      } catch (error) {
        if (failure?.mayRepeat === true && attempt === 1) continue;
        throw withRunsInside(call.sampled.outputs, failure?.error ?? error);
      }
    }
  } finally {
    leave();
  }
}

/** Ends an attempt that waits for a person: the promise of the question never settles, and the connection is let go. */
async function untilPaused<T>(call: CallUnderWay, work: () => Promise<T>): Promise<T> {
  const { signal } = call.ctx;
  let stop = (): void => undefined;
  const paused = new Promise<never>((_, reject) => {
    stop = () => void (call.isAsking && reject(new CallPaused()));
    signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([work(), paused]).finally(() => signal.removeEventListener("abort", stop));
}

/** A server of 2026-07-28 answers with a question if it needs one; the client sends the call again with the answer. */
async function roundTrips(
  { options, requests }: Calls,
  { client }: OpenClient,
  { serverName, isTask }: CalledTool,
  input: unknown,
  call: CallUnderWay,
): Promise<CallToolResult> {
  const { ctx } = call;
  const params = { name: serverName, arguments: (input ?? {}) as Record<string, unknown> };
  if (isTask) return runTask({ client, params, options: { ...limits(options), signal: ctx.signal }, requests, call });
  const watch = (task: Task): Promise<CallToolResult> => {
    call.task = task;
    return watchTask({ client, task, requests, call, options: { timeout: noTimeout, signal: ctx.signal } });
  };
  if (call.task !== undefined) return watch(call.task);
  let more: Record<string, unknown> = {};
  for (let round = 1; round <= maxRounds; round += 1) {
    const result: CallToolResult | InputRequiredResult = await client.callTool(
      { ...params, ...more },
      {
        ...limits(options),
        signal: ctx.signal,
        allowInputRequired: true,
        onprogress: ({ progress, total, message }) =>
          ctx.reportProgress({
            ...(message !== undefined && { message }),
            ...(total !== undefined && total > 0 && { fraction: Math.min(1, Math.max(0, progress / total)) }),
          }),
      },
    );
    if (!isInputRequiredResult(result)) {
      const carried = carriedTask(result);
      if (carried === undefined) return result;
      const task = taskOf(carried);
      if (task === undefined)
        throw new OutcomeUnknownError("The server created a task for this call that has no usable id.");
      return watch(task);
    }
    more = {
      inputResponses: await answersTo(result, requests, call),
      ...(result.requestState !== undefined && { requestState: result.requestState }),
    };
  }
  throw new ToolError(`The server asked ${maxRounds} times and was answered, and asks again.`);
}

async function answersTo(
  { inputRequests = {} }: InputRequiredResult,
  requests: ServerRequests,
  call: CallUnderWay,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [key, request] of Object.entries(inputRequests)) answers[key] = await requests.answer(call, request);
  return answers;
}

function limits({ timeoutMs = 60_000, resetTimeoutOnProgress }: McpOptions): {
  readonly timeout: number;
  readonly resetTimeoutOnProgress?: boolean;
} {
  if (resetTimeoutOnProgress !== true) return { timeout: noTimeout };
  return { timeout: timeoutMs, resetTimeoutOnProgress: true };
}

import { answeredKeys, canonicalJson, defaultHasher } from "@bailiwick/core/extension";
import type { Schema, ToolExecutionContext } from "@bailiwick/core";
import type { CallUnderWay } from "./call-under-way.ts";
import type { Task } from "./task.ts";

const hasher = defaultHasher();
const keyOfTask = /^mcp-[0-9a-f]{24}-(.+)$/su;

/**
 * Makes a question one of the run: it suspends, and the call starts again from its top once it is answered. The question's
 * key names the task that asks. The journal keeps the key, so that any process that resumes the call finds the task.
 *
 * @param content - The parts that identify the question in the next attempt, whatever else the server asks first.
 */
export async function askPerson<T>(
  call: CallUnderWay,
  { question, schema, content }: { readonly question: string; readonly schema: Schema<T>; readonly content: unknown },
): Promise<T> {
  const hash = hasher.sha256(canonicalJson(content)).slice(0, 24);
  const key = call.task === undefined ? `mcp-${hash}` : `mcp-${hash}-${call.task.taskId}`;
  call.isAsking = true;
  const answer = await call.ctx.ask({ question, schema, key });
  call.isAsking = false;
  return answer;
}

/** The task that asked in an earlier attempt of a call; `undefined` if there is none. */
export function askingTask(ctx: ToolExecutionContext): Task | undefined {
  for (const key of answeredKeys(ctx)) {
    const taskId = keyOfTask.exec(key)?.[1];
    if (taskId !== undefined) return { taskId, status: "working", pollMs: 0 };
  }
  return undefined;
}

import { answersTo } from "./questions.ts";
import { runOptions } from "./run-call.ts";
import type { Serving } from "./run-call.ts";
import { isBusy, pause } from "./rest-of.ts";
import type { ServedDefinition } from "./definitions.ts";
import type { McpCaller } from "./served-agent.ts";
import type { ForeignAnswer } from "./shared-sessions.ts";

/** Time for the process that asked to continue with an answer, in milliseconds. */
const graceMs = 5_000;

/**
 * Stores the answer to a question that another process asked. That process continues the call; if it is gone, this one
 * does.
 */
export async function takeForeignAnswer(
  serving: Serving,
  definition: ServedDefinition,
  { question, result }: ForeignAnswer,
  caller: McpCaller,
): Promise<void> {
  const { agent } = definition;
  const { runId, asked, key } = question;
  const { run, interruptions } = await agent.inspect(runId);
  if (run.state !== "suspended") return;
  const { decisions } = await answersTo(interruptions, { [key]: result }, caller, ({ id }) => asked.includes(id));
  if (decisions.length === 0) return agent.cancel(runId, "The client's user did not answer the question.");
  await agent.decide(runId, decisions, caller);
  void resumeIfLeft(definition, runId, caller).catch(serving.onError);
}

/** Resumes a run that no process resumed in time. */
async function resumeIfLeft(definition: ServedDefinition, runId: string, caller: McpCaller): Promise<void> {
  const { agent } = definition;
  const { signal } = new AbortController();
  await pause(graceMs, signal);
  if ((await agent.inspect(runId)).run.state !== "queued") return;
  // The arguments of the call are in the run: its model has answered.
  const options = runOptions({ definition, input: {}, caller }, signal);
  await agent.resumeStream(runId, [], options).result.catch((error: unknown) => {
    if (!isBusy(error)) throw error;
  });
}

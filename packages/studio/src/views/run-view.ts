import type { FoundRun } from "@bailiwick/core";
import { inputText } from "@bailiwick/core/store";
import type { StudioRun } from "./view-types.ts";

/** Number of characters of an input that a list shows. */
const mostTitle = 200;

/** A run as a list shows it. */
export function runView({ run, facts }: FoundRun): StudioRun {
  return {
    runId: run.id,
    agentId: run.agentId,
    sessionId: run.sessionId,
    userId: run.userId,
    tenantId: run.tenantId,
    parentRunId: run.parent?.runId,
    state: run.state,
    stopReason: facts.stopReason,
    title: titleOf(inputText(run.input)),
    createdAt: run.createdAt,
    updatedAt: run.updatedAt,
    dueAt: run.state === "queued" || run.state === "sleeping" ? run.dueAt : undefined,
    costUsd: facts.costUsd,
    tokens: facts.tokens,
    modelCalls: facts.modelCalls,
    toolCalls: facts.toolCalls,
    tools: facts.tools,
    waiting: run.waitingOn?.length ?? 0,
    records: run.head.seq,
    attempts: run.attempts,
  };
}

/** The input in one line. The input of a run inside a call is the JSON of its arguments: `server: web-7`. */
function titleOf(input: string): string {
  const words = input.startsWith("{") ? argumentWords(input) : input;
  return words.replaceAll(/\s+/gu, " ").trim().slice(0, mostTitle).toWellFormed();
}

function argumentWords(input: string): string {
  try {
    const entries = Object.entries(JSON.parse(input) as Readonly<Record<string, unknown>>);
    const words = entries.map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    return words.join(", ") || input;
  } catch {
    return input;
  }
}

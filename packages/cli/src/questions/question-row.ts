import type { Interruption, JsonSchema, Question } from "@bailiwick/core";

/** An open question as `--json` prints it. */
export interface QuestionRow {
  readonly id: string;
  readonly runId: string;
  readonly kind: string;
  readonly agent: string;
  /** Names from the outer agent to the one with the question. */
  readonly agentPath: readonly string[];
  readonly toolName: string;
  readonly toolCallId: string;
  readonly args: unknown;
  readonly question: Question | null;
  /** Schema of the answer, for questions of tools. */
  readonly answerJsonSchema: JsonSchema | null;
  /** Approvals with the same value are one card. */
  readonly batch: string | null;
  /** ISO 8601. */
  readonly requestedAt: string;
  readonly expiresAt: string;
}

/** Selects the printed fields of an open question. */
export function questionRow(open: Interruption): QuestionRow {
  const { id, runId, kind, agentName, agentPath, toolName, toolCallId, args, question, answerJsonSchema, batch } = open;
  return {
    id,
    runId,
    kind,
    agent: agentName,
    agentPath,
    toolName,
    toolCallId,
    args,
    question: question ?? null,
    answerJsonSchema: answerJsonSchema ?? null,
    batch: batch ?? null,
    requestedAt: new Date(open.requestedAt).toISOString(),
    expiresAt: new Date(open.expiresAt).toISOString(),
  };
}

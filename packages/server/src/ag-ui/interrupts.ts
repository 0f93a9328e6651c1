import type { Interrupt } from "@ag-ui/core";
import type { InterruptionData } from "@bailiwick/core";
import { questionText } from "@bailiwick/core/questions";
import { secondId } from "../runs/second-id.ts";

/** Schema of an answer to an approval. */
const approvalSchema = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    reason: { type: "string" },
    args: { type: "object", description: "Other arguments; they are checked again." },
    acknowledged: { enum: ["suspicious"], description: "The person has seen that the question is suspicious." },
  },
  required: ["approved"],
  additionalProperties: false,
} as const;

/** Schema of an answer about an uncertain effect. */
const unknownSchema = {
  type: "object",
  properties: {
    happened: { type: ["boolean", "null"], description: "null: it is not known." },
    output: { description: "What it gave, where it happened." },
    reason: { type: "string" },
  },
  required: ["happened"],
  additionalProperties: false,
} as const;

/**
 * A question in the form of an AG-UI interrupt.
 *
 * @param isSecond - True for a suspicious question that is asked once more.
 */
export function toInterrupt(question: InterruptionData, isSecond: boolean): Interrupt {
  const { id, kind, toolCallId, toolName, args, agentPath, batch, expiresAt, answerJsonSchema } = question;
  const responseSchema =
    kind === "approval" ? approvalSchema : kind === "unknown_outcome" ? unknownSchema : answerJsonSchema;
  return {
    id: isSecond ? secondId(id) : id,
    reason: kind,
    message: kind === "approval" ? questionText(question) : question.question.title,
    toolCallId,
    ...(responseSchema !== undefined && { responseSchema: { ...responseSchema } }),
    ...(Number.isFinite(expiresAt) && { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { toolName, args, agentPath, ...(batch !== undefined && { batch }), question: question.question },
  };
}

import type { Question } from "../contracts/question.ts";

/** A question without values: none decides, and no answer is remembered. */
export function bareQuestion(title: string, reason: string, toolCallId: string): Question {
  const developer = { rules: [], toolCallId, remedy: "" };
  return { title, reason, level: "normal", values: [], unusual: [], remember: [], developer };
}

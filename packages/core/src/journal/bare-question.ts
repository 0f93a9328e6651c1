import type { Question } from "../contracts/question.ts";

/** Creates a question that shows no values; its answer is never remembered. */
export function bareQuestion(title: string, reason: string, toolCallId: string): Question {
  const developer = { rules: [], toolCallId, remedy: "" };
  return { title, reason, level: "normal", values: [], unusual: [], remember: [], developer };
}

import type { Question } from "../contracts/question.ts";

/** A question that is its title alone: no value decides, and no answer is remembered. */
export function bareQuestion(title: string, toolCallId: string): Question {
  const developer = { rules: [], toolCallId, remedy: "" };
  return { title, level: "normal", values: [], unusual: [], remember: [], developer };
}

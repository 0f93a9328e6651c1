import type { QuestionRecord } from "../contracts/question.ts";

/**
 * The name of a tool or an argument as a person reads it: `issue_refund`, `issueRefund` and `shop__issue-refund` in plain
 * words, without the indexes of lists.
 *
 * @param name - The name, or a path.
 */
export function nameInWords(name: string): string {
  return name
    .replaceAll(/\[\d+\]/gu, "")
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replaceAll(/[\s_.-]+/gu, " ")
    .trim()
    .toLowerCase();
}

/**
 * The record that an id stands for, as a person reads it: "Mechanical Keyboard (251.2)".
 *
 * @param record - The record.
 */
export function recordInWords({ name, amount }: QuestionRecord): string {
  return amount === undefined ? name : `${name} (${amount})`;
}

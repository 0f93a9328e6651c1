import type { InterruptionData, Question, QuestionValue } from "@bailiwick/core";

/** Maximum number of characters of a value, a quote or a sentence. */
const mostShown = 300;

const levels: Readonly<Record<Question["level"], string>> = {
  normal: "",
  unusual: "Unusual: ",
  suspicious: "Suspicious: ",
};

/**
 * A question as plain text, for chat apps such as Slack, mails and logs: the level, the effect of the call, the reason, each
 * value with its source, and unusual facts. Values of strangers are in it, so escape the text as the app requires.
 *
 * @param asked - An open question of a run, as `result.interruptions` or `GET /runs/:id/interruptions` has it, or those of
 * one `batch`: they become one text, with an item for each call.
 * @example
 * ```ts
 * import type { InterruptionData } from "@bailiwick/core";
 * import { questionText } from "@bailiwick/server";
 *
 * export const messages = (open: readonly InterruptionData[]): string[] =>
 *   [...new Set(open.map(({ batch, id }) => batch ?? id))].map((card) =>
 *     questionText(open.filter(({ batch, id }) => (batch ?? id) === card)),
 *   );
 * ```
 */
export function questionText(asked: InterruptionData | readonly InterruptionData[]): string {
  const batch = "question" in asked ? [asked] : asked;
  const [first] = batch;
  if (first === undefined) return "";
  const { question, kind, toolName } = first;
  const { reason, request } = question;
  const isOne = batch.length === 1;
  const title = isOne
    ? question.title
    : `Approve ${batch.length} calls of ${toolName}? They differ only in their values.`;
  return [
    `${levels[kind === "approval" ? question.level : "normal"]}${oneLine(title)}`,
    ...(reason === "" ? [] : [oneLine(reason)]),
    ...(request === undefined ? [] : [`You asked: "${oneLine(request)}"`]),
    ...batch.flatMap((one, index) => [
      ...(isOne ? [] : [`${index + 1}. ${oneLine(one.question.title)}`]),
      ...one.question.values.toSorted((a, b) => Number(b.decides) - Number(a.decides)).map(valueText),
      ...one.question.unusual.map(({ text }) => `! ${oneLine(text)}`),
    ]),
  ].join("\n");
}

/** A question in one line: level, effect and reason. */
export function questionLine({ question }: Pick<InterruptionData, "question">): string {
  return `${levels[question.level]}${oneLine(question.title)} ${oneLine(question.reason)}`.trim();
}

function valueText({ name, shown, decides, origin }: QuestionValue): string {
  const author = origin.author === undefined ? "" : `, written by ${oneLine(origin.author)}`;
  const quote = origin.quote === undefined ? "" : `: "${oneLine(origin.quote)}"`;
  const source = `${origin.trusted ? "" : "untrusted, "}${oneLine(origin.text)}${author}${quote}`;
  return `• ${oneLine(name)}${decides ? "" : " (content)"}: ${oneLine(shown)} (${source})`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > mostShown ? `${line.slice(0, mostShown).toWellFormed()}…` : line;
}

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
 * @param interruption - An open question of a run, as `result.interruptions` or `GET /runs/:id/interruptions` has it.
 * @example
 * ```ts
 * import type { InterruptionData } from "@bailiwick/core";
 * import { questionText } from "@bailiwick/server";
 *
 * export const messages = (open: readonly InterruptionData[]): string[] => open.map(questionText);
 * ```
 */
export function questionText({ question, kind }: InterruptionData): string {
  const { values, unusual, request } = question;
  const sorted = values.toSorted((one, other) => Number(other.decides) - Number(one.decides));
  return [
    `${levels[kind === "approval" ? question.level : "normal"]}${oneLine(question.title)}`,
    ...(question.reason === "" ? [] : [oneLine(question.reason)]),
    ...(request === undefined ? [] : [`You asked: "${oneLine(request)}"`]),
    ...sorted.map(valueText),
    ...unusual.map(({ text }) => `! ${oneLine(text)}`),
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

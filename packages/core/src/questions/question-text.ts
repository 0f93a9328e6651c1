import type { InterruptionData } from "../contracts/interruption.ts";
import { oneLine } from "./one-line.ts";
import { previewBlocks, questionView, type ViewValue } from "./question-view.ts";

/**
 * A question as plain text, for chat apps such as Slack, mails and logs: the level, the effect of the call, the reason,
 * each value with its source, and unusual facts. It contains values of strangers, so escape the text as the app
 * requires.
 *
 * @param asked - An open question of a run, as `result.interruptions` or `GET /runs/:id/interruptions` has it, or those of
 * one `batch`: they become one text, with an item for each call.
 * @example
 * ```ts
 * import type { InterruptionData } from "@bailiwick/core";
 * import { questionText } from "@bailiwick/core/questions";
 *
 * export const messages = (open: readonly InterruptionData[]): string[] =>
 *   [...new Set(open.map(({ batch, id }) => batch ?? id))].map((card) =>
 *     questionText(open.filter(({ batch, id }) => (batch ?? id) === card)),
 *   );
 * ```
 */
export function questionText(asked: InterruptionData | readonly InterruptionData[]): string {
  const shown = questionView(asked);
  if (shown === undefined) return "";
  const { level, levelName, title, reason, request, calls } = shown;
  return [
    `${level === "normal" ? "" : `${levelName}: `}${oneLine(title)}`,
    ...(reason === "" ? [] : [oneLine(reason)]),
    ...(request === undefined ? [] : [`You asked: "${oneLine(request)}"`]),
    ...calls.flatMap((call, index) => [
      ...(calls.length === 1 ? [] : [`${index + 1}. ${oneLine(call.title)}`]),
      ...call.values.map(valueText),
      ...call.facts.map((fact) => `! ${oneLine(fact)}`),
      ...previewBlocks(call).flatMap((block) => block.split(/\r\n|[\n\r\u2028\u2029]/u).map((line) => `| ${line}`)),
    ]),
  ].join("\n");
}

function valueText({ name, shown, decides, trusted, source, quote }: ViewValue): string {
  const quoted = quote === undefined ? "" : `: "${oneLine(quote)}"`;
  const from = `${trusted ? "" : "untrusted, "}${oneLine(source)}${quoted}`;
  return `• ${oneLine(name)}${decides ? "" : " (content)"}: ${oneLine(shown)} (${from})`;
}

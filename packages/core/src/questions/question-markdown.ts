import type { InterruptionData } from "../contracts/interruption.ts";
import { oneLine } from "./one-line.ts";
import { previewBlocks, questionView, type ViewValue } from "./question-view.ts";

/**
 * A question as Markdown, for issues, pull requests and chat apps that read it. Texts of strangers are escaped: they add
 * no links, images or headings.
 *
 * @param asked - An open question of a run, or those of one `batch`.
 * @example
 * ```ts
 * import type { InterruptionData } from "@bailiwick/core";
 * import { questionMarkdown } from "@bailiwick/core/questions";
 *
 * export const comment = (open: InterruptionData, url: string): string => `${questionMarkdown(open)}\n\n[Decide](${url})`;
 * ```
 */
export function questionMarkdown(asked: InterruptionData | readonly InterruptionData[]): string {
  const view = questionView(asked);
  if (view === undefined) return "";
  const { level, levelName, title, sentences, more, request, calls } = view;
  return [
    `**${level === "normal" ? "" : `${levelName}: `}${escaped(title)}**`,
    ...sentences.map(escaped),
    ...(request === undefined ? [] : [`You asked: “${escaped(request)}”`]),
    ...calls.map((call, index) =>
      [...(calls.length === 1 ? [] : [`${index + 1}\\. ${escaped(call.title)}`]), ...call.values.map(line)].join("\n"),
    ),
    ...more.map(escaped),
    ...calls.flatMap((call) => previewBlocks(call).map(fenced)),
  ].join("\n\n");
}

/** A block of code whose fence is longer than any in the text. */
function fenced(block: string): string {
  const longest = Math.max(2, ...(block.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${block}\n${fence}`;
}

function line({ name, shown, decides, trusted, source, quote }: ViewValue): string {
  const mark = trusted ? "" : "⚠ untrusted, ";
  const quoted = quote === undefined ? "" : `: “${escaped(quote)}”`;
  return `- ${escaped(name)}${decides ? "" : " (content)"}: **${escaped(shown)}** (${mark}${escaped(source)}${quoted})`;
}

/** A text that Markdown shows as it is. */
function escaped(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_{}[\]()#+!|<>~&@:]/gu, "\\$&");
}

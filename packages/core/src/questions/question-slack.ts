import type { InterruptionData } from "../contracts/interruption.ts";
import { oneLine } from "./one-line.ts";
import { checkArgument, checkKnownNames } from "../errors/value-checks.ts";
import { previewBlocks, questionView, type ViewCall, type ViewValue } from "./question-view.ts";

/** A block of a Slack message, as `chat.postMessage` takes it in `blocks`. */
export type SlackBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/** Places to which the buttons of a Slack message lead. */
export interface SlackPlaces {
  /** The page on which the question is decided. A suspicious question has no other button. */
  readonly url: string;
  /**
   * `true` adds buttons with the `action_id`s `approve` and `reject`, whose `value` is JSON with `runId` and `id`. Default
   * `false`: the message links to the page alone.
   */
  readonly buttons?: boolean | undefined;
}

/** Maximum length of the text of a section, in characters, as Slack documents it. */
const longestSection = 3_000;

/** Number of calls of a batch that the message shows; the page has all of them. */
const mostCalls = 10;

/**
 * A question as blocks of a Slack message. Texts of strangers are plain text: they make no links and mention no person. A
 * suspicious question links to a page in place of an approval, because one tap is not enough for it.
 *
 * @param asked - An open question of a run, or those of one `batch`.
 * @param places - The address of the page, and `buttons: true` for buttons in the message.
 * @throws ConfigurationError `INVALID_OPTION`, `UNKNOWN_OPTION`
 * @example
 * ```ts
 * import type { InterruptionData } from "@bailiwick/core";
 * import { questionSlack, questionText } from "@bailiwick/core/questions";
 *
 * export const message = (channel: string, open: InterruptionData, url: string): object => ({
 *   channel,
 *   text: questionText(open),
 *   blocks: questionSlack(open, { url, buttons: true }),
 * });
 * ```
 */
export function questionSlack(
  asked: InterruptionData | readonly InterruptionData[],
  places: SlackPlaces,
): readonly SlackBlock[] {
  const view = questionView(asked);
  const open = "question" in asked ? [asked] : asked;
  const [first] = open;
  if (first === undefined || view === undefined) return [];
  checkArgument(places, "object", "questionSlack(): the places as { url, buttons }");
  checkKnownNames(places, ["url", "buttons"], "questionSlack()");
  const { url, buttons = false } = places;
  const { level, levelName, title, sentences, more, request, calls } = view;
  const decides = buttons && open.length === 1 && view.kind === "approval";
  const value = JSON.stringify({ runId: first.runId, id: first.id });
  return [
    section(`${level === "normal" ? "" : `${level === "suspicious" ? "🛑" : "⚠️"} ${levelName}: `}${oneLine(title)}`),
    section([...sentences, ...(request === undefined ? [] : [`You asked: “${request}”`])].map(oneLine).join("\n")),
    ...calls
      .slice(0, mostCalls)
      .flatMap((call, index) => [
        section(callText(call, calls.length === 1 ? undefined : index + 1)),
        ...previewBlocks(call).map(section),
      ]),
    ...more.map((text) => section(oneLine(text))),
    {
      type: "actions",
      elements: [
        ...(decides && !view.needsAcknowledgement ? [button("approve", "Approve", { value, style: "primary" })] : []),
        ...(decides ? [button("reject", "Reject", { value })] : []),
        button("open", view.needsAcknowledgement ? "Check the values and decide" : "Open", { url }),
      ],
    },
  ].filter((block) => !("text" in block) || (block.text as { text: string }).text !== "");
}

function callText({ title, values }: ViewCall, number: number | undefined): string {
  return [...(number === undefined ? [] : [`${number}. ${oneLine(title)}`]), ...values.map(valueText)].join("\n");
}

function valueText({ name, shown, decides, trusted, source, quote }: ViewValue): string {
  const quoted = quote === undefined ? "" : `: “${oneLine(quote)}”`;
  const mark = trusted ? "" : "⚠️ untrusted, ";
  return `• ${oneLine(name)}${decides ? "" : " (content)"}: ${oneLine(shown)} (${mark}${oneLine(source)}${quoted})`;
}

function section(text: string): SlackBlock {
  const cut = text.length > longestSection ? `${text.slice(0, longestSection - 1).toWellFormed()}…` : text;
  return { type: "section", text: { type: "plain_text", text: cut, emoji: true } };
}

function button(actionId: string, text: string, more: object): object {
  return { type: "button", action_id: actionId, text: { type: "plain_text", text }, ...more };
}

import type { InterruptionData } from "../contracts/interruption.ts";
import { oneLine } from "./one-line.ts";
import { previewBlocks, questionView, type QuestionView, type ViewCall, type ViewValue } from "./question-view.ts";

const colors: Readonly<Record<QuestionView["level"], string>> = {
  normal: "#3f5566",
  unusual: "#8a5a00",
  suspicious: "#b3261e",
};

/**
 * A question as an HTML fragment for mails and pages without JavaScript: inline styles alone, all texts escaped. Put
 * your own link or form behind it. A question of level `suspicious` needs a second act: link to a page, or put a
 * checkbox that has to be checked into the form.
 *
 * @param asked - An open question of a run, or those of one `batch`.
 * @example
 * ```ts
 * import type { InterruptionData } from "@bailiwick/core";
 * import { questionHtml } from "@bailiwick/core/questions";
 *
 * export const mail = (open: InterruptionData, url: URL): string =>
 *   `${questionHtml(open)}<p><a href="${url.href}">Open and decide</a></p>`;
 * ```
 */
export function questionHtml(asked: InterruptionData | readonly InterruptionData[]): string {
  const view = questionView(asked);
  if (view === undefined) return "";
  const { level, levelName, title, sentences, more, request, calls } = view;
  const color = colors[level];
  return [
    `<section style="font:16px/1.5 system-ui,sans-serif;max-width:40em;border-inline-start:4px solid ${color};padding-inline-start:16px">`,
    levelName === "" ? "" : `<p style="margin:0;color:${color};font-weight:700">${levelName}</p>`,
    `<h2 dir="auto" style="margin:0 0 8px;font-size:20px">${escaped(title)}</h2>`,
    ...sentences.map(paragraph),
    request === undefined ? "" : `<p style="margin:0 0 8px">You asked: <q dir="auto">${escaped(request)}</q></p>`,
    ...calls.map((call, index) => callHtml(call, calls.length === 1 ? undefined : index + 1)),
    ...more.map(paragraph),
    "</section>",
  ].join("");
}

const paragraph = (text: string): string => `<p dir="auto" style="margin:0 0 8px">${escaped(text)}</p>`;

function callHtml(call: ViewCall, number: number | undefined): string {
  const { title, values } = call;
  const heading =
    number === undefined
      ? ""
      : `<h3 dir="auto" style="margin:8px 0 0;font-size:16px">${number}. ${escaped(title)}</h3>`;
  return `${heading}<ul style="margin:0 0 8px;padding-inline-start:20px">${values.map(valueHtml).join("")}</ul>${previewBlocks(call).map(previewHtml).join("")}`;
}

function previewHtml(block: string): string {
  return `<pre dir="auto" style="margin:0 0 8px;padding:8px;border:1px solid #c4ccd3;overflow:auto;font-size:13px">${escapedPart(block)}</pre>`;
}

function valueHtml({ name, shown, decides, trusted, source, quoteParts }: ViewValue): string {
  const label = `${escaped(name)}${decides ? "" : " (content)"}`;
  const from = `${trusted ? "" : `<strong style="color:${colors.suspicious}">⚠ untrusted</strong>, `}${escaped(source)}`;
  const { before = "", value = "", after = "" } = quoteParts ?? {};
  const quote =
    quoteParts === undefined
      ? ""
      : `<br><q dir="auto">${escapedPart(before)}<mark>${escapedPart(value)}</mark>${escapedPart(after)}</q>`;
  return `<li>${label}: <strong dir="auto">${escaped(shown)}</strong><br><small>${from}${quote}</small></li>`;
}

const escaped = (text: string): string => escapedPart(oneLine(text));

const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escapedPart = (text: string): string => text.replaceAll(/[&<>"']/gu, (sign) => signs[sign] ?? sign);

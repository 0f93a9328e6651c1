import { nameInWords, recordInWords } from "./name-in-words.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import type { InterruptionData } from "../contracts/interruption.ts";
import type { QuestionPreview } from "../contracts/preview.ts";
import type { Question, QuestionLevel, QuestionValue, Remembering, UnusualFact } from "../contracts/question.ts";

/** A value with the text around it in its source, in three parts; `value` is empty if the text does not contain it. */
export interface ViewQuote {
  /** Text before the value. */
  readonly before: string;
  /** The value. */
  readonly value: string;
  /** Text after the value. */
  readonly after: string;
}

/** A value of a call, as every channel shows it. */
export interface ViewValue {
  /** Path of the value in the arguments, with indexes, such as `to[0].mail`. */
  readonly path: string;
  /** Name of the argument as a person reads it, or its path. */
  readonly name: string;
  /** The value in a readable form; secrets and hidden characters are replaced. */
  readonly shown: string;
  /** True if the value decides the effect and its target; other values are content. */
  readonly decides: boolean;
  /** True if the source of the value is trusted: the user, your code, or a field with declared integrity. */
  readonly trusted: boolean;
  /** Source of the value in words, with its author and the number of such values in the source. */
  readonly source: string;
  /** True if a person has to look at it: its source is untrusted, or has several such values. */
  readonly doubtful: boolean;
  /** The value with the text around it in the source. */
  readonly quote?: string | undefined;
  /** The same text in parts, so that the value can be marked. */
  readonly quoteParts?: ViewQuote | undefined;
}

/** One call of a question. */
export interface ViewCall {
  /** Id of its question. */
  readonly id: string;
  /** One sentence: the effect of an approval of this call. */
  readonly title: string;
  /** Deciding values first. */
  readonly values: readonly ViewValue[];
  /** Unusual facts that neither the reason nor the values show. */
  readonly facts: readonly string[];
  /** Content of the call that the values do not show in full; absent if there is none. */
  readonly content?: unknown;
  /** Description of what the call would do, from the tool's `preview`. */
  readonly preview?: ViewPreview | undefined;
}

/** A description of what a call would do. Its lines are content: show them in a separate frame. */
export interface ViewPreview {
  /** The text, of several lines. */
  readonly text?: string | undefined;
  /** The difference, in the form of `diff -u`. */
  readonly diff?: string | undefined;
}

/** A scope in which an answer can be remembered. */
export interface ViewRemembering {
  /** Value of `remember` in the decision. */
  readonly value: Remembering;
  /** The scope in words: "to calls with the same deciding values". */
  readonly text: string;
}

/** A question, or the questions of one batch, as every channel shows it. */
export interface QuestionView {
  /** Kind of the decision. */
  readonly kind: InterruptionData["kind"];
  /** Level of an approval. Other questions are `normal`, because they allow nothing. */
  readonly level: QuestionLevel;
  /** Name of the level for people; empty for a question that is not an approval. */
  readonly levelName: string;
  /** One sentence: the question, or the effect of an approval. */
  readonly title: string;
  /** Sentences for people: why a person is asked. Empty if there is no reason beyond the title. */
  readonly reason: string;
  /** The user's words that asked for the call, as far as they fit; absent if they do not fit. */
  readonly request?: string | undefined;
  /**
   * At most three sentences that a person reads before the values: the reason, then unusual facts. With level, title and
   * request they have at most 200 characters, unless the title of the tool's `describeCall` or the reason is longer.
   */
  readonly sentences: readonly string[];
  /** The other unusual facts, for below the values. */
  readonly more: readonly string[];
  /** The agents from the outer one to the one that asks, and its tool: "desk › mails, refund". */
  readonly asker: string;
  /** True if one yes is not enough: the person says in a second, separate act that the values were checked. */
  readonly needsAcknowledgement: boolean;
  /** Scopes in which the answer can be remembered. */
  readonly remember: readonly ViewRemembering[];
  /** The call that the question is about, or all calls of a batch. */
  readonly calls: readonly ViewCall[];
}

/** The part of a question that its view is made of. */
export type ViewedQuestion = Pick<InterruptionData, "id" | "kind" | "toolName" | "agentPath" | "question">;

const mostSentences = 3;

/** Characters that a person reads before the values. */
const headShown = 200;

/** A shorter beginning of the request says nothing. */
const leastRequest = 24;

const rememberings: Readonly<Record<Remembering, string>> = {
  call: "to the same call in this conversation",
  tool: "to every call of this tool in this conversation",
  values: "to calls with the same deciding values",
};

const levelNames: Readonly<Record<QuestionLevel, string>> = {
  normal: "Usual",
  unusual: "Unusual",
  suspicious: "Suspicious",
};

/** Facts that the line of their value shows: its source, and the number of such values in the source. */
const shownByValue: ReadonlySet<UnusualFact["kind"]> = new Set(["untrusted_destination", "several_candidates"]);

/**
 * Selects the facts of a question and puts them into words. Every channel renders the result without additions: the
 * pages of the studio and of `@bailiwick/react`, the command line, plain text, mail, Slack, Markdown, chat, MCP and
 * AG-UI.
 *
 * @param asked - An open question, or those of one batch.
 * @returns `undefined` for an empty list.
 * @throws ConfigurationError `INVALID_OPTION` for a value that is not a question.
 * @example
 * ```ts
 * import type { InterruptionData } from "@bailiwick/core";
 * import { questionView } from "@bailiwick/core/questions";
 *
 * export const isSerious = (open: InterruptionData): boolean => questionView(open)?.needsAcknowledgement === true;
 * ```
 */
export function questionView(asked: ViewedQuestion | readonly ViewedQuestion[]): QuestionView | undefined {
  const batch = listOf(asked);
  const [first] = batch;
  if (first === undefined) return undefined;
  const { kind, toolName, agentPath, question } = first;
  const level = kind === "approval" ? question.level : "normal";
  const calls = batch.map(viewCall);
  const title =
    batch.length === 1
      ? question.title
      : `Approve ${batch.length} calls of "${nameInWords(toolName)}"? They differ only in their values.`;
  const levelName = kind === "approval" ? levelNames[level] : "";
  const head = headOf(`${level === "normal" ? "" : `${levelName}: `}${title}`, question, calls);
  return {
    kind,
    level,
    levelName,
    title,
    reason: question.reason,
    ...head,
    asker: `${agentPath.join(" › ")}, ${nameInWords(toolName)}`,
    needsAcknowledgement: level === "suspicious",
    remember: question.remember.map((value) => ({ value, text: rememberings[value] })),
    calls,
  };
}

/** Divides the sentences into those before the values and those below them, and cuts the request. */
function headOf(
  title: string,
  { reason, request }: Question,
  calls: readonly ViewCall[],
): Pick<QuestionView, "sentences" | "more" | "request"> {
  const told = [...new Set([reason, ...calls.flatMap(({ facts }) => facts)])].filter((text) => text !== "");
  let room = headShown - title.length;
  let count = 0;
  // Without a reason, the first fact is it.
  while (count < Math.min(told.length, mostSentences) && (count === 0 || (told[count]?.length ?? 0) <= room)) {
    room -= told[count]?.length ?? 0;
    count += 1;
  }
  const asked = "You asked: ".length + 3;
  const words = request === undefined || room - asked < Math.min(leastRequest, request.length) ? undefined : request;
  return {
    sentences: told.slice(0, count),
    more: told.slice(count),
    ...(words !== undefined && { request: cutAt(words, room - asked) }),
  };
}

function cutAt(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function listOf(asked: ViewedQuestion | readonly ViewedQuestion[]): readonly ViewedQuestion[] {
  const batch: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
  if (batch.every(isQuestion)) return batch;
  throw new ConfigurationError(
    "INVALID_OPTION",
    "This is not a question. Give an open question of a run, or a list of them.",
  );
}

function isQuestion(given: unknown): given is ViewedQuestion {
  return typeof given === "object" && given !== null && "question" in given;
}

function viewCall({ id, question }: ViewedQuestion): ViewCall {
  const { title, reason, values, unusual, payload, preview } = question;
  const paths = new Set(values.map(({ path }) => path));
  const shown = values.toSorted((one, other) => Number(other.decides) - Number(one.decides)).map(viewValue);
  const content = unlisted(payload, values);
  return {
    id,
    title,
    values: shown,
    facts: unusual
      .filter(({ kind, path, text }) => !(shownByValue.has(kind) && paths.has(path ?? "")) && !reason.includes(text))
      .map(({ text }) => text),
    ...(content !== undefined && { content }),
    ...(preview !== undefined && { preview: viewPreview(preview) }),
  };
}

function viewPreview({ text, diff }: QuestionPreview): ViewPreview {
  return { ...(text !== undefined && { text }), ...(diff !== undefined && { diff }) };
}

/** The blocks of a preview, in the order in which a person reads them. */
export function previewBlocks({ preview }: ViewCall): readonly string[] {
  return [preview?.text, preview?.diff].filter((block) => block !== undefined && block !== "") as string[];
}

/** The content without the fields that the list of values shows in full. */
function unlisted(payload: Question["payload"], values: Question["values"]): unknown {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return payload;
  const shown = new Map(values.map((value) => [value.path, value.shown]));
  const rest = Object.entries(payload).filter(([name, value]) => shown.get(name) !== String(value));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function viewValue({ path, name, shown, record, decides, origin, candidates = 1 }: QuestionValue): ViewValue {
  const author = origin.author === undefined ? "" : `, written by ${origin.author}`;
  const others = candidates > 1 ? `, one of ${candidates} such values` : "";
  const { quote, trusted } = origin;
  return {
    path,
    name: nameOfValue(name),
    shown: record === undefined ? shown : `${recordInWords(record)}, ${shown}`,
    decides,
    trusted,
    source: `${origin.text}${author}${others}`,
    doubtful: !trusted || candidates > 1,
    ...(quote !== undefined && { quote, quoteParts: quoteParts(quote, shown) }),
  };
}

/** The name of an argument without the sign of a list's item. */
function nameOfValue(name: string): string {
  return (
    name
      .replaceAll(/\[\d+\]/gu, "")
      .replaceAll("_", " ")
      .trim() || name
  );
}

function quoteParts(quote: string, shown: string): ViewQuote {
  const at = quote.indexOf(shown);
  if (at < 0 || shown === "") return { before: quote, value: "", after: "" };
  return { before: quote.slice(0, at), value: shown, after: quote.slice(at + shown.length) };
}

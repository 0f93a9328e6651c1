import type { InterruptionData } from "../contracts/interruption.ts";
import type { Question, QuestionLevel, QuestionValue, UnusualFact } from "../contracts/question.ts";

/** A value of a call, as every channel shows it. */
export interface ShownValue {
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
  /** The value with the text around it in the source. */
  readonly quote?: string | undefined;
}

/** One call of a question. */
export interface ShownCall {
  /** One sentence: the effect of an approval of this call. */
  readonly title: string;
  /** Deciding values first. */
  readonly values: readonly ShownValue[];
  /** Unusual facts that neither the reason nor the values show. */
  readonly facts: readonly string[];
}

/** A question, or the questions of one batch, as every channel shows it. */
export interface ShownQuestion {
  /** Level of an approval. Other questions are `normal`, because they allow nothing. */
  readonly level: QuestionLevel;
  /** Name of the level for people; empty for a question that is not an approval. */
  readonly levelName: string;
  /** One sentence: the question, or the effect of an approval. */
  readonly title: string;
  /** Sentences for people: why a person is asked. Empty if there is no reason beyond the title. */
  readonly reason: string;
  /** The user's words that asked for the call. */
  readonly request?: string | undefined;
  /** The call that the question is about, or all calls of a batch. */
  readonly calls: readonly ShownCall[];
}

const levelNames: Readonly<Record<QuestionLevel, string>> = {
  normal: "Usual",
  unusual: "Unusual",
  suspicious: "Suspicious",
};

/** Facts that the line of their value shows: its source, and the number of such values in the source. */
const shownByValue: ReadonlySet<UnusualFact["kind"]> = new Set(["untrusted_destination", "several_candidates"]);

/**
 * Selects the facts of a question and puts them into words. Every channel renders the result without additions: the
 * studio, the command line, plain text, chat, MCP and AG-UI.
 *
 * @param asked - An open question, or those of one batch.
 */
export function shownQuestion(
  asked:
    | Pick<InterruptionData, "kind" | "toolName" | "question">
    | readonly Pick<InterruptionData, "kind" | "toolName" | "question">[],
): ShownQuestion | undefined {
  const batch = "question" in asked ? [asked] : asked;
  const [first] = batch;
  if (first === undefined) return undefined;
  const { kind, toolName, question } = first;
  const level = kind === "approval" ? question.level : "normal";
  return {
    level,
    levelName: kind === "approval" ? levelNames[level] : "",
    title:
      batch.length === 1
        ? question.title
        : `Approve ${batch.length} calls of ${toolName}? They differ only in their values.`,
    reason: question.reason,
    ...(question.request !== undefined && { request: question.request }),
    calls: batch.map((one) => shownCall(one.question)),
  };
}

function shownCall({ title, reason, values, unusual }: Question): ShownCall {
  const paths = new Set(values.map(({ path }) => path));
  return {
    title,
    values: values.toSorted((one, other) => Number(other.decides) - Number(one.decides)).map(shownValue),
    facts: unusual
      .filter(({ kind, path, text }) => !(shownByValue.has(kind) && paths.has(path ?? "")) && !reason.includes(text))
      .map(({ text }) => text),
  };
}

function shownValue({ path, name, shown, decides, origin, candidates = 1 }: QuestionValue): ShownValue {
  const author = origin.author === undefined ? "" : `, written by ${origin.author}`;
  const others = candidates > 1 ? `, one of ${candidates} such values` : "";
  return {
    path,
    name,
    shown,
    decides,
    trusted: origin.trusted,
    source: `${origin.text}${author}${others}`,
    ...(origin.quote !== undefined && { quote: origin.quote }),
  };
}

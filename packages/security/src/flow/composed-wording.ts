import type { Grant, GrantArgument, ResolvedTool } from "@bailiwick/core";

import { lettersOf } from "./decoded-values.ts";
import type { FlowState } from "./flow-state.ts";
import { namesPayload } from "./guess-arguments.ts";
import { wordsOfName } from "./guess-words.ts";
import { isWithin, normalPath, stepsOf } from "./paths.ts";
import { textOf } from "./question-text.ts";

/** The words of the user's newest message, and everything that the planner grants for it. */
interface NewestWords {
  readonly texts: readonly string[];
  readonly grants: readonly Grant[];
}

const spokenDate =
  /\b\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|\b\d{1,2}(?::\d{2})?\s?(?:am|pm|h|uhr)\b|\b\d{1,2}:\d{2}\b|\b(?:today|tomorrow|tonight|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)\b/iu;
const quotations = /["“”„«»]([^"“”„«»]*\s[^"“”„«»]*)["“”„«»]/gu;
const dateWords: ReadonlySet<string> = new Set(["date", "time", "day", "start", "end", "deadline", "due", "when"]);

/**
 * [grants.composed] Refuses a grant of the planner where a narrower form fits: for a date in the request, for a text
 * that the user quotes and no grant contains, and for an argument whose name says that it decides.
 *
 * @returns the reason, as the end of a sentence about the grant.
 */
export function composedProblem(
  grant: Grant,
  tools: readonly ResolvedTool[],
  state: Pick<FlowState, "roles">,
  { texts, grants }: NewestWords,
): string | undefined {
  const tool = tools.find(({ name }) => name === grant.tool);
  const composed = Object.keys(grant.args).filter((path) => "composed" in (grant.args[path] as object));
  if (tool === undefined || composed.length === 0) return undefined;
  if (texts.some((text) => hasOpenQuotation(text, grants)))
    return "lets the model compose a text, and the request quotes words that no grant holds.";
  const speaksOfDate = texts.some((text) => spokenDate.test(text));
  const { declared } = state.roles(tool);
  const isContent = (path: string): boolean =>
    declared.some((one) => one.role === "payload" && isWithin(normalPath(path), one.path)) ||
    namesPayload(lastName(path));
  for (const path of composed) {
    const isDate = wordsOfName(lastName(path)).some((word) => dateWords.has(word));
    if (isDate && speaksOfDate) return `lets the model compose "${path}", and the request says a date.`;
    if (!isDate && !isContent(path)) return `lets the model compose "${path}", which is not content.`;
  }
  return undefined;
}

/** Tells if a text quotes words that no grant holds: the title of a page is in the reference that finds it. */
function hasOpenQuotation(text: string, grants: readonly Grant[]): boolean {
  const held = grants.flatMap(({ args }) => Object.values(args).flatMap(wordsOf)).map(lettersOf);
  return [...text.matchAll(quotations)].some(([, quoted = ""]) => !held.some((one) => one.includes(lettersOf(quoted))));
}

/** The words that a grant fixes in one argument, or uses to find its value. */
function wordsOf(argument: GrantArgument): readonly string[] {
  if ("eq" in argument) return [textOf(argument.eq)];
  if ("oneOf" in argument) return argument.oneOf.map(textOf);
  if ("template" in argument) return [argument.template];
  const found = "ref" in argument ? argument.ref : "the" in argument ? argument.in : undefined;
  return found === undefined
    ? []
    : [...Object.values({ ...found.args }), ...Object.values({ ...found.where })].map(textOf);
}

function lastName(path: string): string {
  const name = (stepsOf(path) ?? []).findLast((step) => typeof step === "string");
  return typeof name === "string" ? name : path;
}

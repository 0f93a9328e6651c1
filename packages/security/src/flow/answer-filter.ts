import type { FlowOptions, TextFilter } from "@bailiwick/core";

import { guardAnswer, scanPieces } from "./answer-guard.ts";
import { cleanConstruct } from "./r8-answer.ts";
import type { AnswerSources } from "./r8-answer.ts";

/** Replaces the earlier text of the same line. */
const inLine = "\u0000";

/** Closes the constructs that are open at the end of the text. */
const emptyLine = "\n\n";

/**
 * Cleans an answer that arrives in pieces: text that could still become a link or a tag is held until it is complete.
 * The result passes a guard, which makes inert the parts that a viewer could still fetch or follow [flow.r8.streams].
 */
export function createAnswerFilter(options: FlowOptions, sources: AnswerSources): TextFilter {
  const cleaner = scanPieces({
    beginnings: /[<[!]/u,
    candidates: /[<[!]/gu,
    read({ window, line, ended, isLast }) {
      const end = constructEnd(isLast ? window + emptyLine : window, 0);
      if (end === open && !ended) return "wait";
      if (isLast && /^<(?:style|script)\b/iu.test(window)) return { taken: window.length, given: "" };
      // Text without an end is no construct: its content is checked by itself.
      if (end === open) return { taken: 1, given: window.charAt(0) };
      const before = startsDefinition(line) ? "" : inLine;
      const given = cleanConstruct(before + window.slice(0, end), options, sources).slice(before.length);
      return { taken: Math.min(end, window.length), given };
    },
  });
  const guard = guardAnswer(options, sources);
  return {
    push: (text) => guard.push(cleaner.push(text)),
    end: () => guard.push(cleaner.end()) + guard.end(),
  };
}

/** Cleans a whole answer. */
export function cleanAnswer(text: string, options: FlowOptions, sources: AnswerSources): string {
  const filter = createAnswerFilter(options, sources);
  return filter.push(text) + filter.end();
}

/** True if only blanks and marks of a quotation or list precede on the line, so that a link definition may begin. */
function startsDefinition(line: string): boolean {
  return /^[\s>*+\-\d.)]*$/u.test(line);
}

/** Position of an end that has not arrived. */
const open: number = Number.POSITIVE_INFINITY;

/** End of the construct that starts at a position. */
function constructEnd(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === "<") return tagEnd(text, at);
  if (character === "[") return bracketEnd(text, at);
  if (at + 1 === text.length) return open;
  return text[at + 1] === "[" ? bracketEnd(text, at + 1) : at + 1;
}

function tagEnd(text: string, at: number): number {
  if (at + 1 === text.length) return open;
  if (!/[!/a-z]/iu.test(text.charAt(at + 1))) return at + 1;
  const block = /^<(style|script)\b/iu.exec(text.slice(at, at + 8))?.[1];
  const close = block === undefined ? at : text.toLowerCase().indexOf(`</${block.toLowerCase()}`, at);
  return close < 0 ? open : endAfter(text, ">", close);
}

/** End of a character that is searched from a position. */
function endAfter(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at < 0 ? open : at + 1;
}

/** A bracket that may begin `[text](url)`, `![alt](url)`, `[text][id]` or `[id]: url`. */
function bracketEnd(text: string, at: number): number {
  const close = closing(text, at, "[", "]");
  if (close < 0) return at + 1;
  const next = text[close + 1];
  if (next === undefined) return open;
  if (next === "(" || next === "[") {
    const end = closing(text, close + 1, next, next === "(" ? ")" : "]");
    return end < 0 ? close + 1 : end + 1;
  }
  if (next !== ":") return close + 1;
  const line = endAfter(text, "\n", close + 2);
  // The URL of a definition may be on the next line.
  return text.slice(close + 2, line).trim() === "" ? endAfter(text, "\n", line) : line;
}

/** The closing bracket; -1 where a blank line says that it will not come. */
function closing(text: string, at: number, opens: string, closes: string): number {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === opens) depth += 1;
    else if (character === closes) {
      depth -= 1;
      if (depth === 0) return index;
    } else if (character === "\n" && text[index + 1] === "\n") return -1;
  }
  return open;
}

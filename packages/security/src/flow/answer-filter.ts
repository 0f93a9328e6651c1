import type { FlowOptions, TextFilter } from "@bailiwick/core";

import { cleanAnswer, mayHoldLink, plainUrl } from "./r8-answer.ts";
import type { AnswerSources } from "./r8-answer.ts";

/** Characters that are held back at most while a link or tag is open; a longer one becomes text. */
const longestOpen = 4_096;

/** Stands for what was given before of the same line. */
const inLine = "\u0000";

/** [flow.r8.streams] Cleans an answer that arrives in pieces: what could still become a link or a tag waits for its end. */
export function createAnswerFilter(options: FlowOptions, sources: AnswerSources): TextFilter {
  let held = "";
  // Whether nothing but blanks was given before on the same line: there, and only there, a link definition may begin.
  let startsLine = true;
  const clean = (text: string): string => {
    const before = startsLine ? "" : inLine;
    const cleaned = mayHoldLink(text) ? cleanAnswer(before + text, options, sources).slice(before.length) : text;
    startsLine = endsAtLineStart(cleaned, startsLine);
    return cleaned;
  };
  return {
    push(text) {
      held += text;
      const open = openFrom(held);
      const ready = clean(held.slice(0, open));
      held = held.slice(open);
      if (held.length <= longestOpen) return ready;
      const broken = asText(held);
      held = "";
      return ready + broken;
    },
    end() {
      return clean(held);
    },
  };
}

/** Whether nothing but blanks stands on the last line of a text; `before` says it of what came before the text. */
function endsAtLineStart(text: string, before: boolean): boolean {
  let end = text.length;
  while (text[end - 1] === " " || text[end - 1] === "\t") end -= 1;
  return end === 0 ? before : text[end - 1] === "\n";
}

/** What is too long to be a link that anyone gave, as text that no viewer reads as one. */
function asText(held: string): string {
  return plainUrl(held).replaceAll("<", "&lt;").replaceAll("[", "\\[");
}

const schemes = ["http://", "https://", "ftp://", "ws://", "wss://", "www."];

/** Where something ends whose end has not come. */
const open: number = Number.POSITIVE_INFINITY;

/** Where the first construct starts that is still open; the end of the text when there is none. */
export function openFrom(text: string): number {
  let at = nextBeginning(text, 0);
  while (at < text.length) {
    const end = constructEnd(text, at);
    if (end === open) return at;
    at = nextBeginning(text, end);
  }
  return text.length;
}

/** The characters that a link or a tag can begin with. */
const beginnings = /[<[!hfwHFW]/gu;

/** Where the next of them stands; the end of the text when there is none. */
function nextBeginning(text: string, from: number): number {
  beginnings.lastIndex = from;
  return beginnings.test(text) ? beginnings.lastIndex - 1 : text.length;
}

/** Where what starts at a place ends. */
function constructEnd(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === "<") return tagEnd(text, at);
  if (character === "[") return bracketEnd(text, at);
  if (character === "!") {
    if (at + 1 === text.length) return open;
    return text[at + 1] === "[" ? bracketEnd(text, at + 1) : at + 1;
  }
  return isWord(text.charAt(at - 1)) ? at + 1 : linkEnd(text, at);
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character);
}

function tagEnd(text: string, at: number): number {
  if (at + 1 === text.length) return open;
  if (!/[!/a-z]/iu.test(text.charAt(at + 1))) return at + 1;
  const block = /^<(style|script)\b/iu.exec(text.slice(at, at + 8))?.[1];
  const close = block === undefined ? at : text.toLowerCase().indexOf(`</${block.toLowerCase()}`, at);
  return close < 0 ? open : endAfter(text, ">", close);
}

/** Where a character ends that is looked for from a place on. */
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
  // The URL of a definition may stand on the next line.
  return text.slice(close + 2, line).trim() === "" ? endAfter(text, "\n", line) : line;
}

/** The closing bracket; -1 where a blank line says that it will not come. */
function closing(text: string, at: number, opens: string, closes: string): number {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const character = text[index];
    if (character === opens) depth += 1;
    else if (character === closes) {
      depth -= 1;
      if (depth === 0) return index;
    } else if (character === "\n" && text[index + 1] === "\n") return -1;
  }
  return open;
}

function linkEnd(text: string, at: number): number {
  const rest = text.slice(at, at + 8).toLowerCase();
  const mayGrow = at + rest.length === text.length;
  if (mayGrow && schemes.some((scheme) => scheme.startsWith(rest))) return open;
  if (!schemes.some((scheme) => rest.startsWith(scheme))) return at + 1;
  const end = text.slice(at).search(/[\s<>"'`\])]/u);
  return end < 0 ? open : at + end;
}

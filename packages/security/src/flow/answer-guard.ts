import type { FlowOptions, TextFilter } from "@bailiwick/core";
import { hostAllowed, keptTag, mayLink, urlOf, cleanConstruct, type AnswerSources } from "./r8-answer.ts";
import { inertLink } from "./inert-link.ts";

/** Checks of a guard on a URL. */
interface Judge {
  readonly fetchable: (url: string) => boolean;
  readonly linkable: (url: string) => boolean;
}

/** An image that every viewer parses alike. No character of its label could end it early. */
const image = /^!\[[^[\]\\<>`\n]*\]\((<[^<>\\\s]*>|[^\s()<>\\]*)(?:[ \t]+"[^"\\\n]*")?\)/u;
const imageSoFar = /^!\[[^[\]\\<>`\n]*(?:\](?:\((?:<[^<>\\\s]*>?|[^\s()<>\\]*)(?:[ \t]+(?:"[^"\\\n]*"?)?)?)?)?$/u;

/**
 * The last check of an answer. Text that still reads as a forbidden image, tag or link is made inert in place.
 * Nothing is removed here, so that no new construct can form [flow.r8].
 */
export function guardAnswer(options: FlowOptions, sources: AnswerSources): TextFilter {
  const hosts = options.allowedHosts ?? [];
  const judge: Judge = {
    fetchable: (url) => hostAllowed(url, hosts),
    linkable: (url) => mayLink(url, options, sources),
  };
  return scanPieces({
    beginnings: /[!\]<:/w]/iu,
    candidates: /[!\]<:]|\/(?=\/|$)|w(?=w{0,2}$|ww\.)/giu,
    read(reading) {
      const { window, ended } = reading;
      const next = window[1];
      if (next === undefined) return ended ? as(window, 1) : "wait";
      switch (window.charAt(0)) {
        case "!":
          return next === "[" ? readImage(reading, judge) : as("!", 1);
        case "]":
          if (next === "(") return readTarget(reading, judge);
          return next === ":" ? readDefinition(reading, judge) : as("]", 1);
        case "<":
          return readTag(reading, judge);
        case "/":
          return readSlashes(reading);
        default:
          return readLink(reading, judge);
      }
    },
  });
}

/** Replaces some characters of a text. */
function as(given: string, taken: number): Step {
  return { given, taken };
}

function readImage({ window, ended }: Reading, { fetchable }: Judge): Step | "wait" {
  if (!ended && imageSoFar.test(window)) return "wait";
  const [whole = "", inner = ""] = image.exec(window) ?? [];
  if (fetchable(urlOf(inner))) return as(whole, whole.length);
  return as("!\\[", 2);
}

/** `](`: the target of a link follows. */
function readTarget({ window, ended }: Reading, { linkable }: Judge): Step | "wait" {
  const end = targetEnd(window);
  if (end === undefined && !ended) return "wait";
  const target = window.slice(0, end);
  return end !== undefined && linkable(urlOf(target.slice(2))) ? as(target, end) : as("]\\(", 2);
}

/** End of the URL after `](`: a blank or the closing parenthesis; `undefined` if it has not arrived. */
function targetEnd(window: string): number | undefined {
  let at = 2 + /^\s*/u.exec(window.slice(2))![0].length;
  if (window[at] === "<") {
    const close = window.indexOf(">", at);
    return close < 0 ? undefined : close + 1;
  }
  for (let depth = 0; at < window.length; at += 1) {
    const character = window.charAt(at);
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth < 0 || character.trim() === "") return at;
  }
  return undefined;
}

/** `]:` after a label at the beginning of a line: the target of links with that label may follow. */
function readDefinition({ window, line, ended }: Reading, { linkable }: Judge): Step | "wait" {
  const url = window
    .slice(2)
    .replace(/^[ \t]*(?:\n[ \t>]*)?/u, "")
    .replace(/\s.*$/su, "");
  if (!ended && window.endsWith(url)) return "wait";
  const begins = /^[\s>*+\-\d.)]*\[/u.test(line) || !line.includes("[");
  const leads = /^(?:[<\\/&]|[a-z][a-z0-9+.-]*:)/iu.test(url);
  return begins && leads && !linkable(urlOf(url)) ? as("]\\:", 2) : as("]:", 2);
}

function readTag(reading: Reading, { fetchable, linkable }: Judge): Step | "wait" {
  const { window, ended } = reading;
  if (!/^<[a-z/]/iu.test(window)) return readMail(reading);
  const close = window.indexOf(">");
  if (close < 0) return ended ? as(lessThan(reading), 1) : "wait";
  const found = window.slice(0, close + 1);
  // Any scheme counts: a program of the reader may handle it.
  const link = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>$/iu.exec(found)?.[1];
  const stays =
    link !== undefined
      ? linkable(link)
      : /^<\/[a-z][\w:-]*\s*>$/iu.test(found) || keptTag(found, fetchable, linkable) === found;
  return stays ? as(found, found.length) : as(lessThan(reading), 1);
}

/** `<` as text. A link that is before it would continue with it, and ends at a blank. */
function lessThan({ line }: Reading): string {
  return line.length >= lineBegins || /(?::\/\/|www\.|@)\S*$/iu.test(line) ? " &lt;" : "&lt;";
}

/** `<` that does not begin a tag: a comment, nothing, or an address in angle brackets whose name begins with a sign. */
function readMail(reading: Reading): Step | "wait" {
  const { window, ended } = reading;
  const [mail] = /^<[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+>/u.exec(window) ?? [];
  if (mail !== undefined) return as(lessThan(reading), 1);
  return !ended && /^<[\w.!#$%&'*+/=?^`{|}~-]+(?:@[\w.-]*)?$/u.test(window) ? "wait" : as("<", 1);
}

/** `//`: some viewers turn the text that follows into a link even without a scheme. */
function readSlashes({ window, last, ended }: Reading): Step | "wait" {
  const [, authority = "", after = ""] = /^\/\/([^\s<>/?#]*)(.?)/su.exec(window)!;
  if (!ended && after === "") return "wait";
  // Dots in brackets belong to a link that was made inert before.
  const leads = authority.replaceAll("[.]", "").includes(".") && (/[/?#]/u.test(after) || authority.includes("@"));
  return leads ? as(`${last.endsWith("!") ? "\\" : ""}[/]/`, 2) : as("//", 2);
}

/** Punctuation that may follow a link. Some viewers count a longer sequence as part of the address. */
const afterLink = /^[.,;:!?]{0,3}(?:\*{1,3}|_{1,3}|~~)?[.,;:!?]{0,3}$/u;

/** The beginning of an address: the colon of its scheme, or `www.`; or the step past a text that begins none. */
function readBeginning({
  window,
  last,
  ended,
}: Reading): { readonly begins: string; readonly scheme: string } | Step | "wait" {
  const mail = /(?:mailto|xmpp)$/iu.exec(last)?.[0];
  // A mail address excludes other kinds.
  if (!ended && mail !== undefined && /^:[^\s<>()[\]@]*$/u.test(window)) return "wait";
  if (mail !== undefined && /^:[^\s<>()[\]@]*@/u.test(window)) return { begins: ":", scheme: mail };
  const begins = /^(?::\/\/|www\.)/iu.exec(window)?.[0];
  if (begins === undefined) return !ended && /^(?::\/?|ww?w?)$/iu.test(window) ? "wait" : as(window.charAt(0), 1);
  const scheme = begins.startsWith(":") ? /(?:https?|ftp|wss?)$/iu.exec(last)?.[0] : "";
  return scheme === undefined ? as(begins, begins.length) : { begins, scheme };
}

/**
 * An address, from the colon of its scheme or from `www.` on. The text before it does not matter: some viewers find an
 * address within a word.
 */
function readLink(reading: Reading, { linkable }: Judge): Step | "wait" {
  const { window, line, ended, isLast } = reading;
  const beginning = readBeginning(reading);
  if (beginning === "wait" || "taken" in beginning) return beginning;
  const { begins, scheme } = beginning;
  const end = window.search(/[\s<>"'`\])]/u);
  if (end < 0 && !ended) return "wait";
  // Longer than any link in a source.
  if (end < 0 && !isLast) return as(inert(begins), begins.length);
  const found = end < 0 ? window : window.slice(0, end);
  // Some viewers count text after a closing bracket or quote as part of the address.
  const after = /^[^\s<]*/u.exec(window.slice(found.length))![0];
  if (!ended && found.length + after.length === window.length) return "wait";
  const goesOn = !/^[)\]"'`>.,;:!?*_~]{0,4}$/u.test(after) && !isLabelEnd(line, after, linkable);
  const url = found.replace(/[.,;:!?*_~]+$/u, "");
  const stays = !goesOn && afterLink.test(found.slice(url.length)) && linkable(scheme + url);
  return as(stays ? found : inert(url) + found.slice(url.length), found.length);
}

/** True if the text after an address is the target of its label: `[https://a.example](https://a.example)`. */
function isLabelEnd(line: string, after: string, linkable: Judge["linkable"]): boolean {
  const leads = /^\]\([^\s()<>]*\)/u.test(after) && linkable(after.slice(2, after.indexOf(")")));
  return leads && /(?<!\\)\[[^[\]`<\\]*$/u.test(line);
}

/** Text that no viewer turns into a link. */
function inert(url: string): string {
  return inertLink(url.replace(/^:/u, "[:]"));
}

/** Maximum length of a construct, in characters: a longer text is not one. */
const longestOpen = 4_096;

/** Characters kept from the line's earlier text: from its beginning and from its end. */
const lineBegins: number = 4_096;
const lineEnds = 8;

/** The part of a text that a step consumes, and its replacement. */
interface Step {
  readonly taken: number;
  readonly given: string;
}

/** Reads the construct at a position. */
interface Reading {
  /** The text there, as far as it has arrived. */
  readonly window: string;
  /** The line's earlier text: its first and its last characters. */
  readonly line: string;
  readonly last: string;
  /** The text ends here: open constructs stay open. */
  readonly ended: boolean;
  /** The line is the end of the whole text. */
  readonly isLast: boolean;
}

/** Next position and action; `wait` for more text. */
interface Scanning {
  /** Every character that can begin a construct. Not global. */
  readonly beginnings: RegExp;
  /** Finds where a construct may begin; the text before it is returned unchanged. Global. */
  readonly candidates: RegExp;
  readonly read: (reading: Reading) => Step | "wait";
}

/**
 * Reads a text that arrives in pieces, construct by construct. The result depends on the text alone and never on the
 * cuts: a construct is checked when it is complete, or too long to be one.
 */
function scanPieces({ beginnings, candidates, read }: Scanning): TextFilter {
  let held = "";
  let line = "";
  let last = "";

  /** Remembers the current line. */
  const note = (piece: string): void => {
    const start = piece.lastIndexOf("\n");
    if (start >= 0) line = piece.slice(start + 1, start + 1 + lineBegins);
    // Fast path: avoids copying a long line again for each piece.
    else if (line.length !== lineBegins) line = (line + piece).slice(0, lineBegins);
    // Fast path: cuts once in a while, not for each piece.
    last = last.length < 8 * lineEnds ? last + piece : last.slice(-lineEnds) + piece;
  };

  const drain = (isLast: boolean): string => {
    const text = held;
    let at = 0;
    let given = "";
    while (at < text.length) {
      candidates.lastIndex = at;
      const next = candidates.exec(text)?.index ?? text.length;
      const plain = text.slice(at, next);
      note(plain);
      given += plain;
      at = next;
      // Fast path: nothing is left to check.
      if (at === text.length) break;
      const window = text.slice(at, at + longestOpen + 1);
      const ended = isLast || window.length > longestOpen;
      const step = read({ window, line, last: last.slice(-lineEnds), ended, isLast });
      if (step === "wait") break;
      note(step.given);
      given += step.given;
      at += step.taken;
    }
    held = text.slice(at);
    return given;
  };

  return {
    push(text) {
      // Fast path: most pieces contain nothing to check.
      if (held === "" && text !== "" && !beginnings.test(text)) {
        note(text);
        return text;
      }
      held += text;
      return drain(false);
    },
    end: () => drain(true),
  };
}

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
      // Text without a closing mark is not a construct: its content is checked separately.
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
const open: number = Infinity;

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

/** End of the character that is searched for from a position. */
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

/** The closing bracket; -1 if a blank line ends the text before it. */
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

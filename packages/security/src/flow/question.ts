import type { Question, QuestionOrigin, QuestionValue, UnusualFact } from "@bailiwick/core";

import { stripText } from "../sanitize/strip-text.ts";
import type { ArgumentLeaf } from "./argument-leaves.ts";
import type { CallView } from "./call-view.ts";
import { dateOf } from "./compare-values.ts";
import type { Ruling } from "./decide-call.ts";
import { remedy, standsFor } from "./explain.ts";
import type { RecordedCall } from "./flow-state.ts";
import { everyone } from "./lattice.ts";
import { leavesOf } from "./leaves.ts";
import { callBehind } from "./call-behind.ts";
import { callOfReference } from "./reference-text.ts";
import { isTrusted } from "./trusted.ts";

/** Characters of a quote on each side of a value. */
const around = 40;

/** Characters of a value, and of the request, that a question shows. */
const valueShown = 200;
const requestShown = 300;

/** Sources that one origin names. */
const sourcesNamed = 3;

/** Fields of a record that name its author. */
const authorFields: ReadonlySet<string> = new Set(["from", "sender", "author", "user", "username", "owner", "name"]);

/** [questions.shape] Makes the question about a call: data that every user interface shows alike. The runner adds the title. */
export function questionAbout(call: CallView, ruling: Ruling): Omit<Question, "title"> {
  const values = call.leaves.filter(({ role }) => role !== "free").map((leaf) => valueOf(leaf, call));
  const shown = values.filter(({ decides, origin }) => decides || origin.from !== "user");
  const unusual = shown.flatMap((value) => factsAbout(value, call));
  const request = call.state.userWords.at(-1)?.texts.join("\n");
  const reachesOthers = call.sinkReaders === everyone;
  const isSuspicious =
    (reachesOthers || call.roles.grave) && shown.some(({ decides, origin }) => decides && !origin.trusted);
  return {
    level: isSuspicious ? "suspicious" : unusual.length > 0 ? "unusual" : "normal",
    ...(request !== undefined && { request: cut(request, requestShown) }),
    values: shown,
    unusual,
    ...(reachesOthers && { payload: call.args }),
    remember: ["values"],
    developer: {
      rules: [...new Set(ruling.findings.map(({ rule }) => rule))],
      toolCallId: call.id,
      remedy: remedy(call, ruling),
    },
  };
}

function valueOf({ location, role, value }: ArgumentLeaf, call: CallView): QuestionValue {
  const text = textOf(value);
  const found = originOf(value, text, call);
  return {
    path: inOneLine(location),
    name: inOneLine(location.replace(/^.*[.\]](?=[^.\]]+$)/u, "")),
    shown: standsFor(value, call) ?? cut(text, valueShown),
    decides: role === "authority" || role === "egress",
    ...found,
  };
}

function originOf(value: unknown, text: string, call: CallView): Pick<QuestionValue, "origin" | "candidates"> {
  const trusted = isTrusted(call.level.integrity);
  const said = call.state.userWords.some(({ texts }) => texts.some((words) => holds(words, value, text)));
  if (said) return { origin: { from: "user", text: "from your words", trusted: true } };
  const behind = typeof value === "string" ? callOfReference(value) : undefined;
  for (const { call: read, level } of call.reads.toReversed()) {
    // A call that was rejected returned nothing.
    if (!read.ran && behind !== read.id) continue;
    const place = placeIn(read, value, text);
    if (place === undefined) continue;
    const origin: QuestionOrigin = {
      from: "tool",
      text: `from the result of ${inOneLine(read.toolName)}`,
      trusted: isTrusted(level.integrity),
      callId: read.id,
      ...place.origin,
    };
    return { origin, ...(place.candidates !== undefined && { candidates: place.candidates }) };
  }
  const referred = callBehind(behind, call.state);
  if (referred !== undefined) {
    const text = `from the result of ${inOneLine(referred.toolName)}`;
    return { origin: { from: "tool", text, trusted, callId: referred.id } };
  }
  const read = call.reads.filter(({ level }) => !isTrusted(level.integrity)).map((one) => inOneLine(one.call.toolName));
  const after = read.length === 0 ? "" : `, which had read ${[...new Set(read)].slice(0, sourcesNamed).join(", ")}`;
  return { origin: { from: "model", text: `written by the assistant${after}`, trusted } };
}

/** A value in a text: short ones as whole words, and dates also in other words. */
function holds(words: string, value: unknown, text: string): boolean {
  if (text === "") return false;
  const escaped = text.toLowerCase().replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
  const isWord = new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, "u");
  return isWord.test(words.toLowerCase()) || holdsDate(words, value);
}

const months = "january february march april may june july august september october november december".split(" ");

/** A date that a text has in other words, such as "3 March" for 2026-03-03. */
function holdsDate(words: string, value: unknown): boolean {
  const date = dateOf(value);
  if (date === undefined) return false;
  const at = new Date(date.at);
  const [day, month] = [at.getUTCDate(), months[at.getUTCMonth()] ?? ""];
  const name = `(?:${month}|${month.slice(0, 3)}\\.?)`;
  const written = String.raw`\b0?${day}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${name}\b|\b${name}\s+0?${day}(?:st|nd|rd|th)?\b|\b0?${day}[./]0?${at.getUTCMonth() + 1}[./]`;
  return new RegExp(written, "iu").test(words);
}

/** The place of a value in a result, with its quote and author, and how many of its form there are. */
function placeIn(
  read: RecordedCall,
  value: unknown,
  text: string,
): { readonly origin: Partial<QuestionOrigin>; readonly candidates?: number | undefined } | undefined {
  for (const { path, location, value: leaf } of leavesOf(read.output ?? null)) {
    const words = textOf(leaf);
    if (words !== text && !holds(words, value, text)) continue;
    const at = Math.max(0, words.toLowerCase().indexOf(text.toLowerCase()));
    const quote = words.slice(Math.max(0, at - around), at + text.length + around);
    const author = authorOf(read.output, location);
    const candidates = candidatesIn(words, text);
    return {
      origin: {
        path: inOneLine(path === "" ? "" : location),
        quote: inOneLine(quote),
        ...(author !== undefined && { author: cut(author, valueShown) }),
      },
      ...(candidates > 1 && { candidates }),
    };
  }
  return undefined;
}

/** The author field of the record that holds a leaf. */
function authorOf(output: unknown, location: string): string | undefined {
  const holder = location.replace(/(?:^|\.)[^.[\]]+$/u, "");
  const near = leavesOf(output).find(
    (leaf) =>
      typeof leaf.value === "string" &&
      leaf.location !== location &&
      leaf.location.startsWith(holder) &&
      authorFields.has(leaf.location.slice(holder.length).replace(/^\./u, "").toLowerCase()),
  );
  return near === undefined ? undefined : String(near.value);
}

const forms: readonly RegExp[] = [
  /[\p{L}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}/giu,
  /\bhttps?:\/\/[^\s<>"')\]}]+/giu,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/gu,
];

function candidatesIn(words: string, text: string): number {
  const form = forms.find((one) => new RegExp(`^(?:${one.source})$`, one.flags.replace("g", "")).test(text));
  return form === undefined ? 0 : new Set(words.match(form)).size;
}

function factsAbout(value: QuestionValue, call: CallView): readonly UnusualFact[] {
  const { path, name, origin, candidates, decides, shown } = value;
  const facts: UnusualFact[] = [];
  if (decides && !origin.trusted) {
    const by = origin.author === undefined ? "" : `, in a record of ${origin.author}`;
    // A value in other words than the text that it came from, such as with a space more, is no less foreign.
    const came =
      origin.from === "model" ? `"${name}" is ${origin.text}` : `The assistant took "${name}" ${origin.text}${by}`;
    facts.push({ kind: "untrusted_destination", path, text: `${came}; you did not name it.` });
  }
  if (candidates !== undefined)
    facts.push({
      kind: "several_candidates",
      path,
      text: `That text names ${candidates} of them. The assistant chose ${shown}.`,
    });
  const form = forms.find((one) => new RegExp(one.source, one.flags.replace("g", "")).test(shown));
  const named = (call.state.userWords.at(-1)?.texts ?? []).flatMap((text) =>
    form === undefined ? [] : (text.match(form) ?? []),
  );
  if (decides && origin.from !== "user" && named.length > 0)
    facts.push({
      kind: "differs_from_request",
      path,
      text: `You named ${cut(named.join(", "), valueShown)}, and the call has ${shown}.`,
    });
  return facts;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function inOneLine(text: string): string {
  return stripText(text.replaceAll(/[\n\r\u2028\u2029]+/gu, " "));
}

function cut(text: string, most: number): string {
  const line = inOneLine(text);
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()} …`;
}

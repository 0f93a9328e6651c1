import { nameInWords, recordInWords } from "@bailiwick/core/extension";

import type { CallView } from "./call-view.ts";
import type { Ruling } from "./decide-call.ts";
import type { Finding } from "./findings.ts";
import type { FindTool } from "./flow-state.ts";
import { everyone } from "./lattice.ts";
import { inOneLine } from "./one-line.ts";
import { isOwnStanding, type StandingValue } from "./question-level.ts";
import { cut } from "./question-text.ts";
import { privateReads } from "./r4-confidentiality.ts";
import { isTrusted } from "./trusted.ts";
import { formIn } from "./value-forms.ts";

/** Maximum number of names in one sentence. */
const mostNamed = 3;

/** Characters of the reason, and of a value, a name and a place in it. */
const reasonShown = 100;
const partShown = 32;

const notAsked = "You asked for nothing of this kind.";

/** Parts of the reason of a question. */
export interface Reasons {
  readonly isAsked: boolean | undefined;
  readonly shown: readonly StandingValue[];
  /** The values that take the place of a known one, in sentences. */
  readonly replaced: readonly string[];
  /** The secret or document that the content has, in a sentence. */
  readonly sensitive: string | undefined;
}

/**
 * [questions.reason] Tells a person why the rules ask, in at most 100 characters: that the words ask for no such call, and
 * the most doubtful value with its place. Empty when every rule allows the call.
 */
export function reasonFor(call: CallView, ruling: Ruling, reasons: Reasons): string {
  if (ruling.findings.length === 0) return "";
  // [flow.workflow.card] No value is as doubtful as the choice itself.
  if (call.branch !== undefined && !isTrusted(call.level.control)) {
    const branch = inOneLine(call.branch).slice(0, partShown);
    return `The branch "${branch}" was chosen by content that outsiders may have written.`;
  }
  const { isAsked, replaced, sensitive } = reasons;
  const first = isAsked === false ? [notAsked] : [];
  const room = reasonShown - first.join("").length - 1;
  const [doubt] = [
    ...replaced,
    ...doubtsIn(reasons.shown, call, room),
    ...(sensitive === undefined ? [] : [sensitive]),
    ...(isAsked === false ? [] : [plainReason(call, ruling)]),
  ].filter((sentence, index) => index === 0 || sentence.length <= room);
  return [...first, ...(doubt === undefined || (first.length > 0 && doubt.length > room) ? [] : [doubt])].join(" ");
}

/** Sentences about the most doubtful value, the most exact first. */
function doubtsIn(shown: readonly StandingValue[], call: CallView, room: number): readonly string[] {
  const doubtful = shown
    .filter(({ value, standing }) => value.decides && !isOwnStanding(standing, call))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const [worst] = doubtful;
  return worst === undefined
    ? []
    : sentencesAbout(worst)
        .filter((sentence) => sentence.length <= room)
        .slice(0, 1);
}

/** Addresses first; then values that foreign text has, that the model wrote, and those of a record that it chose. */
function rankOf(one: StandingValue): number {
  return doubtOf(one) - (formIn(one.value.shown) === undefined ? 0 : addressFirst);
}

/** Larger than each doubt. */
const addressFirst = 10;

function doubtOf({ standing, value: { origin } }: StandingValue): number {
  if (standing.by === "untrusted" && standing.otherOwner !== undefined) return 0;
  if (standing.by === "untrusted" && origin.from === "tool" && !origin.trusted) return 1;
  if (standing.by === "untrusted") return standing.mixed === true ? 3 : 2;
  return standing.by === "key" ? 5 : 4;
}

function sentencesAbout({ standing, value }: StandingValue): readonly string[] {
  const { origin, record } = value;
  const name = nameInWords(value.name);
  const what = cut(record === undefined ? value.shown : recordInWords(record), partShown);
  const place = placeOf(origin.text);
  if (standing.by === "untrusted" && standing.otherOwner !== undefined) {
    const { author, owner } = standing.otherOwner;
    return [`${cut(author, partShown)} named a record of ${cut(owner, partShown)}.`];
  }
  if (standing.by === "untrusted" && standing.mixed === true)
    return [`${what} and the other values are of different records.`];
  if (standing.by === "record")
    return [`${what} is on file, but you did not name its record.`, "You did not name its record."];
  if (origin.from === "tool") {
    const by = origin.author === undefined ? undefined : `a text of ${cut(origin.author, partShown)}`;
    return [
      ...(by === undefined || origin.trusted ? [] : [`${what} is in ${by} (${place}).`, `${what} is in ${by}.`]),
      `${what} is in ${place}, and you did not type it.`,
      `${what} is in ${place}.`,
      `You did not type the ${cut(name, partShown)}.`,
    ];
  }
  return [
    `The assistant wrote "${what}" as ${cut(name, partShown)}; you did not.`,
    `The assistant wrote "${what}"; you did not.`,
    `You did not type the ${cut(name, partShown)}.`,
  ];
}

function placeOf(originText: string): string {
  const tool = /"([^"]*)"/u.exec(originText)?.[1];
  return tool === undefined ? "an earlier result" : `the result of "${cut(tool, partShown)}"`;
}

/** The reason for a call of which each value is the user's own. */
function plainReason(call: CallView, ruling: Ruling): string {
  const stands = (rule: Finding["rule"]): boolean => ruling.findings.some((finding) => finding.rule === rule);
  if (stands("R2") || stands("R3"))
    return "Its values are yours or on file, but the assistant has read texts of others.";
  const [read] = privateReads(call);
  const data = read === undefined ? "private data" : `data of "${cut(nameInWords(read.call.toolName), partShown)}"`;
  return `It shows ${data} to ${call.sinkReaders === everyone ? "people outside" : "people who may not see it"}.`;
}

/** [questions.remedy] What the model had read, and the private data that would be shown: true of most calls. */
export function whyFor(call: CallView, ruling: Ruling, findTool: FindTool): string {
  const stands = (rule: Finding["rule"]): boolean => ruling.findings.some((finding) => finding.rule === rule);
  return [
    ...(stands("R2") || stands("R3") ? readBefore(call, findTool) : []),
    ...(stands("R4") ? [privateData(call)] : []),
  ].join(" ");
}

/**
 * The untrusted results in the model's input; a tool without a declaration counts as one whose results outsiders write.
 */
function readBefore(call: CallView, findTool: FindTool): readonly string[] {
  const untrusted = call.reads.filter(({ level }) => !isTrusted(level.integrity)).map((read) => read.call.toolName);
  const names = [...new Set(untrusted)];
  if (names.length === 0) return ["This run was started with text that outsiders may have written."];
  const undeclared = names.filter((name) => findTool(name)?.__outputDeclared === false);
  const declared = names.filter((name) => !undeclared.includes(name));
  return [
    ...(declared.length > 0 ? [`The model had read ${listed(declared)}, which outsiders can write.`] : []),
    ...(undeclared.length > 0 ? [`The model had read ${listed(undeclared)}, which outsiders may have written.`] : []),
  ];
}

function privateData(call: CallView): string {
  const names = [...new Set(privateReads(call).map((read) => read.call.toolName))];
  const data = names.length === 0 ? "private data" : `private data from ${listed(names)}`;
  return `It would show ${data} to ${call.sinkReaders === everyone ? "people outside" : "people who may not see it"}.`;
}

function listed(names: readonly string[]): string {
  const shown = [...new Set(names)].map((name) => `"${inOneLine(name)}"`);
  const rest = shown.length - mostNamed;
  const parts = rest > 0 ? [...shown.slice(0, mostNamed), `${rest} more`] : shown;
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

import type { ValueOrigin } from "@bailiwick/core";

import { stripText } from "../sanitize/create-sanitizer.ts";
import type { CallView } from "./call-view.ts";
import type { Ruling } from "./decide-call.ts";
import type { Finding } from "./findings.ts";
import type { RecordedCall } from "./flow-state.ts";
import { isTrusted } from "./lattice.ts";
import { authorityLeaves } from "./r3-authority.ts";
import { privateReads } from "./r4-confidentiality.ts";

/** Sources that one explanation names. */
const sourcesNamed = 3;

/** Characters of a value that one explanation shows. */
const valueShown = 80;

const ruleNames: Readonly<Record<Finding["rule"], string>> = {
  R2: "control",
  R3: "authority",
  R4: "confidentiality",
  R5: "egress",
};

/**
 * [audit.explains] Why a call is asked about: which rule, which value, where it came from, what would allow it. For
 * people, the inspector and the audit; a model never reads it.
 */
export function explainAsk(call: CallView, ruling: Ruling): string {
  const rules = [...new Set(ruling.findings.map(({ rule }) => rule))];
  const said = rules.map((rule) => `${rule} (${ruleNames[rule]}): ${reasonFor(rule, call, ruling)}`);
  return `${said.join(" ")} ${remedy(call, ruling)}`;
}

function reasonFor(rule: Finding["rule"], call: CallView, ruling: Ruling): string {
  const name = call.tool.name;
  switch (rule) {
    case "R2":
      return `"${name}" was called after the model had read untrusted content from ${sources(untrustedCalls(call))}.`;
    case "R3":
      return `${values(call, ruling, rule)} of "${name}" ${plural(ruling, rule) ? "were" : "was"} written after the model had read untrusted content from ${sources(untrustedCalls(call))}.`;
    case "R4":
      return `it would show what only ${readersText(call)} may read, from ${sources(privateReads(call).map(({ call: read }) => read))}, to ${sinkText(call)}.`;
    case "R5":
      return `${values(call, ruling, rule)} decides where data of "${name}" goes, and does not occur in a message of the user.`;
    default:
      return rule satisfies never;
  }
}

function plural(ruling: Ruling, rule: Finding["rule"]): boolean {
  return ruling.findings.filter((finding) => finding.rule === rule).length > 1;
}

function values(call: CallView, ruling: Ruling, rule: Finding["rule"]): string {
  const places = ruling.findings.filter((finding) => finding.rule === rule).map(({ location }) => location);
  return call.leaves
    .filter(({ location }) => places.includes(location))
    .map(({ location, value }) => `"${location}" (${shown(value)})`)
    .join(", ");
}

function shown(value: unknown): string {
  const text = stripText(JSON.stringify(value) ?? "nothing");
  return text.length > valueShown ? `${text.slice(0, valueShown).toWellFormed()}…` : text;
}

/** The calls whose results made the context untrusted. */
function untrustedCalls(call: CallView): readonly RecordedCall[] {
  return call.reads.filter(({ level }) => !isTrusted(level.integrity)).map(({ call: read }) => read);
}

function sources(calls: readonly RecordedCall[]): string {
  const names = [...new Set(calls.map(({ toolName, id }) => `"${toolName}" (${id})`))];
  if (names.length === 0) return "what this run was started with";
  const more = names.length > sourcesNamed ? ` and ${names.length - sourcesNamed} more` : "";
  return names.slice(0, sourcesNamed).join(", ") + more;
}

function readersText(call: CallView): string {
  const readers = call.state.graph.sets.readersOf(call.level.readers);
  return readers === "public" ? "anyone" : readers.join(", ");
}

function sinkText(call: CallView): string {
  const readers = call.state.graph.sets.readersOf(call.sinkReaders);
  return readers === "public" ? "anyone" : readers.join(", ");
}

function remedy(call: CallView, ruling: Ruling): string {
  const { name } = call.tool;
  const needsFrom = ruling.findings.some(({ rule }) => rule === "R4");
  const paths = authorityLeaves(call).map(({ path }) => path);
  const args = paths.length === 0 ? "its arguments" : [...new Set(paths)].map((path) => `"${path}"`).join(", ");
  const named = [...new Set(privateReads(call).map(({ call: read }) => `"${read.toolName}"`))].join(", ");
  const from = needsFrom && named !== "" ? ` and names ${named} in "from"` : "";
  const nearest =
    ruling.nearest === undefined ? "" : ` A ${ruling.nearest.source}'s grant covers the call, but does not lift this.`;
  return `Your approval would allow it, or a grant for "${name}" that fixes ${args}${from}.${nearest}`;
}

/** [flow.r10] Why a call is refused, in words that hold nothing of what was read: a model reads this. */
export function explainDenial(call: CallView, ruling: Ruling): string {
  return ruling.rule === "R4"
    ? `the conversation holds data that no one may read, and "${call.tool.name}" would send it on. No grant and no approval lifts that.`
    : `"${call.tool.name}" is not allowed here.`;
}

/** Why a call was allowed. */
export function explainAllow(call: CallView, ruling: Ruling): string {
  if (ruling.grant !== undefined) {
    const when = ruling.grant.grant.when === undefined ? "" : ` (when ${shown(ruling.grant.grant.when)})`;
    return `Covered by grant ${ruling.grant.index} of the ${ruling.grant.source}${when}.`;
  }
  return ruling.rule === "R1"
    ? "A read without an argument that decides where data goes."
    : "No rule stands against it.";
}

/** [audit.shown] Where the values that decide came from. */
export function originsOf(call: CallView): readonly ValueOrigin[] {
  return call.leaves
    .filter((leaf) => leaf.role !== "free")
    .map((leaf) => ({ path: leaf.location, ...originOf(leaf.value, call) }));
}

function originOf(value: unknown, call: CallView): { readonly description: string; readonly trusted: boolean } {
  if (isTrusted(call.level.integrity)) {
    return { description: "made by the model, which had read nothing untrusted", trusted: true };
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const long = text !== undefined && text.length >= 3;
  const said = long && call.state.userWords.some(({ texts }) => texts.some((words) => words.includes(text)));
  const from = long
    ? call.reads.filter(({ call: read }) => holds(read.output, text)).map(({ call: read }) => read)
    : [];
  const parts = [
    ...(said ? ["occurs in a message of the user"] : []),
    ...(from.length > 0 ? [`occurs in what ${sources(from)} returned`] : []),
  ];
  const where = parts.length === 0 ? "" : `; it ${parts.join(", and ")}`;
  return { description: `made by the model, which had read untrusted content${where}`, trusted: false };
}

function holds(output: unknown, text: string): boolean {
  if (typeof output === "string") return output.includes(text);
  const json = JSON.stringify(output) ?? "";
  return json.includes(text) || json.includes(JSON.stringify(text).slice(1, -1));
}

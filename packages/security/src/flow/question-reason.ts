import type { CallView } from "./call-view.ts";
import type { Ruling } from "./decide-call.ts";
import type { Finding } from "./findings.ts";
import type { FindTool } from "./flow-state.ts";
import { everyone } from "./lattice.ts";
import { inOneLine } from "./one-line.ts";
import { nameOf } from "./leaves.ts";
import { privateReads } from "./r4-confidentiality.ts";
import { isTrusted } from "./trusted.ts";

/** Maximum number of names in one sentence. */
const mostNamed = 3;

/** The names of a call's values, by their origin. */
export interface ValueNames {
  /** Untrusted text may have chosen them. */
  readonly untrusted: readonly string[];
  /** They come from records that untrusted text chose. */
  readonly selected: readonly string[];
  readonly hasDeciding: boolean;
}

/** [questions.reason] Tells a person why the rules ask: sentences made of data. Empty when every rule allows the call. */
export function reasonFor(call: CallView, ruling: Ruling, names: ValueNames, findTool: FindTool): string {
  const stands = (rule: Finding["rule"]): boolean => ruling.findings.some((finding) => finding.rule === rule);
  const isSteered = stands("R2") || stands("R3");
  const sentences = [
    ...(isSteered ? [chosen(call, names), ...readBefore(call, findTool)] : []),
    ...(stands("R5") ? [`It sends a request to an address that you did not type: ${places(ruling, "R5")}.`] : []),
    ...(stands("R4") ? [privateData(call)] : []),
  ];
  return sentences.join(" ");
}

function chosen(call: CallView, { untrusted, selected, hasDeciding }: ValueNames): string {
  if (call.branch !== undefined && !isTrusted(call.level.control))
    return `The branch "${inOneLine(call.branch)}" was chosen by content that outsiders may have written.`;
  if (untrusted.length > 0) return `Someone other than you may have chosen ${listed(untrusted)}.`;
  if (selected.length > 0)
    return `${listed(selected)} ${selected.length === 1 ? "is" : "are"} from your records, but someone other than you may have chosen the record. Check that it is the right one.`;
  return `Someone other than you may have asked for this call.${hasDeciding ? " Its values are typed by you or from your records." : ""}`;
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

function places(ruling: Ruling, rule: Finding["rule"]): string {
  return listed(ruling.findings.flatMap((one) => (one.rule === rule ? [nameOf(one.location ?? "")] : [])));
}

function listed(names: readonly string[]): string {
  const shown = [...new Set(names)].map((name) => `"${inOneLine(name)}"`);
  const rest = shown.length - mostNamed;
  const parts = rest > 0 ? [...shown.slice(0, mostNamed), `${rest} more`] : shown;
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

import type { CallView } from "./call-view.ts";
import type { Ruling } from "./decide-call.ts";
import { inOneLine } from "./one-line.ts";
import { shown } from "./explain.ts";
import type { Finding } from "./findings.ts";
import type { FindTool, RecordedCall } from "./flow-state.ts";
import { nobody } from "./lattice.ts";
import { isTrusted } from "./trusted.ts";
import { callBehind, callOfReference, valueOf, referred } from "./reference-text.ts";
import { authorityLeaves } from "./r3-authority.ts";
import { privateReads } from "./r4-confidentiality.ts";

/** Sources that one explanation names. */
const sourcesNamed = 3;

/**
 * Explains why a call causes a question, a line each: the rule and its inputs, the value, and the way to allow the
 * call. People, the studio and the audit read it; a model never does [audit.explains].
 */
export function explainAsk(call: CallView, ruling: Ruling, findTool: FindTool): string {
  const stands = (rule: Finding["rule"]): boolean => ruling.findings.some((finding) => finding.rule === rule);
  const steered = (["R2", "R3"] as const).filter(stands);
  const lines = [
    ...(steered.length > 0
      ? [`Untrusted text may steer it (${steered.join(", ")}): the model had read ${sources(untrustedCalls(call))}.`]
      : []),
    ...(stands("R3") ? [`The model chose ${values(call, ruling, "R3")}.`] : []),
    ...(stands("R5") ? [`It sends data where no message of the user points (R5): ${values(call, ruling, "R5")}.`] : []),
    ...(stands("R4") ? [`It would show private data to ${sinkText(call)} (R4): ${privateText(call)}.`] : []),
    remedy(call, ruling, findTool),
  ];
  return lines.join("\n");
}

function privateText(call: CallView): string {
  return `${sources(privateReads(call).map(({ call: read }) => read))}, for ${readersText(call)} only`;
}

function values(call: CallView, ruling: Ruling, rule: Finding["rule"]): string {
  const places = ruling.findings.filter((finding) => finding.rule === rule).map(({ location }) => location);
  return call.leaves
    .filter(({ location }) => places.includes(location))
    .map(({ location, value }) => `"${inOneLine(location)}" (${standsFor(value, call) ?? shown(value)})`)
    .join(", ");
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

/** [questions.remedy] The declarations and the grant that make a question unnecessary: developers read it. */
export function remedy(call: CallView, ruling: Ruling, findTool: FindTool): string {
  const { name } = call.tool;
  const needsFrom = ruling.findings.some(({ rule }) => rule === "R4");
  const paths = [...new Set(authorityLeaves(call).map(({ path }) => `"${inOneLine(path)}"`))];
  const fixes = paths.length === 0 ? "" : ` that fixes ${paths.join(", ")}`;
  const named = [...new Set(privateReads(call).map(({ call: read }) => `"${read.toolName}"`))];
  const from =
    needsFrom && named.length > 0 ? `${fixes === "" ? " that" : " and"} names ${named.join(", ")} in "from"` : "";
  const nearest = ruling.nearest === undefined ? "" : ` The ${ruling.nearest.source}'s grant does not lift this.`;
  const grant = `Approve this call, or give a grant for "${name}"${fixes}${from}.${nearest}${missedText(call, ruling)}`;
  return [grant, ...declarations(call, ruling, findTool)].join(" ");
}

/** [questions.missed-grant] The nearest grant, and the argument and value that it does not cover. */
function missedText(call: CallView, { missed }: Ruling): string {
  if (missed === undefined) return "";
  const { grant, miss } = missed;
  const value = "value" in miss ? ` (the call has ${standsFor(miss.value, call) ?? shown(miss.value)})` : "";
  return ` Grant ${grant.index} of the ${grant.source} is for this tool and does not cover the call: ${inOneLine(miss.problem)}${value}.`;
}

/** The declarations that would spare the question, each with the tool that it belongs to. */
function declarations(call: CallView, ruling: Ruling, findTool: FindTool): readonly string[] {
  const stands = (rule: Finding["rule"]): boolean => ruling.findings.some((finding) => finding.rule === rule);
  const found: string[] = [];
  if (stands("R2") || stands("R3")) {
    const names = namesOf(untrustedCalls(call).map(({ toolName }) => toolName));
    const bare = names.filter((name) => findTool(name)?.__outputDeclared === false);
    if (bare.length > 0)
      found.push(
        `If outsiders cannot write what ${quoted(bare)} returns, declare "output: { integrity: "verified" }" there, or "output.fields" for single fields.`,
      );
    if (!call.tool.__effectDeclared)
      found.push(`Declare "sideEffectClass" of "${call.tool.name}"; a tool that only reads is "read-only".`);
    else if ((call.tool.flow?.payload ?? call.tool.flow?.authority) === undefined && authorityLeaves(call).length > 1)
      found.push(`Declare the arguments of "${call.tool.name}" that are content in "flow.payload".`);
  }
  const names = namesOf(privateReads(call).map(({ call: read }) => read.toolName));
  if (stands("R4") && names.length > 0)
    found.push(
      `If everyone may see what ${quoted(names)} returns, declare "output: { readers: "public" }" there; if only some see what "${call.tool.name}" sends, declare its "flow.readers".`,
    );
  return found;
}

function namesOf(toolNames: readonly string[]): readonly string[] {
  return [...new Set(toolNames)].slice(0, sourcesNamed);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${inOneLine(name)}"`).join(", ");
}

/**
 * The value of a reference: the person who approves it sees no other form of the value. `undefined` for any other
 * argument [audit.shown].
 */
export function standsFor(value: unknown, call: CallView): string | undefined {
  if (typeof value !== "string") return undefined;
  const behind = callBehind(callOfReference(value), call.state);
  const target = behind === undefined ? undefined : valueOf(value, () => behind.output);
  if (behind === undefined || target === undefined) return undefined;
  const isSecret = referred(value, call.state).level.readers === nobody;
  return `${shown(value)}, which stands for ${isSecret ? "a secret" : shown(target.value)} of ${sources([behind])}`;
}

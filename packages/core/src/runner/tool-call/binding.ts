import type { ApprovalBinding, InterruptionData } from "../../contracts/interruption.ts";
import { canonicalJson, isSameJson } from "../../json/canonical-json.ts";
import { changedValues, describedBy } from "./approval-binding.ts";
import { displayed, toolOf, type PipelineCall } from "./call.ts";
import { flowAsks } from "./flow-verdict.ts";

/** Hashes of everything that a yes is about. */
export function bindingOf(
  call: PipelineCall,
  described: string | undefined,
  digest: string | undefined,
): ApprovalBinding {
  const { hasher } = call.run.agent;
  const tool = toolOf(call);
  const hash = (value: unknown): string => hasher.sha256(canonicalJson(value)).slice(0, 32);
  return {
    value: hash(call.argsHash),
    description: hash(tool.description),
    inputSchema: hash(tool.__inputJsonSchema),
    sideEffectClass: hash(tool.__sideEffectClass),
    idempotencyKey: hash(String(tool.idempotencyKey)),
    place: hash([tool.runsOn ?? "", tool.__sandbox?.moduleHash ?? ""]),
    definition: hash(tool.__definitionHash),
    title: hash(described ?? ""),
    reason: hash(whyAsked(call)),
    preview: hash(digest ?? ""),
  };
}

/**
 * True if an approval covers the call: it was given for this value, this definition of the tool, this reason and this
 * preview.
 *
 * @param digest - The digest of the tool's preview now. Default: that of the question.
 */
export function isBound(
  call: PipelineCall,
  { binding, question }: InterruptionData,
  digest: string | undefined = question.preview?.digest,
): boolean {
  return binding !== undefined && isSameJson(binding, bindingOf(call, describedBy(call), digest));
}

/** The reason of a question that is equal in every process, without that of a predicate that failed in one. */
export function whyAsked(call: PipelineCall): string {
  return flowAsks(call) && call.flow !== undefined ? call.flow.explanation : `"${call.toolName}" needs approval.`;
}

/** The parts of a tool, as a person reads their names. */
const partNames = {
  description: "its description",
  inputSchema: "its input schema",
  sideEffectClass: "its side-effect class",
  idempotencyKey: "the rule of its idempotency key",
  place: "the place where it runs",
  title: "the sentence that describes the call",
} as const;

/**
 * The differences between a tool now and at an earlier question about the same call, as a sentence; `undefined` if the
 * tool is the same.
 */
export function changedSince(call: PipelineCall, before: InterruptionData, now: ApprovalBinding): string | undefined {
  const { binding } = before;
  if (binding === undefined) return undefined;
  const parts: string[] = Object.entries(partNames).flatMap(([part, name]) =>
    binding[part as keyof typeof partNames] === now[part as keyof typeof partNames] ? [] : [name],
  );
  if (parts.length === 0 && binding.definition !== now.definition) parts.push("its definition");
  if (binding.value !== now.value)
    parts.push(`the value that it makes of the arguments (${differences(before.args, displayed(call, call.args))})`);
  const sentences = [
    ...(parts.length === 0 ? [] : [`The tool was changed since you were asked: ${listed(parts)}.`]),
    ...(binding.preview === now.preview ? [] : ["What you approved has changed since: read the preview again."]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** Differences between two values that a person is shown, in words. */
export function differences(before: unknown, after: unknown): string {
  const found = changedValues(before, after).map(
    (one) => `${one.path === "" ? "all" : one.path}: ${said(one.before)} before, ${said(one.after)} now`,
  );
  return found.length === 0 ? "in characters that are not shown" : listed(found);
}

const mostShown = 5;
const longest = 80;

function listed(parts: readonly string[]): string {
  const more = parts.length > mostShown ? ` and ${parts.length - mostShown} more` : "";
  return parts.slice(0, mostShown).join("; ") + more;
}

function said(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()} …`;
}

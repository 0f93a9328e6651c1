import type { Sanitized } from "../../contracts/ports/security.ts";
import type { InboundSanitizationPolicy, ToolErrorKind, ToolSource } from "../../contracts/vocabularies.ts";
import { untrustedSanitization } from "../../registry/default-sanitization.ts";
import { andThen, flowCallOf, toolOf, type MaybePromise } from "./call.ts";
import { askUserCode } from "../../user-code/call-user-code.ts";
import { otherModels } from "../settings/merge-rules.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { READ_RESULT } from "../../tools/read-result.ts";
import { refuse, type Presentation } from "./presentation.ts";
import type { Run } from "../run.ts";

const scanTimeoutMs = 10_000;

/** Sanitizes a tool's result before the model reads it, by the tool's inbound policy. */
export function sanitize(presentation: Presentation): MaybePromise<void> {
  const { call } = presentation;
  const policy = policyOf(presentation);
  if (presentation.ownText || policy === undefined || policy === "pass-through") return undefined;
  const { agent, nonce, timers } = call.run;
  const { sanitizer } = agent;
  if (sanitizer === undefined) return block(presentation, "no sanitizer is available");
  const scanned = askUserCode(
    () => sanitizer.inbound(presentation.content, { policy, toolName: call.toolName, nonce }),
    { name: "sanitizer", timeoutMs: scanTimeoutMs, clock: timers },
  );
  const failed = scanned instanceof Promise ? "its scan failed or ran out of time" : "its scan failed";
  return andThen(scanned, (answer) => {
    if (answer.ok) return take(presentation, answer.value, policy);
    // A result whose scan took too long is only shown under a policy that removes nothing.
    if (policy !== "detect-and-flag" || answer.isLate !== true) return block(presentation, failed);
    return take(presentation, { content: presentation.content, findings: [], failed: true }, policy);
  });
}

/**
 * [sanitize.by-label] The treatment that a tool or an operator chose; else the tool's default, and the full treatment
 * for a result that turned out to be untrusted: an agent or a tool inside the call read other people's text.
 */
function policyOf(presentation: Presentation): InboundSanitizationPolicy | undefined {
  const { tool } = presentation.call;
  const { sanitizer } = presentation.call.run.agent;
  if (tool === undefined) return undefined;
  // A redacted result hides untrusted text, so no frame is needed.
  if (presentation.isRedacted === true && tool.inboundSanitization !== "pass-through") return "detect-and-flag";
  // A page is a part of some tool's result, by any author.
  if (tool.name === READ_RESULT && sanitizer !== undefined) return untrustedSanitization;
  if (tool.__sanitizationDeclared || treatsItsTexts(tool.__source)) return tool.inboundSanitization;
  // An agent without a sanitizer was built this way: a default that it cannot enforce blocks nothing.
  if (sanitizer === undefined) return tool.inboundSanitization;
  // A number or a boolean has no text to frame.
  if (!isText(presentation)) return "detect-and-flag";
  const { childRun, resultLabel } = presentation.outcome;
  const read = childRun?.label;
  const untrusted =
    resultLabel?.integrity === "untrusted" || (read?.integrity === "untrusted" && read.assumed !== true);
  return untrusted ? untrustedSanitization : tool.inboundSanitization;
}

/** Subsystems whose texts are treated where a model reads them. A text of another one is treated by its label. */
const treatTheirTexts: ReadonlySet<string> = new Set(["composition", "handoff", "memory", "quarantine", "tools"]);

function treatsItsTexts(source: ToolSource): boolean {
  return source.kind === "built-in" && treatTheirTexts.has(source.subsystem);
}

function isText({ output, content, failure, outcome }: Presentation): boolean {
  if (failure !== undefined || outcome.contentParts !== undefined) return true;
  return (typeof output !== "number" && typeof output !== "boolean") || content !== String(output);
}

function take(presentation: Presentation, sanitized: Sanitized, policy: InboundSanitizationPolicy): void {
  const { call } = presentation;
  if (call.tool?.failClosed === true && sanitized.failed === true)
    return block(presentation, "its scan failed or ran out of time");
  if (call.tool?.failClosed === true && sanitized.findings.length > 0)
    return block(presentation, "it holds what looks like instructions or hidden text");
  presentation.content = sanitized.content;
  presentation.treatment = { policy, frame: sanitized.frame };
  if (presentation.failure !== undefined)
    presentation.failure = { ...presentation.failure, message: textOfContent(sanitized.content) };
  // [sanitize.detection-raises] A clean scan proves nothing; a finding, or a failed scan, counts against the text.
  const findings = sanitized.failed === true ? [...sanitized.findings, "scan-failed"] : sanitized.findings;
  if (findings.length === 0) return;
  presentation.findings = [...(presentation.findings ?? []), ...findings];
  const { toolName, run } = call;
  if (!run.sink.wants("warning")) return;
  const message = `The result of "${toolName}" contains: ${findings.join(", ")}.`;
  run.sink.show({ type: "warning", warning: { code: "inbound_findings", subject: toolName, message } });
}

function block(presentation: Presentation, why: string): void {
  refuse(
    presentation,
    "inbound_sanitization_blocked",
    `The result of "${presentation.call.toolName}" is withheld: ${why}.`,
  );
}

/**
 * Replaces content that the model may not see by references: the payload of `secret` tools, and results that the flow
 * policy quarantines.
 */
export function redact(presentation: Presentation): void {
  const { call, outcome } = presentation;
  const secret = call.tool?.sensitivity === "secret" && !mayAllReadSecrets(call.run);
  if (outcome.failure !== undefined) {
    if (secret && !presentation.ownText) {
      refuse(
        presentation,
        outcome.failure.kind,
        `"${call.toolName}" failed. The message is withheld, because its results are secret.`,
      );
    } else withhold(presentation);
    return;
  }
  if (presentation.failure !== undefined) withhold(presentation);
  if (presentation.ownText || outcome.simulated === true || call.tool === undefined) return;
  const { flow } = call.run;
  const tool = toolOf(call);
  // Secrets are shown to a model that may see them.
  if (flow !== undefined && (secret || tool.sensitivity !== "secret")) {
    const shown = flow.quarantine(flowCallOf(call), presentation.output);
    if (shown !== presentation.output) {
      presentation.content = typeof shown === "string" ? shown : JSON.stringify(shown);
      presentation.isRedacted = true;
      if (secret) presentation.output = shown;
      return;
    }
  }
  if (!secret) return;
  const { output } = presentation;
  const length = (typeof output === "string" ? output : (JSON.stringify(output) ?? "")).length;
  const reference = { $ref: `${call.key}/output`, type: typeName(output), length };
  presentation.content = JSON.stringify(reference);
  presentation.isRedacted = true;
  presentation.output = reference;
}

/**
 * Failures whose text may contain parts of a tool's result or arguments; texts of other kinds come from the framework.
 */
const quoting: ReadonlySet<ToolErrorKind> = new Set(["invalid_input", "invalid_output"]);

/** Shows only the kind of a failure if its text may contain quarantined content. */
function withhold(presentation: Presentation): void {
  const { call, failure } = presentation;
  if (failure === undefined || call.tool === undefined) return;
  if (failure.fromTool !== true && !quoting.has(failure.kind)) return;
  if (call.run.flow?.withholds(flowCallOf(call)) !== true) return;
  const effect =
    failure.effectHappened === true ? " Its effect DID happen: do not call it again for the same purpose." : "";
  const message = `"${call.toolName}" failed (${failure.kind}). The message is withheld, because it is untrusted.${effect}`;
  presentation.failure = { ...failure, message };
  presentation.content = message;
  presentation.ownText = true;
}

/** True if every model that may read the conversation is registered for secrets; a hook may choose any. */
function mayAllReadSecrets({ agent, settings }: Run): boolean {
  if (settings.prepareStep !== undefined) return false;
  const specs = [settings.model ?? agent.model, ...otherModels(settings)];
  const models = [agent.model, ...specs.map((spec) => agent.resolveModel(spec))];
  return models.every(({ capabilities }) => capabilities.accepts === "secret");
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

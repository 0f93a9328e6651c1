import type { Sanitized } from "../../contracts/ports/security.ts";
import type { InboundSanitizationPolicy } from "../../contracts/vocabularies.ts";
import { untrustedSanitization } from "../../registry/default-sanitization.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { isThenable } from "../../user-code/call-user-code.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { refuse } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";

/** Time limit of a scan, in milliseconds. */
const scanTimeoutMs = 10_000;

/** Sanitizes a tool's result before the model reads it, by the tool's inbound policy. */
export function sanitize(presentation: Presentation): MaybePromise<void> {
  const { call } = presentation;
  const policy = policyOf(presentation);
  if (presentation.ownText || policy === undefined || policy === "pass-through") return undefined;
  const { sanitizer } = call.run.agent;
  if (sanitizer === undefined) return block(presentation, "no sanitizer is at hand");
  try {
    const treated = sanitizer.inbound(presentation.content, { policy, toolName: call.toolName, nonce: call.run.nonce });
    if (!isThenable(treated)) return take(presentation, treated);
    return inTime(presentation, treated)
      .then((sanitized) => sanitized ?? unscanned(presentation, policy))
      .then(
        (sanitized) => take(presentation, sanitized),
        () => block(presentation, "its scan failed or ran out of time"),
      );
  } catch {
    return block(presentation, "its scan failed");
  }
}

/**
 * [sanitize.by-label] The treatment that a tool or an operator chose; else the tool's default, and the whole treatment for a
 * result that turned out untrusted: an agent or a tool inside the call read what other people wrote.
 */
function policyOf(presentation: Presentation): InboundSanitizationPolicy | undefined {
  const { tool } = presentation.call;
  const { outcome } = presentation;
  if (tool === undefined) return undefined;
  // Untrusted text is not shown then, so no frame is needed.
  if (presentation.isRedacted === true && tool.inboundSanitization !== "pass-through") return "detect-and-flag";
  // Results of built-in tools are treated where a model reads them.
  if (tool.__sanitizationDeclared || tool.__source.kind === "built-in") return tool.inboundSanitization;
  // An agent without a sanitizer was built so: a default that it cannot keep blocks nothing.
  if (presentation.call.run.agent.sanitizer === undefined) return tool.inboundSanitization;
  // A number or a boolean has no text to frame.
  if (!isText(presentation)) return "detect-and-flag";
  const { childRun, resultLabel } = outcome;
  const read = childRun?.label;
  const untrusted =
    resultLabel?.integrity === "untrusted" || (read?.integrity === "untrusted" && read.assumed !== true);
  return untrusted ? untrustedSanitization : tool.inboundSanitization;
}

function isText({ output, content, failure, outcome }: Presentation): boolean {
  if (failure !== undefined || outcome.contentParts !== undefined) return true;
  return (typeof output !== "number" && typeof output !== "boolean") || content !== String(output);
}

/** Result of the scan, or nothing if it takes too long. */
function inTime(presentation: Presentation, pending: PromiseLike<Sanitized>): Promise<Sanitized | undefined> {
  const { clock } = presentation.call.run;
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(() => resolve(undefined), scanTimeoutMs);
    pending.then(
      (sanitized) => {
        cancel();
        resolve(sanitized);
      },
      (error: Error) => {
        cancel();
        reject(error);
      },
    );
  });
}

/** The scan timed out: the result is shown only under a policy that removes nothing. */
function unscanned(presentation: Presentation, policy: InboundSanitizationPolicy): Sanitized {
  if (policy !== "detect-and-flag") throw new Error("The scan took too long.");
  return { content: presentation.content, findings: [], failed: true };
}

function take(presentation: Presentation, sanitized: Sanitized): void {
  const { call } = presentation;
  if (call.tool?.failClosed === true && sanitized.failed === true)
    return block(presentation, "its scan failed or ran out of time");
  if (call.tool?.failClosed === true && sanitized.findings.length > 0)
    return block(presentation, "it holds what looks like instructions or hidden text");
  presentation.content = sanitized.content;
  if (presentation.failure !== undefined)
    presentation.failure = { ...presentation.failure, message: textOfContent(sanitized.content) };
  // [sanitize.detection-raises] A clean scan proves nothing; a hit, and one that could not be made, count against the text.
  const findings = sanitized.failed === true ? [...sanitized.findings, "scan-failed"] : sanitized.findings;
  if (findings.length === 0) return undefined;
  presentation.findings = [...(presentation.findings ?? []), ...findings];
  report(presentation, findings);
  return undefined;
}

function block(presentation: Presentation, why: string): void {
  refuse(
    presentation,
    "inbound_sanitization_blocked",
    `The result of "${presentation.call.toolName}" is withheld: ${why}.`,
  );
}

function report(presentation: Presentation, findings: readonly string[]): void {
  const { sink } = presentation.call.run;
  if (!sink.wants("warning")) return;
  const { toolName } = presentation.call;
  sink.show({
    type: "warning",
    warning: {
      code: "inbound_findings",
      subject: toolName,
      message: `The result of "${toolName}" holds: ${findings.join(", ")}.`,
    },
  });
}

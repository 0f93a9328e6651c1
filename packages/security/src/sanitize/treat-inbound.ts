import type { ContentPart, InboundSanitizationPolicy, Sanitized, SanitizerPort } from "@bailiwick/core";

import { detectInjection } from "./injection-signals.ts";
import { envelopeName, neutraliseMarkup } from "./neutralise-markup.ts";
import { encodedFound, scanText } from "./scan-text.ts";
import { stripScanned, stripText } from "./strip-text.ts";

/** The tool, and the sanitization policy for its result. */
type InboundSource = Parameters<SanitizerPort["inbound"]>[1];

const strips: ReadonlySet<InboundSanitizationPolicy> = new Set(["detect-and-strip", "detect-and-strip-and-wrap"]);
const wraps: ReadonlySet<InboundSanitizationPolicy> = new Set(["detect-and-wrap", "detect-and-strip-and-wrap"]);

/**
 * Treats a tool's result according to its policy.
 *
 * @param content - The result, as the tool returned it.
 * @param source - Source of the text, and the policy.
 * @param cap - Cuts a text that is too long to be scanned.
 */
export function treatInbound(
  content: string | readonly ContentPart[],
  source: InboundSource,
  cap: (text: string) => string,
): Sanitized {
  const found = new Set<string>();
  if (typeof content === "string") {
    const text = treatText(content, source, cap, found);
    return { content: text, findings: [...found], ...(wraps.has(source.policy) && { frame: frameOf(source) }) };
  }
  const treated = content.map((part): ContentPart => {
    if (part.type === "text") return { ...part, text: treatText(part.text, source, cap, found) };
    if (part.type === "file" && part.filename !== undefined) return { ...part, filename: stripText(part.filename) };
    return part;
  });
  return { content: treated, findings: [...found] };
}

function frameOf({ toolName, nonce }: InboundSource): readonly [string, string] {
  return [`<${envelopeName} tool="${toolName}" nonce="${nonce}">\n`, `\n</${envelopeName}>`];
}

function treatText(given: string, source: InboundSource, cap: (text: string) => string, found: Set<string>): string {
  const { policy } = source;
  const [open, close] = frameOf(source);
  if (wraps.has(policy) && given.startsWith(open) && given.endsWith(close)) return given;
  const text = cap(given);
  const scanned = scanText(text);
  for (const finding of detectInjection(text, (scanned & encodedFound) !== 0)) found.add(finding);
  const stripped = stripScanned(text, scanned);
  if (stripped !== text) found.add("hidden-or-markup");
  const kept = strips.has(policy) ? stripped : wraps.has(policy) ? neutraliseMarkup(text) : text;
  return wraps.has(policy) ? open + kept + close : kept;
}

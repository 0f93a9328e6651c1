import type { ContentPart, InboundSanitizationPolicy, SanitizerPort, Sanitized } from "@bailiwick/core";

import { detectInjection } from "./detect-injection.ts";
import { envelopeName, neutraliseMarkup } from "./neutralise-markup.ts";
import { controlsFound, encodedFound, invisibleFound, markupFound, scanText } from "./scan-text.ts";
import { stripControls } from "./strip-controls.ts";
import { stripInvisible } from "./strip-invisible.ts";

/** Limits of the sanitizer. */
export interface SanitizerOptions {
  /** Characters that are scanned and passed on; the rest is cut and counted. Default 1,000,000. */
  readonly maxChars?: number | undefined;
}

const strips: ReadonlySet<InboundSanitizationPolicy> = new Set(["detect-and-strip", "detect-and-strip-and-wrap"]);
const wraps: ReadonlySet<InboundSanitizationPolicy> = new Set(["detect-and-wrap", "detect-and-strip-and-wrap"]);

/**
 * Removes what people do not see and what speaks to machines: terminal escapes, control and invisible characters, role
 * and tool-call markup. Running it twice changes nothing more.
 *
 * @param text - Any text.
 *
 * @example
 * ```ts
 * import { stripText } from "@bailiwick/security";
 *
 * console.log(stripText("\u001b[31mred\u001b[0m")); // red
 * ```
 */
export function stripText(text: string): string {
  return stripScanned(text, scanText(text));
}

function stripScanned(text: string, found: number): string {
  if ((found & (controlsFound | invisibleFound | markupFound)) === 0) return text;
  let clean = text;
  if (found & controlsFound) clean = stripControls(clean);
  if (found & invisibleFound) clean = stripInvisible(clean);
  return neutraliseMarkup(clean);
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}

/**
 * Makes the sanitizer that treats text of others before a model or a person reads it.
 *
 * @param options - Limits.
 *
 * @example
 * ```ts
 * import { createSanitizer } from "@bailiwick/security";
 *
 * const sanitizer = createSanitizer();
 * console.log(sanitizer.display({ subject: "hi\u202e" }));
 * ```
 */
export function createSanitizer(options: SanitizerOptions = {}): SanitizerPort {
  const maxChars = options.maxChars ?? 1_000_000;
  const cap = (text: string): string =>
    text.length <= maxChars
      ? text
      : `${text.slice(0, maxChars).toWellFormed()}\n[${text.length - maxChars} more characters were left out]`;

  const treatText = (
    given: string,
    policy: InboundSanitizationPolicy,
    toolName: string,
    nonce: string,
    found: Set<string>,
  ): string => {
    const open = `<${envelopeName} tool="${toolName}" nonce="${nonce}">\n`;
    const close = `\n</${envelopeName}>`;
    if (wraps.has(policy) && given.startsWith(open) && given.endsWith(close)) return given;
    const text = cap(given);
    const scanned = scanText(text);
    for (const finding of detectInjection(text, (scanned & encodedFound) !== 0)) found.add(finding);
    const stripped = stripScanned(text, scanned);
    if (stripped !== text) found.add("hidden-or-markup");
    const kept = strips.has(policy) ? stripped : wraps.has(policy) ? neutraliseMarkup(text) : text;
    return wraps.has(policy) ? open + kept + close : kept;
  };

  return {
    inbound(content, { policy, toolName, nonce }): Sanitized {
      if (policy === "pass-through") return { content, findings: [] };
      const found = new Set<string>();
      if (typeof content === "string")
        return { content: treatText(content, policy, toolName, nonce, found), findings: [...found] };
      const treated = content.map((part): ContentPart => {
        if (part.type === "text") return { ...part, text: treatText(part.text, policy, toolName, nonce, found) };
        if (part.type === "file" && part.filename !== undefined) return { ...part, filename: stripText(part.filename) };
        return part;
      });
      return { content: treated, findings: [...found] };
    },
    display<T>(value: T): T {
      return mapStrings(value, (text) => stripText(cap(text))) as T;
    },
  };
}

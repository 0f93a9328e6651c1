import { checkKnownNames } from "@bailiwick/core";
import { lazyPart } from "@bailiwick/core/extension";
import type { SanitizerPort } from "@bailiwick/core";

import { stripText } from "./strip-text.ts";

/** The treatment of results, with the tables that find attacks; many agents have no result to treat. */
const treatment = lazyPart("The treatment of tool results", () => import("./treat-inbound.ts"));

/** Limits of the sanitizer. */
export interface SanitizerOptions {
  /** Characters that are scanned and passed on; the rest is cut and counted. Default 1,000,000. */
  readonly maxChars?: number | undefined;
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
 * @throws ConfigurationError `UNKNOWN_OPTION` for another name.
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
  checkKnownNames(options, ["maxChars"], "createSanitizer()");
  const maxChars = options.maxChars ?? 1_000_000;
  const cap = (text: string): string =>
    text.length <= maxChars
      ? text
      : `${text.slice(0, maxChars).toWellFormed()}\n[${text.length - maxChars} more characters were left out]`;

  return {
    inbound(content, source) {
      if (source.policy === "pass-through") return { content, findings: [] };
      return treatment((part) => part.treatInbound(content, source, cap));
    },
    display<T>(value: T): T {
      return mapStrings(value, (text) => stripText(cap(text))) as T;
    },
  };
}

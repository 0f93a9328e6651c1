import { findSignals } from "./injection-signals.ts";
import type { InjectionFinding } from "./injection-signals.ts";

const encoded = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
const readable = /^[\t\n\r -~]+$/;

/** Readable text of base64 runs, which some attacks hide in. */
function decodedRuns(text: string): string {
  let decoded = "";
  let count = 0;
  for (const [run] of text.matchAll(encoded)) {
    if ((count += 1) > 32) break;
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) continue;
    try {
      const plain = atob(
        run
          .replaceAll("-", "+")
          .replaceAll("_", "/")
          .replace(/=+$/, "")
          .slice(0, 8000 - (8000 % 4)),
      );
      if (readable.test(plain)) decoded += `\n${plain}`;
    } catch {
      // Not base64 after all.
    }
  }
  return decoded;
}

const order: readonly InjectionFinding[] = [
  "override-instructions",
  "new-role",
  "system-voice",
  "secrecy",
  "order-to-assistant",
  "call-to-tool",
  "data-theft",
];

/**
 * Looks for text that speaks to the model. A finding raises the risk of a result; none lowers it.
 *
 * @param text - Any text.
 * @param encodedRuns - Whether the text has runs that may be base64; they are decoded and looked at too.
 * @returns Names of what was found, in a fixed order.
 */
export function detectInjection(text: string, encodedRuns: boolean): readonly InjectionFinding[] {
  const found = new Set<InjectionFinding>();
  findSignals(text, found);
  if (encodedRuns) findSignals(decodedRuns(text), found);
  return found.size === 0 ? [] : order.filter((name) => found.has(name));
}

import { detect, piiKinds, type PiiKind, type Span } from "./detectors.ts";
import { plainText } from "./plain-text.ts";

/** Personal data in a text. */
export interface PiiFinding extends Span {
  readonly kind: PiiKind;
  readonly value: string;
}

/** Finds personal data of these kinds, from left to right; a kind does not match inside the finding of another. */
export function findPii(text: string, kinds: ReadonlySet<PiiKind>): readonly PiiFinding[] {
  const plain = plainText(text);
  if (!/[@\d:]/u.test(plain.text)) return [];
  const found: PiiFinding[] = [];
  for (const kind of piiKinds) {
    if (!kinds.has(kind)) continue;
    for (const span of detect(kind, plain.text)) {
      const start = plain.originalIndex(span.start);
      const end = plain.originalIndex(span.end - 1) + 1;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      found.push({ kind, start, end, value: text.slice(start, end) });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** The text with each finding replaced. */
export function replacePii(
  text: string,
  kinds: ReadonlySet<PiiKind>,
  replacement: (finding: PiiFinding) => string,
): string {
  let replaced = "";
  let from = 0;
  for (const finding of findPii(text, kinds)) {
    replaced += text.slice(from, finding.start) + replacement(finding);
    from = finding.end;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

import { literalPattern } from "../literal-pattern.ts";
import { locatedText, openEscapeAt, plainText } from "./disguised-text.ts";
import { secretForms } from "./secret-forms.ts";

/**
 * Shorter values are only searched in their exact form: ignoring case and line breaks, they would hide ordinary text.
 */
const shortestDisguised = 8;

/** The place of a secret in a text. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** The forms of all known secrets: exact ones, and folded ones. */
export interface KnownForms {
  /** Makes a value known; `false` for one that is too short to search for. */
  add(name: string, value: string): boolean;
  /** True if no secret is known yet. */
  isEmpty(): boolean;
  /** The places of secrets in a text, in order and without overlaps. */
  places(text: string): readonly Place[];
  /** The position up to which more text cannot change the matches. */
  decidedEnd(text: string): number;
}

/** One view of a text: forms that are searched, and the tails that may become one. */
interface Search {
  readonly pattern: RegExp | undefined;
  readonly shortest: number;
  /** Length of the longest tail of a text that may become a form. */
  openTail(text: string): number;
}

function searchFor(names: ReadonlyMap<string, string>): Search {
  const forms = [...names.keys()].toSorted((a, b) => b.length - a.length);
  const longest = forms[0]?.length ?? 0;
  return {
    pattern: forms.length === 0 ? undefined : new RegExp(forms.map(literalPattern).join("|"), "g"),
    shortest: forms.at(-1)?.length ?? 0,
    openTail(text) {
      for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
        const tail = text.slice(at);
        if (forms.some((form) => form.length > tail.length && form.startsWith(tail))) return tail.length;
      }
      return 0;
    },
  };
}

/** Makes an index without secrets. */
export function knownForms(): KnownForms {
  const written = new Map<string, string>();
  const disguised = new Map<string, string>();
  let exact: Search = searchFor(written);
  let plain: Search = searchFor(disguised);

  const exactPlaces = (text: string): Place[] => {
    const { pattern } = exact;
    if (pattern === undefined || text.length < exact.shortest) return [];
    if (text.search(pattern) < 0) return [];
    return Array.from(text.matchAll(pattern), ({ 0: form, index }) => ({
      from: index,
      to: index + form.length,
      name: written.get(form) ?? "",
    }));
  };
  const disguisedPlaces = (text: string): Place[] => {
    const { pattern } = plain;
    if (pattern === undefined || text.length < plain.shortest) return [];
    if (plainText(text).search(pattern) < 0) return [];
    const located = locatedText(text);
    return Array.from(located.text.matchAll(pattern), ({ 0: form, index }) => ({
      from: located.starts[index] ?? 0,
      to: located.starts[index + form.length] ?? text.length,
      name: disguised.get(form) ?? "",
    }));
  };
  const places = (text: string): readonly Place[] => {
    const first = exactPlaces(text);
    const second = disguisedPlaces(text);
    if (second.length === 0) return first;
    return joined([...first, ...second].toSorted((a, b) => a.from - b.from || b.to - a.to));
  };
  /** The position from which on a text may be the beginning of a disguised secret. */
  const openDisguise = (text: string): number => {
    if (plain.pattern === undefined) return text.length;
    const escape = openEscapeAt(text);
    const located = locatedText(text.slice(0, escape));
    const tail = plain.openTail(located.text);
    if (tail > 0) return located.starts[located.text.length - tail] ?? escape;
    // A line break begins no secret; an escape may.
    return /^[\\&%]/.test(text.slice(escape)) ? escape : text.length;
  };

  return {
    add(name, value) {
      const forms = secretForms(value);
      const before = written.size;
      for (const form of forms) {
        if (!written.has(form)) written.set(form, name);
        const shown = plainText(form);
        if (shown.length >= shortestDisguised && !disguised.has(shown)) disguised.set(shown, name);
      }
      if (written.size !== before) {
        exact = searchFor(written);
        plain = searchFor(disguised);
      }
      return forms.length > 0;
    },
    isEmpty: () => written.size === 0,
    places,
    decidedEnd(text) {
      let end = Math.min(text.length - exact.openTail(text), openDisguise(text));
      for (const { from, to } of places(text)) {
        if (from >= end) break;
        if (to > end) {
          // A complete form also waits while a longer one that begins with it is open: of "pass" and "password" the
          // longer is hidden.
          const rest = text.slice(to);
          end = Math.min(text.length - exact.openTail(rest), to + openDisguise(rest));
        }
      }
      return end;
    },
  };
}

/** Places without overlaps: overlapping places are merged. */
function joined(places: readonly Place[]): readonly Place[] {
  const apart: Place[] = [];
  for (const place of places) {
    const before = apart.at(-1);
    if (before === undefined || place.from >= before.to) apart.push(place);
    else if (place.to > before.to) apart[apart.length - 1] = { ...before, to: place.to };
  }
  return apart;
}

import type { TextFilter } from "@bailiwick/core";

import { bytesOf, copyMembers, enumerableKeys, holdsEntries, readMember, setMember, withEntries } from "./members.ts";
import { secretForms } from "./secret-forms.ts";

/** Finds and replaces known secrets. */
export interface Scrubber {
  /** Makes a value known from now on; `false` for one that is too short to be looked for. */
  add(name: string, value: string): boolean;
  /** Replaces every known value; the same value back, by identity, when there is none. */
  scrub<T>(value: T): T;
  /** Takes every known value out of an error itself, which somebody else is about to print. */
  scrubInPlace(error: Error): void;
  /** Whether a value holds a known secret. */
  holds(value: unknown): boolean;
  /** Scrubs text that arrives in pieces; holds back only what may be the beginning of a secret. */
  stream(): TextFilter;
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Every beginning of every form, by code units: a piece may end within a character of two. */
function beginningsOf(forms: Iterable<string>): Set<string> {
  const beginnings = new Set<string>();
  for (const form of forms)
    for (let length = 1; length < form.length; length += 1) beginnings.add(form.slice(0, length));
  return beginnings;
}

function setFields(error: Error, fields: readonly (readonly [PropertyKey, unknown])[]): void {
  for (const [key, value] of fields) {
    const enumerable = Object.getOwnPropertyDescriptor(error, key)?.enumerable ?? false;
    Reflect.defineProperty(error, key, { value, configurable: true, writable: true, enumerable });
  }
}

/** Makes a scrubber that knows no secrets yet. */
export function createScrubber(): Scrubber {
  const names = new Map<string, string>();
  let pattern: RegExp | undefined;
  let prefixes: Set<string> | undefined;
  let longest = 0;

  const rebuild = (): void => {
    const forms = [...names.keys()].toSorted((a, b) => b.length - a.length);
    pattern = forms.length === 0 ? undefined : new RegExp(forms.map(escapePattern).join("|"), "g");
    longest = forms[0]?.length ?? 0;
    prefixes = undefined;
  };
  const replacement = (form: string): string => `[secret ${names.get(form) ?? ""}]`;
  const scrubText = (text: string): string => {
    if (pattern === undefined) return text;
    pattern.lastIndex = 0;
    return pattern.test(text) ? text.replace(pattern, replacement) : text;
  };
  const scrubBytes = (bytes: Uint8Array): Uint8Array => {
    let text = "";
    for (let index = 0; index < bytes.length; index += 8192)
      text += String.fromCharCode(...bytes.subarray(index, index + 8192));
    const clean = scrubText(text);
    return clean === text ? bytes : Uint8Array.from(clean, (character) => character.charCodeAt(0));
  };
  /** What of an error's own properties changes; libraries keep requests and answers there. */
  const changedFields = (error: Error, seen: Map<object, unknown>): readonly (readonly [PropertyKey, unknown])[] =>
    Reflect.ownKeys(error).flatMap((key) => {
      const { value } = Object.getOwnPropertyDescriptor(error, key) ?? {};
      const before: unknown = key === "stack" ? error.stack : value;
      const clean = scrubValue(before, seen);
      return clean === before ? [] : [[key, clean] as const];
    });
  const scrubError = (error: Error, seen: Map<object, unknown>): Error => {
    const changed = changedFields(error, seen);
    if (changed.length === 0) return error;
    const clean = Object.create(
      Object.getPrototypeOf(error) as object,
      Object.getOwnPropertyDescriptors(error),
    ) as Error;
    setFields(clean, changed);
    seen.set(error, clean);
    return clean;
  };
  const scrubSymbol = (symbol: symbol): symbol => {
    const { description = "" } = symbol;
    const clean = scrubText(description);
    return clean === description ? symbol : Symbol(clean);
  };
  /** What is held in an object's inside and not in its members; `undefined` for an object that holds nothing there. */
  const scrubHeld = (value: object, seen: Map<object, unknown>): unknown => {
    if (value instanceof Uint8Array) return scrubBytes(value);
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : bytesOf(value);
      const clean = scrubBytes(bytes);
      return clean === bytes ? value : clean;
    }
    if (value instanceof URL || Object.prototype.toString.call(value) === "[object String]") {
      const text = (value as URL).toString();
      const clean = scrubText(text);
      return clean === text ? value : clean;
    }
    if (!holdsEntries(value)) return undefined;
    const entries = [...value];
    const clean = scrubValue(entries, seen);
    return clean === entries ? value : withEntries(value, clean as readonly unknown[]);
  };
  const scrubObject = (value: object, seen: Map<object, unknown>): unknown => {
    if (seen.has(value)) return seen.get(value);
    seen.set(value, value);
    if (value instanceof Error) return scrubError(value, seen);
    if (Array.isArray(value)) {
      let copy: unknown[] | undefined;
      value.forEach((item: unknown, index) => {
        const clean = scrubValue(item, seen);
        if (clean !== item) (copy ??= [...(value as unknown[])])[index] = clean;
      });
      if (copy) seen.set(value, copy);
      return copy ?? value;
    }
    const held = scrubHeld(value, seen);
    if (held !== undefined) return held;
    let copy: Record<PropertyKey, unknown> | undefined;
    for (const key of enumerableKeys(value)) {
      const item = readMember(value, key);
      const clean = scrubValue(item, seen);
      const cleanKey = typeof key === "string" ? scrubText(key) : scrubSymbol(key);
      if (clean === item && cleanKey === key) continue;
      copy ??= copyMembers(value);
      if (cleanKey !== key) Reflect.deleteProperty(copy, key);
      setMember(copy, cleanKey, clean);
    }
    if (copy) seen.set(value, copy);
    return copy ?? value;
  };
  const scrubValue = (value: unknown, seen: Map<object, unknown>): unknown => {
    if (typeof value === "string") return scrubText(value);
    if (typeof value === "symbol") return scrubSymbol(value);
    return typeof value === "object" && value !== null ? scrubObject(value, seen) : value;
  };
  const scrub = <T>(value: T): T => (pattern === undefined ? value : (scrubValue(value, new Map()) as T));

  /** Length of the longest tail of `text` that begins a form. */
  const openTail = (text: string): number => {
    prefixes ??= beginningsOf(names.keys());
    for (let length = Math.min(longest - 1, text.length); length > 0; length -= 1) {
      if (prefixes.has(text.slice(-length))) return length;
    }
    return 0;
  };

  /**
   * Up to where more text changes nothing. A form that has ended waits too while a longer one that begins with it is
   * open: of "pass" and "password" the longer is what is hidden.
   */
  const decidedEnd = (text: string): number => {
    let end = text.length - openTail(text);
    for (const { 0: form, index } of pattern === undefined ? [] : text.matchAll(pattern)) {
      if (index >= end) break;
      const after = index + form.length;
      if (after > end) end = text.length - openTail(text.slice(after));
    }
    return end;
  };

  return {
    add(name, value) {
      const before = names.size;
      const forms = secretForms(value);
      for (const form of forms) if (!names.has(form)) names.set(form, name);
      if (names.size !== before) rebuild();
      return forms.length > 0;
    },
    scrub,
    scrubInPlace(error) {
      if (pattern !== undefined) setFields(error, changedFields(error, new Map([[error, error]])));
    },
    holds: (value) => scrub(value) !== value,
    stream() {
      let held = "";
      return {
        push(text) {
          if (pattern === undefined && held === "") return text;
          const whole = held + text;
          const ready = decidedEnd(whole);
          held = whole.slice(ready);
          return scrubText(whole.slice(0, ready));
        },
        end() {
          const rest = scrubText(held);
          held = "";
          return rest;
        },
      };
    },
  };
}

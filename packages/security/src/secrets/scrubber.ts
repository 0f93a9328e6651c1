import type { TextFilter } from "@bailiwick/core";

import { bytesOf, copyMembers, enumerableKeys, holdsEntries, readMember, setMember, withEntries } from "./members.ts";
import { knownForms } from "./known-forms.ts";

/** Finds and replaces known secrets. */
export interface Scrubber {
  /** Makes a value known from now on; `false` if it is too short to search for. */
  add(name: string, value: string): boolean;
  /** Replaces every known value; returns the same value, by identity, if there is none. */
  scrub<T>(value: T): T;
  /** Removes every known value from an error itself, which another process is about to print. */
  scrubInPlace(error: Error): void;
  /** True if a value holds a known secret. */
  holds(value: unknown): boolean;
  /** Scrubs text that arrives in pieces; holds back only what may be the beginning of a secret. */
  stream(): TextFilter;
}

function setFields(error: Error, fields: readonly (readonly [PropertyKey, unknown])[]): void {
  for (const [key, value] of fields) {
    const enumerable = Object.getOwnPropertyDescriptor(error, key)?.enumerable ?? false;
    Reflect.defineProperty(error, key, { value, configurable: true, writable: true, enumerable });
  }
}

/** Makes a scrubber that knows no secrets yet. */
export function createScrubber(): Scrubber {
  const known = knownForms();
  const scrubText = (text: string): string => {
    const places = known.places(text);
    if (places.length === 0) return text;
    let clean = "";
    let end = 0;
    for (const { from, to, name } of places) {
      clean += `${text.slice(end, from)}[secret ${name}]`;
      end = to;
    }
    return clean + text.slice(end);
  };
  const scrubBytes = (bytes: Uint8Array): Uint8Array => {
    let text = "";
    for (let index = 0; index < bytes.length; index += 8192)
      text += String.fromCharCode(...bytes.subarray(index, index + 8192));
    const clean = scrubText(text);
    return clean === text ? bytes : Uint8Array.from(clean, (character) => character.charCodeAt(0));
  };
  /** The properties of an error that are changed; libraries store requests and answers there. */
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
  /** The internal content of an object that is not in its members; `undefined` if there is none. */
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
  const scrub = <T>(value: T): T => (known.isEmpty() ? value : (scrubValue(value, new Map()) as T));

  return {
    add: known.add,
    scrub,
    scrubInPlace(error) {
      if (!known.isEmpty()) setFields(error, changedFields(error, new Map([[error, error]])));
    },
    holds: (value) => scrub(value) !== value,
    stream() {
      let held = "";
      return {
        push(text) {
          if (known.isEmpty() && held === "") return text;
          const whole = held + text;
          const ready = known.decidedEnd(whole);
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

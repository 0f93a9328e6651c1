import { canonicalJson, isSameJson } from "../../json/canonical-json.ts";
import { durableJson, jsonOutput } from "../../json/checked-json.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";

/** The one value of a call: it is labelled, judged, shown, bound, journaled and executed. */
export interface CallValue {
  /** The source of the parsed value: the arguments of the model, an extension or a person, with links made harmless. */
  readonly given: unknown;
  /** The value as JSON. A reference stays a reference; a date and its like have their JSON form. */
  readonly args: unknown;
  /** The value as `execute` gets it; equal to `args` if that is the whole value. */
  readonly input: unknown;
  /** Hash of `args`: approvals and intents are bound to it. */
  readonly hash: string;
}

/**
 * Makes the value of a call.
 *
 * @param given - The arguments.
 * @param expanded - The arguments with the values of their references.
 * @param parsed - What the schema made of the latter.
 */
export function callValue(hasher: Hasher, given: unknown, expanded: unknown, parsed: unknown): CallValue {
  const json = durableJson(parsed);
  const isWhole = json.ok && expanded === given;
  const args = isWhole ? json.value : jsonForm(parsed, given, expanded);
  return { given, args, input: isWhole ? args : parsed, hash: hashOf(hasher, args) };
}

/** The hash that approvals and intents are bound to. */
export function hashOf(hasher: Hasher, args: unknown): string {
  return hasher.sha256(canonicalJson(args));
}

/** A parsed value as JSON, with the references that the arguments have where the value has theirs. */
function jsonForm(parsed: unknown, given: unknown, expanded: unknown): unknown {
  if (isPlain(parsed) && (isPlain(given) || given === undefined)) {
    const members = Object.entries(parsed).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      members.map(([key, member]) => [key, jsonForm(member, memberOf(given, key), memberOf(expanded, key))]),
    );
  }
  if (Array.isArray(parsed) && (given === undefined || (Array.isArray(given) && given.length === parsed.length))) {
    return parsed.map((item: unknown, index) => jsonForm(item, memberOf(given, index), memberOf(expanded, index)));
  }
  if (given !== undefined && !isSameJson(given, expanded)) return given;
  const json = jsonOutput(parsed);
  return (json.ok ? json.value : given) ?? given ?? null;
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string | number, unknown>>)[key]
    : undefined;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

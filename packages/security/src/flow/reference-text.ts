import { ReferenceUnknownError } from "./flow-errors.ts";

/** How every reference begins. */
export const referencePrefix = "$ref:";

/** A reference as it may stand in arguments: its text, or the whole object. */
export function referenceIn(value: unknown): string | undefined {
  if (typeof value === "string") return value.startsWith(referencePrefix) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const { $ref } = value as { readonly $ref?: unknown };
  return typeof $ref === "string" && $ref.startsWith(referencePrefix) ? $ref : undefined;
}

/** [quarantine.boundary] The value that a reference stands for. */
export function valueOf(
  reference: string,
  outputOf: (call: string) => unknown,
): { readonly value: unknown } | undefined {
  const match = /^\$ref:((?:r\d+\.)?t\d+\/c\d+)(?::(.*))?$/su.exec(reference);
  const [, call, location = ""] = match ?? [];
  if (call === undefined) return undefined;
  let value = outputOf(call);
  for (const part of location.match(/\[\d+\]|\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/gu) ?? []) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = part.startsWith("[") ? String(JSON.parse(part.slice(1, -1))) : part;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value === undefined ? undefined : { value };
}

/** The call whose output a reference points into, as the reference names it: see `callBehind`. */
export function callOfReference(reference: string): string | undefined {
  return /^\$ref:((?:r\d+\.)?t\d+\/c\d+)(?::|$)/u.exec(reference)?.[1];
}

/**
 * Every reference in some arguments, with the place where it stands.
 *
 * @throws ReferenceUnknownError for one that has the form of a reference and stands for nothing.
 */
export function expandReferences(
  args: unknown,
  outputOf: (call: string) => unknown,
): { readonly args: unknown; readonly found: readonly string[] } {
  // Only speed: nearly all arguments hold none, and are not written anew.
  if (!mentionsReference(args)) return { args, found: [] };
  const found: string[] = [];
  const expand = (value: unknown): unknown => {
    const reference = referenceIn(value);
    if (reference !== undefined) {
      const target = valueOf(reference, outputOf);
      if (target === undefined) {
        if (callOfReference(reference) === undefined) return value;
        throw new ReferenceUnknownError(reference);
      }
      found.push(reference);
      return target.value;
    }
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
  };
  const expanded = expand(args);
  return found.length === 0 ? { args, found } : { args: expanded, found };
}

/** Whether some text in a value begins as a reference does. */
export function mentionsReference(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith(referencePrefix);
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) if (mentionsReference(members[key])) return true;
  return false;
}

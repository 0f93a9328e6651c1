import { wellFormedJson } from "@bailiwick/core/provider";

/** Members of a body that are JSON text already, by name, so that repeated content is serialized once. */
export type WrittenMembers = Readonly<Record<string, string>>;

/**
 * Writes a request's body.
 *
 * @param fields - Members that are written now. A member that {@link written} has too is replaced.
 * @param written - Members that were written before.
 */
export function writeBody(fields: object, written: WrittenMembers): string {
  const rest = JSON.stringify(wellFormedJson(fields)).slice(1, -1);
  const members = Object.entries(written)
    .filter(([name]) => !Object.hasOwn(fields, name))
    .map(([name, text]) => `"${name}":${text}`);
  return `{${(rest === "" ? members : [...members, rest]).join(",")}}`;
}

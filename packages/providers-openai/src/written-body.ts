import { wellFormedJson } from "@bailiwick/core/provider";

/** Members of a body that are JSON text already, by name, so that repeated content is serialized once. */
export type WrittenMembers = Readonly<Record<string, string>>;

/**
 * Writes a request's body.
 *
 * @param fields - Members that are written now. One that {@link written} has too takes its place.
 * @param written - Members that were written before.
 */
export function writeBody(fields: object, written: WrittenMembers): string {
  const rest = JSON.stringify(wellFormedJson(fields)).slice(1, -1);
  const members = Object.entries(written)
    .filter(([name]) => !Object.hasOwn(fields, name))
    .map(([name, text]) => `"${name}":${text}`);
  return `{${(rest === "" ? members : [...members, rest]).join(",")}}`;
}

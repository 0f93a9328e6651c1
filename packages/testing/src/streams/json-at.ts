/**
 * A nested value in JSON, such as a recorded request's body.
 *
 * @param value - Parsed JSON.
 * @param path - Keys and indexes, from outside in.
 * @returns `undefined` if the path does not exist.
 * @example
 * ```ts
 * import { jsonAt } from "@bailiwick/testing";
 *
 * console.log(jsonAt({ input: [{ role: "user" }] }, "input", 0, "role"));
 * ```
 */
export function jsonAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[step] : undefined,
    value,
  );
}

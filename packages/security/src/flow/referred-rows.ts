import { valuesAt } from "./leaves.ts";
import { segment, stepsOf, type Step } from "./paths.ts";

/** A value in a result, with the rows of lists that it is in: the innermost first, the whole result last. */
export interface RowValue {
  readonly value: unknown;
  readonly rows: readonly [unknown, ...(readonly unknown[])];
}

/** All values that a path addresses. */
export function rowsAt(output: unknown, steps: readonly Step[]): readonly RowValue[] {
  let found: readonly RowValue[] = [{ value: output, rows: [output] }];
  for (const step of steps)
    found = found.flatMap(({ value, rows }): readonly RowValue[] =>
      valuesAt(value, [step]).map((one) => ({
        value: one.value,
        rows: typeof step === "string" ? rows : [one.value, ...rows],
      })),
    );
  return found;
}

/**
 * [grants.where] The field that a condition is about: one of the innermost row, or of the nearest row around it. So the
 * address of a guardian is found by the name of the pupil.
 */
export function memberOf(rows: RowValue["rows"], key: string): ReturnType<typeof valuesAt> {
  const steps = stepsOf(key) ?? [key];
  for (const row of rows) {
    const found = valuesAt(row, steps);
    if (found.length > 0) return found;
  }
  return [];
}

/** The fields that a reference depends on, as general paths: the one it reads, then those by which it selects. */
export type DependedPaths = readonly [read: string, ...selecting: readonly string[]];

/** Finds the fields that a reference depends on. */
export function pathsOf(steps: readonly Step[], keys: readonly string[], values: readonly RowValue[]): DependedPaths {
  // The paths of the rows around a value, the innermost first, the whole result last.
  const around = steps
    .flatMap((step, at) => (typeof step === "string" ? [] : [writePath(steps.slice(0, at + 1))]))
    .toReversed();
  const prefixes = [...around, ""];
  const selecting = keys.flatMap((key) => {
    const own = stepsOf(key) ?? [key];
    const levels = new Set(values.map(({ rows }) => rows.findIndex((row) => valuesAt(row, own).length > 0)));
    // Without a value, the condition is about the innermost row.
    if (levels.size === 0) levels.add(0);
    return [...levels].map((level) => writePath(own, prefixes[Math.max(level, 0)]));
  });
  return [writePath(steps), ...selecting];
}

function writePath(steps: readonly Step[], from = ""): string {
  let path = from;
  for (const step of steps) path = typeof step === "string" ? segment(path, step) : `${path}[]`;
  return path;
}

/** A place at which two JSON values differ. */
export interface Difference {
  /** Such as `input[2].content`. Empty for the whole value. */
  readonly path: string;
  /** `undefined` if there was no value. */
  readonly recorded: unknown;
  /** The value in the request of this run. */
  readonly sent: unknown;
}

/**
 * Differences between a request and a recorded one.
 *
 * @param recorded - Parsed JSON.
 * @param sent - Parsed JSON.
 * @param path - Place of the values.
 */
export function differences(recorded: unknown, sent: unknown, path: string = ""): readonly Difference[] {
  if (Object.is(recorded, sent)) return [];
  if (Array.isArray(recorded) && Array.isArray(sent)) {
    const longer = recorded.length > sent.length ? recorded : sent;
    return longer.flatMap((_, index) => differences(recorded[index], sent[index], `${path}[${index}]`));
  }
  if (isRecord(recorded) && isRecord(sent)) {
    const keys = new Set([...Object.keys(recorded), ...Object.keys(sent)]);
    return [...keys].flatMap((key) => differences(recorded[key], sent[key], path === "" ? key : `${path}.${key}`));
  }
  return [{ path, recorded, sent }];
}

/**
 * A copy without the values at the given paths.
 *
 * @param value - Parsed JSON.
 * @param paths - Such as `metadata.user_id`; `*` is any key or index.
 */
export function without(value: unknown, paths: readonly string[]): unknown {
  return paths.reduce((left, path) => withoutPath(left, path.split(".")), value);
}

function withoutPath(value: unknown, [step = "", ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      matches(step, String(index)) && rest.length > 0 ? withoutPath(item, rest) : item,
    );
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (!matches(step, key)) return [[key, inner]];
    return rest.length === 0 ? [] : [[key, withoutPath(inner, rest)]];
  });
  return Object.fromEntries(entries);
}

function matches(step: string, key: string): boolean {
  return step === "*" || step === key;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { PartUnavailableError } from "../errors/part-unavailable.ts";

/**
 * Uses a part that loads on first use: at once if it is loaded, else when it has arrived.
 *
 * @param use - Called with the part when it is loaded; `LazyPart` returns its result.
 */
export type LazyPart<Part> = <Result>(use: (part: Part) => Result | Promise<Result>) => Result | Promise<Result>;

/** Loads each part, by its name: of parts with one name the newest, so that agents which are made again add nothing. */
const parts = new Map<string, () => Promise<unknown>>();

/**
 * Loads all parts that otherwise load on first use: a server can do it at its start, so that no request waits for a
 * part or finds that it is missing. A part that cannot be loaded is left for its first use, which then fails.
 *
 * @example
 * ```ts
 * import { loadParts } from "@bailiwick/core/extension";
 *
 * await loadParts();
 * ```
 */
export async function loadParts(): Promise<void> {
  const done = new Set<() => Promise<unknown>>();
  for (const load of parts.values()) {
    if (done.has(load)) continue;
    done.add(load);
    // Parts that this one brings along are added to the list.
    await load().catch(() => undefined);
  }
}

/**
 * Leaves a part of the framework out of the initial bundle. It is loaded once; after a failure the next use tries
 * again. Uses start in order.
 *
 * @param name - Name of the part, as the subject of a sentence.
 * @param load - An `import()` of a literal, so that bundlers make a file of it.
 * @returns a function that loads the part. Its promise rejects with PartUnavailableError `PART_UNAVAILABLE` if the
 *   part cannot be loaded; nothing was done then.
 *
 * @example
 * ```ts
 * import { lazyPart } from "@bailiwick/core/extension";
 *
 * const numbers = lazyPart("The table of numbers", () => Promise.resolve({ answer: 42 }));
 *
 * export const answer: number | Promise<number> = numbers(({ answer }) => answer);
 * ```
 */
export function lazyPart<Part extends object>(name: string, load: () => Promise<Part>): LazyPart<Part> {
  let loaded: Part | undefined;
  let loading: Promise<Part> | undefined;
  const arrive = (): Promise<Part> => {
    const arriving = load().catch((cause: unknown) => {
      throw new PartUnavailableError(name, cause);
    });
    // The first reaction of the promise: later uses follow the waiting ones.
    arriving.then(
      (part) => (loaded = part),
      () => (loading = undefined),
    );
    return arriving;
  };
  const lazy: LazyPart<Part> = (use) => {
    if (loaded !== undefined) return use(loaded);
    loading ??= arrive();
    return loading.then(use);
  };
  parts.set(name, async () => lazy(() => undefined));
  return lazy;
}

type Methods<Port, Name extends keyof Port> = {
  readonly [Key in Name]: NonNullable<Port[Key]> extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Promise<Result>
    : never;
};

/**
 * Makes methods of an object whose code loads with the first call. Calls before the part has loaded start in order.
 *
 * @param part - The part that makes the object.
 * @param names - Methods of the object, all asynchronous.
 * @param make - Makes the object: once, with the first call.
 */
export function lateMethods<Part, Port extends object, Name extends keyof Port & string>(
  part: LazyPart<Part>,
  names: readonly Name[],
  make: (part: Part) => Port,
): Methods<Port, Name> {
  let object: Port | undefined;
  const method =
    (name: Name) =>
    (...given: readonly unknown[]): unknown => {
      const call = (made: Port): unknown => (made[name] as (...given: readonly unknown[]) => unknown)(...given);
      return object === undefined ? part((loaded) => call((object ??= make(loaded)))) : call(object);
    };
  return Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as Methods<Port, Name>;
}

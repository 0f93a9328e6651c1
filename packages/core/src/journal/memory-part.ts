import { lazyPart } from "../loading/lazy-part.ts";
import type * as stores from "./memory/part.ts";

const part = lazyPart("The store in memory", () => import("./memory/part.ts"));

type Methods<Port, Name extends keyof Port> = {
  readonly [Key in Name]: NonNullable<Port[Key]> extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Promise<Result>
    : never;
};

/**
 * Makes methods that load the in-memory stores with the first call. Calls before the part has loaded start in order.
 *
 * @param names - Methods of the store, all asynchronous.
 * @param make - Makes the store: once, with the first call.
 */
export function inMemory<Port extends object, Name extends keyof Port & string>(
  names: readonly Name[],
  make: (part: typeof stores) => Port,
): Methods<Port, Name> {
  let store: Port | undefined;
  const method =
    (name: Name) =>
    (...given: readonly unknown[]): unknown => {
      const call = (made: Port): unknown => (made[name] as (...given: readonly unknown[]) => unknown)(...given);
      return store === undefined ? part((loaded) => call((store ??= make(loaded)))) : call(store);
    };
  return Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as Methods<Port, Name>;
}

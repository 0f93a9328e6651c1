import type { LazyPart } from "../loading/lazy-part.ts";

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

import { exchange } from "../world/exchange.ts";
import { currentWorld, type World } from "../world/world.ts";

/**
 * Makes each method of an object a choice point of a simulation, for clients that use sockets, such as the driver of a
 * database or a queue. Outside of a simulation the object is used as it is.
 *
 * @param name - Name in histories: `w1/database.query#1`.
 * @param object - The object, or a function that makes one for each history.
 * @example
 * ```ts
 * import { component } from "@bailiwick/testing/simulation";
 *
 * export interface Rates {
 *   rate(currency: string): Promise<number>;
 * }
 *
 * export const rates: Rates = component("rates", () => ({ rate: async (currency) => (currency === "EUR" ? 1 : 2) }));
 * ```
 */
export function component<Target extends object>(name: string, object: Target | (() => Target)): Target {
  const make = typeof object === "function" ? object : () => object;
  const targets = new WeakMap<World, Target>();
  let own: Target | undefined;
  const call = (property: string, given: readonly unknown[]): unknown => {
    const current = currentWorld();
    const invoke = (target: Target): unknown =>
      (Reflect.get(target, property) as (...all: readonly unknown[]) => unknown).apply(target, [...given]);
    if (current === undefined) return invoke((own ??= make()));
    const { world, process } = current;
    const target = targets.get(world) ?? make();
    targets.set(world, target);
    const side = world.component(name, {
      isOrdered: false,
      kinds: ["die", "dieAfter", "pauseAfter", "late", "lost", "away"],
    });
    return exchange(world, process, side, {
      operation: property,
      work: async () => invoke(target),
      refuse: () => Object.assign(new Error(`The connection to "${name}" was reset.`), { code: "ECONNRESET" }),
      story: () => `calls ${name}.${property}`,
    });
  };
  return new Proxy({} as Target, {
    get(_, property) {
      // A promise would be asked for `then`.
      if (typeof property === "symbol" || property === "then") return undefined;
      return (...given: readonly unknown[]) => call(property, given);
    },
  });
}

import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { frozenCopy } from "../../user-code/copies.ts";

/**
 * The session's state as code reads it: a frozen copy. An assignment throws, and names the functions that write.
 *
 * @param state - Values by key.
 */
export function shownState(state: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shown = Object.create(refusesNew) as Record<string, unknown>;
  for (const [key, value] of Object.entries(frozenCopy(state)))
    Object.defineProperty(shown, key, {
      enumerable: true,
      get: () => value,
      set() {
        refuse(key);
      },
    });
  return Object.freeze(shown);
}

/** Assigning a key that an object does not have reaches its prototype. */
const refusesNew = new Proxy(Object.prototype, { set: (_target, key) => refuse(String(key)) });

function refuse(key: string): never {
  throw new BailiwickError(
    "STATE_READ_ONLY",
    `ctx.sessionState is a copy, and "${key}" was not written. Use ctx.setState("${key}", value), or await ctx.updateState("${key}", (value) => …) where several runs write it.`,
  );
}

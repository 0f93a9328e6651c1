import type { CallName, Failure } from "@bailiwick/store-sqlite/portable";

/** One call of a store, as it goes to the object that holds it. */
export type StoreRequest = readonly [name: CallName, args: readonly unknown[]];

/** The outcome of one call. */
export type StoreAnswer = { readonly value: unknown } | { readonly failure: Failure };

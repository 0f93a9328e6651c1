import type { CallName, Failure } from "@bailiwick/store-sqlite/portable";

/** One call of a store, in the form sent to the object. */
export type StoreRequest = readonly [name: CallName, args: readonly unknown[]];

/** The outcome of one call. */
export type StoreAnswer = { readonly value: unknown } | { readonly failure: Failure };

import { checkArgument } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { argumentCases } from "./argument-cases.ts";
import { appendCases } from "./append-cases.ts";
import { conversationCases } from "./conversation-cases.ts";
import { inboxCases } from "./inbox-cases.ts";
import { messageCases } from "./message-cases.ts";
import { leaseCases } from "./lease-cases.ts";
import { ledgerCases } from "./ledger-cases.ts";
import { outboxCases } from "./outbox-cases.ts";
import { propertyCases } from "./property-cases.ts";
import { ownerCases } from "./owner-cases.ts";
import { ownerProperty } from "./owner-property.ts";
import { queueCases } from "./queue-cases.ts";
import { searchCases } from "./search-cases.ts";
import { sessionCases } from "./session-cases.ts";
import { settlingCases } from "./settling-cases.ts";
import { turnCases } from "./turn-cases.ts";
import type { CreateStore, StoreTraits } from "./store-case.ts";

/**
 * Requirements of every store, as cases for any test runner: each makes its own store. Ledger, sessions and outbox are
 * tested if the store has them.
 *
 * @param createStore - Makes an empty store.
 * @param traits - Duration of its shortest leases, and number of random histories.
 * @example
 * ```ts
 * import { memoryStore } from "@bailiwick/core";
 * import { storeConformance } from "@bailiwick/testing/conformance";
 *
 * export function register(test: (name: string, run: () => Promise<void>) => void) {
 *   for (const { name, run } of storeConformance(() => ({ store: memoryStore() }))) test(name, run);
 * }
 * ```
 */
export function storeConformance(createStore: CreateStore, traits: StoreTraits = {}): readonly ConformanceCase[] {
  checkArgument(createStore, "function", "storeConformance(createStore)");
  const setup = { createStore, runs: traits.runs ?? 30, shortTtlMs: traits.shortTtlMs ?? 30 };
  return [
    ...leaseCases(setup),
    ...appendCases(setup),
    ...inboxCases(setup),
    ...queueCases(setup),
    ...turnCases(setup),
    ...searchCases(setup),
    ...settlingCases(setup),
    ...ledgerCases(setup),
    ...outboxCases(setup),
    ...sessionCases(setup),
    ...conversationCases(setup),
    ...argumentCases(setup),
    ...messageCases(setup),
    ...ownerCases(setup),
    ownerProperty(setup),
    ...propertyCases(setup),
  ];
}

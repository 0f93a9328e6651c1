// The part that loads with the first call of a store in memory.
export { ledgerRows } from "./ledger.ts";
export { memoryOutbox } from "./outbox.ts";
export { runRows } from "./runs.ts";

/**
 * Entry point for authors of stores: the ports, and the checks and codecs that every store shares.
 *
 * @module store
 */
export type { JournalEvent } from "./contracts/journal-event.ts";
export type { Message } from "./contracts/message.ts";
export type { Owner } from "./contracts/owner.ts";
export type { BlobStore } from "./contracts/ports/blob-store.ts";
export type { Ledger, LedgerKey, LedgerRow } from "./contracts/ports/ledger.ts";
export type { Logger } from "./contracts/ports/logger.ts";
export type {
  MemoryEntry,
  MemoryHit,
  MemoryQuery,
  MemoryScope,
  MemoryStore,
  MemoryVector,
} from "./contracts/ports/memories.ts";
export type { Outbox, OutboxEvent, TakenEvent } from "./contracts/ports/outbox.ts";
export type { FoundRun, FoundRuns, RunCounts, RunFacts, RunSearch } from "./contracts/ports/run-search.ts";
export type {
  Claim,
  ClaimLimit,
  ClaimRequest,
  ClaimedAgent,
  ClaimedRun,
  Lease,
  QueueDepth,
  Release,
  RunStore,
  SessionAppend,
} from "./contracts/ports/run-store.ts";
export type { Head, RunRecord, StoredRun } from "./contracts/ports/stored-run.ts";
export { storedRunStates } from "./contracts/ports/stored-run-states.ts";
export type {
  DeletedSession,
  Session,
  SessionStore,
  StateWrite,
  StateWritten,
} from "./contracts/ports/session-store.ts";
export { BailiwickError } from "./errors/bailiwick-error.ts";
export { ConfigurationError } from "./errors/configuration-errors.ts";
export { checkArgument, checkKnownNames } from "./errors/value-checks.ts";
export { MemoryNotFoundError, MemorySupersededError, TenantMismatchError } from "./errors/memory-errors.ts";
export { RunNotFoundError } from "./errors/run-errors.ts";
export { ConversationDeletedError, SessionBusyError, SessionNotFoundError } from "./errors/session-errors.ts";
export { BlobNotFoundError, FencedError, JournalTamperedError, StoreError } from "./errors/store-errors.ts";
export { checkedSessions } from "./journal/checked-sessions.ts";
export { fairQueue, hasRoom, type ClaimUse, type FairQueue, type QueueLine } from "./journal/fair-queue.ts";
export { checkBatch, duplicateKey } from "./journal/run-facts.ts";
export { chainHash, recordText } from "./journal/hash-chain.ts";
export { readPlain, writePlain } from "./journal/plain-values.ts";
export {
  appendedFacts,
  inputText,
  noFacts,
  parsePlace,
  parseTools,
  printPlace,
  printTools,
  searchedWords,
  searchWords,
} from "./journal/run-facts.ts";
export type { AppendedFacts, SearchPlace } from "./journal/run-facts.ts";
export { isProgress } from "./journal/run-facts.ts";
export { canonicalJson } from "./json/canonical-json.ts";
export { checkMessages, parseSession } from "./journal/session-messages.ts";
export { messageText, printSession, queryWords, sessionWindow } from "./journal/session-text.ts";
export { checkedMemories } from "./memories/checked-memories.ts";
export { checkMemory, checkMemoryScope, checkVector } from "./memories/check-memory.ts";
export { isInScope } from "./memories/memory-scope.ts";
export { isTrueAt, supersededMemory, type StoredMemory } from "./memories/memory-time.ts";
export { indexedTerms, memoryTerms, queryTerms } from "./memories/memory-words.ts";
export { rankByWords, type WordCounts } from "./memories/rank-by-words.ts";
export { boundMemories, rankDepth, rankMemories, type FoundMemory } from "./memories/rank-memories.ts";
export { searchMemories, type SearchedMemory } from "./memories/search-memories.ts";
export { buildSearchIndex, type SearchDocument, type SearchIndex } from "./tools/bm25.ts";

import type { JournalEvent } from "../contracts/journal-event.ts";
import type { RunFacts } from "../contracts/ports/run-search.ts";
import { StoreError } from "../errors/store-errors.ts";
import { messageText } from "./session-text.ts";
import type { Lease } from "../contracts/ports/run-store.ts";

/** Number of characters of an input, and of an answer, that a search reads. */
const mostCharacters = 4_000;

/** Facts that one append adds to its run. */
export interface AppendedFacts {
  /** Cost in US dollars of the added model calls; `undefined` if no price is known. */
  readonly costUsd: number | undefined;
  /** Input and output tokens of the added model calls. */
  readonly tokens: number;
  /** Number of added model calls. */
  readonly modelCalls: number;
  /** Number of added tool calls. */
  readonly toolCalls: number;
  /** Names of the tools that the added records call. */
  readonly tools: readonly string[];
  /** Reason for the end of the run, if the append ends it. */
  readonly stopReason: string | undefined;
  /** Words of the answer, from `searchWords`. */
  readonly words: string;
}

/** A sealed record contributes no content. */
type Readable<Event> = Partial<Event>;

/**
 * Counts what records add to the facts of their run. Sealed content adds nothing.
 *
 * @param events - Records of one append.
 */
export function appendedFacts(events: readonly JournalEvent[]): AppendedFacts {
  let costUsd: number | undefined;
  let tokens = 0;
  let modelCalls = 0;
  let toolCalls = 0;
  const tools = new Set<string>();
  let stopReason: string | undefined;
  let words = "";
  const spend = (cost: number | undefined, used: number | undefined): void => {
    if (cost !== undefined) costUsd = (costUsd ?? 0) + cost;
    tokens += used ?? 0;
  };
  for (const event of events) {
    if (event.type === "model.result") {
      const { costUsd: cost, usage }: Readable<typeof event> = event;
      modelCalls += 1;
      spend(cost, usage?.totalTokens);
    } else if (event.type === "tool.call") {
      toolCalls += 1;
      tools.add(event.toolName);
    } else if (event.type === "tool.outcome") {
      for (const one of [event.childRun, ...(event.inside ?? [])]) spend(one?.costUsd, one?.usage.totalTokens);
    } else if (event.type === "run.end") {
      const { text }: Readable<typeof event> = event;
      stopReason = event.stopReason;
      const more = searchWords(text);
      words = words === "" ? more : `${words}\n${more}`;
    }
  }
  return { costUsd, tokens, modelCalls, toolCalls, tools: [...tools], stopReason, words };
}

/**
 * Words of an input or an answer that a search reads: its text in lower case, cut off after 4,000 characters. A sealed
 * value has none.
 *
 * @param value - A text, parts of a message, a message, or the input of a queued run.
 */
export function searchWords(value: unknown): string {
  return inputText(value).slice(0, mostCharacters).toLowerCase().toWellFormed().replaceAll("\0", " ");
}

/**
 * The text of a run's input; empty for a sealed one.
 *
 * @param input - Stored input.
 * @example
 * ```ts
 * import { inputText } from "@bailiwick/core/store";
 *
 * console.log(inputText([{ type: "text", text: "Where is my parcel?" }]));
 * ```
 */
export function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return messageText({ id: "", role: "user", content: input });
  if (typeof input !== "object" || input === null) return "";
  const { content, input: queued } = input as { readonly content?: unknown; readonly input?: unknown };
  if (typeof content === "string" || Array.isArray(content)) return inputText(content);
  return queued === undefined ? "" : inputText(queued);
}

/**
 * The words of a query; a match contains each of them.
 *
 * @param text - The query; `undefined` has no words.
 */
export function searchedWords(text: string | undefined): readonly string[] {
  return (text ?? "")
    .toLowerCase()
    .toWellFormed()
    .split(/[\s\0]+/u)
    .filter((word) => word !== "");
}

/** Facts of a run without records. */
export const noFacts: RunFacts = { tokens: 0, modelCalls: 0, toolCalls: 0, tools: [] };

/** A position in the order of runs, newest first. */
export interface SearchPlace {
  /** Creation time of the run, in milliseconds since the epoch. */
  readonly createdAt: number;
  /** Order of creation, for equal times. */
  readonly order: number;
}

/**
 * The cursor of a position.
 *
 * @param place - Time and id of the last run of a page.
 */
export function printPlace({ createdAt, order }: SearchPlace): string {
  return `${createdAt}-${order}`;
}

/**
 * Reads a cursor.
 *
 * @param after - From `printPlace`.
 * @throws StoreError `SEARCH_CURSOR`
 */
export function parsePlace(after: string): SearchPlace {
  const found = /^(\d{1,16})-(\d{1,16})$/u.exec(after);
  if (found === null) {
    throw new StoreError(
      "SEARCH_CURSOR",
      `searchRuns() got "${after}" as "after". Pass the "next" of the page before, as it is.`,
    );
  }
  return { createdAt: Number(found[1]), order: Number(found[2]) };
}

/**
 * Tool names as one text, each between line feeds; names have none.
 *
 * @param tools - Names of tools.
 */
export function printTools(tools: readonly string[]): string {
  return tools.length === 0 ? "" : `\n${tools.join("\n")}\n`;
}

/**
 * The names that `printTools` wrote, each once.
 *
 * @param text - The text that `printTools` returned.
 */
export function parseTools(text: string): readonly string[] {
  return [...new Set(text.split("\n").filter((name) => name !== ""))];
}

const progressing: ReadonlySet<JournalEvent["type"]> = new Set([
  "model.result",
  "tool.outcome",
  "tool.result",
  "tool.approval.requested",
  "input.requested",
  "run.suspended",
  "run.end",
]);

/**
 * True if a record shows progress of its run. Stores count leases that expire without such a record: a run that crashes
 * its process only repeats resumptions and intents.
 *
 * @param event - A record of a journal.
 */
export function isProgress(event: JournalEvent): boolean {
  return progressing.has(event.type);
}

/**
 * Checks an append before a store writes it: records follow the head without a gap, and no key is used twice in a
 * run.
 *
 * @param lease - Lease with the current head.
 * @param events - The records.
 * @param taken - Keys of the records that the run has; not needed by a store whose table refuses duplicates.
 * @throws StoreError `SEQUENCE_GAP` or `DUPLICATE_KEY`.
 */
export function checkBatch(lease: Lease, events: readonly JournalEvent[], taken?: ReadonlySet<string>): void {
  const keys = new Set<string>();
  let expected = lease.head.seq;
  for (const event of events) {
    expected += 1;
    if (event.seq !== expected) {
      throw new StoreError(
        "SEQUENCE_GAP",
        `Run "${lease.runId}": record ${event.seq} ("${event.key}") was appended where ${expected} comes next. Append records in order.`,
        { runId: lease.runId },
      );
    }
    if (keys.has(event.key) || taken?.has(event.key) === true) throw duplicateKey(lease.runId, event.key);
    keys.add(event.key);
  }
}

/**
 * The error for a key that a run already has.
 *
 * @param runId - Id of the run.
 * @param key - The key that a record of the run has already.
 */
export function duplicateKey(runId: string, key: string): StoreError {
  return new StoreError(
    "DUPLICATE_KEY",
    `Run "${runId}" already has a record "${key}": what it stands for was recorded before and is not recorded again.`,
    { runId },
  );
}

import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Head } from "../contracts/ports/stored-run.ts";
import { JournalTamperedError } from "../errors/store-errors.ts";
import { chainHash, headText, recordText } from "./hash-chain.ts";
import { readPlain, writePlain } from "./plain-values.ts";
import { keysOf, signWith, type KeyOrKeys } from "./sign-keys.ts";
import { checkArgument } from "../errors/value-checks.ts";

/** Options of an export and of its verification. */
export interface ExportOptions {
  /** SHA-256 and HMAC: the port with which the store's records were hashed. */
  readonly hasher: Hasher;
  /** HMAC key (`keys.sign`). With a list, the first key signs, and a signature by any of them is accepted. */
  readonly signKey?: KeyOrKeys | undefined;
}

/** A journal that was read from an export. */
export interface VerifiedJournal {
  /** Id of the exported run. */
  readonly runId: string;
  /** All records of the journal, in order. */
  readonly events: readonly JournalEvent[];
  /** Number and hash of the last record. Compare it with a head that you keep elsewhere. */
  readonly head: Head;
  /** `signed`: changes without the key are detected. `unsigned`: only accidental changes are detected. */
  readonly trust: "signed" | "unsigned";
}

/**
 * Writes a journal as JSON lines: a head, the records, and the hash chain over all of them, signed if a key is given.
 *
 * @param runId - The run.
 * @param events - All of its records, as `readJournal` returns them.
 * @param options - The hasher, and the key.
 * @example
 * ```ts
 * import { defaultHasher } from "@bailiwick/core/extension";
 * import { exportJournal } from "@bailiwick/core";
 *
 * export const text = exportJournal("r1", [], { hasher: defaultHasher(), signKey: "key" });
 * ```
 */
export function exportJournal(runId: string, events: readonly JournalEvent[], options: ExportOptions): string {
  checkArgument(events, "array", "exportJournal(runId, events, { hasher, signKey })");
  checkArgument(options, "object", "exportJournal(runId, events, { hasher, signKey })");
  const head = JSON.stringify({ type: "journal", version: 1, runId });
  const records = events.map((event) => recordText(writePlain(event)));
  return render(runId, head, records, events.at(-1)?.seq ?? 0, options);
}

/**
 * Reads an export and checks every byte of it.
 *
 * @param text - Output of `exportJournal`.
 * @param options - The hasher; with a key, an export without a valid signature is refused.
 * @throws JournalTamperedError naming the place of the first error.
 * @example
 * ```ts
 * import { defaultHasher } from "@bailiwick/core/extension";
 * import { exportJournal, verifyJournal } from "@bailiwick/core";
 *
 * const hasher = defaultHasher();
 * export const { trust } = verifyJournal(exportJournal("r1", [], { hasher }), { hasher }); // "unsigned"
 * ```
 */
export function verifyJournal(text: string, options: ExportOptions): VerifiedJournal {
  checkArgument(text, "string", "verifyJournal(text, { hasher, signKey })");
  checkArgument(options, "object", "verifyJournal(text, { hasher, signKey })");
  const lines = text.split("\n");
  const [head, ...rest] = lines.slice(0, -2);
  const foot = lines.at(-2);
  const runId = head === undefined ? undefined : fieldOf(head, "runId");
  if (head === undefined || typeof runId !== "string" || foot === undefined) {
    throw new JournalTamperedError("", 0, "The text is not an exported journal, or its end is missing.");
  }
  const events = rest.map((line, index) => readRecord(runId, line, index + 1));
  const signed = fieldOf(foot, "mac") !== undefined;
  if (options.signKey !== undefined && !signed) {
    throw new JournalTamperedError(runId, events.length, `The export of run "${runId}" is not signed. It is not used.`);
  }
  const trusted = signed && options.signKey !== undefined;
  const found = trusted || !signed ? text : text.replace(/,"mac":"[0-9a-f]{64}"\}\n$/, "}\n");
  const holds = (trusted ? keysOf(options.signKey) : [undefined]).some(
    (signKey) => render(runId, head, rest, events.length, { hasher: options.hasher, signKey }) === found,
  );
  if (!holds) {
    throw new JournalTamperedError(
      runId,
      events.length,
      `The export of run "${runId}" was changed after it was made: its ${trusted ? "signature" : "hash chain"} is invalid. It is not used.`,
    );
  }
  return {
    runId,
    events,
    head: { seq: events.length, hash: String(fieldOf(foot, "hash")) },
    trust: trusted ? "signed" : "unsigned",
  };
}

function render(runId: string, head: string, records: readonly string[], seq: number, options: ExportOptions): string {
  let hash = chainHash(options.hasher, "", head);
  for (const record of records) hash = chainHash(options.hasher, hash, record);
  const mac = signWith(options.hasher, options.signKey, headText(runId, seq, hash));
  const foot = { type: "head", seq, hash, ...(mac !== undefined && { mac }) };
  return `${[head, ...records, JSON.stringify(foot)].join("\n")}\n`;
}

function readRecord(runId: string, line: string, seq: number): JournalEvent {
  const event = parse(line);
  if (event === undefined || event["seq"] !== seq) {
    throw new JournalTamperedError(
      runId,
      seq,
      `Record ${seq} of the export of run "${runId}" is missing or cannot be read. It is not used.`,
    );
  }
  return readPlain(event) as unknown as JournalEvent;
}

function fieldOf(line: string, name: string): unknown {
  return parse(line)?.[name];
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

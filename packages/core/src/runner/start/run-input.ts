import type { UserMessage } from "../../contracts/message.ts";
import type { RunInput, RunOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { copyOfGiven, ownCopy } from "../../user-code/copies.ts";
import { isContentPart } from "../tool-call/model-output.ts";
import { sealValue } from "../../journal/sealed-record.ts";
import type { Agent } from "../run.ts";

/** An input as a user message, copied: later changes by the caller have no effect. */
export function toUserMessage(given: RunInput, id: string, timestamp: number): UserMessage {
  checkRunInput(given);
  if (typeof given === "string") return { id, role: "user", content: given, timestamp };
  const input = ownCopy(given);
  if ("role" in input) return { timestamp, ...input, id: input.id === undefined || input.id === "" ? id : input.id };
  return { id, role: "user", content: input, timestamp };
}

/** Options that hold data of the caller. */
const dataOptions = ["messages", "conversationHistory", "metadata", "extraVars", "grants"] as const;

/** Options of a run with the caller's data as it is now: later changes by the caller have no effect. */
export function withOwnValues(options: RunOptions): RunOptions {
  if (dataOptions.every((name) => options[name] === undefined)) return options;
  const data = dataOptions.flatMap((name) => (options[name] === undefined ? [] : [[name, copyOfGiven(options[name])]]));
  return { ...options, ...(Object.fromEntries(data) as Partial<RunOptions>) };
}

/**
 * Refuses an input before anything of it is stored.
 *
 * @throws ConfigurationError `INVALID_INPUT` when it is neither text, nor parts, nor one user message.
 */
export function checkRunInput(input: unknown): void {
  if (typeof input === "string") return;
  if (isList(input)) return checkParts(input);
  const given = input as Partial<UserMessage> | null | undefined;
  if (typeof given !== "object" || given?.role !== "user")
    refuse(`An input is text, a list of parts, or one user message, not ${shown(input)}. Write run("text", options).`);
  if (typeof given.content !== "string") checkParts(given.content);
}

function checkParts(parts: unknown): void {
  if (!isList(parts)) refuse(`The content of an input is text or a list of parts, not ${shown(parts)}.`);
  for (const [index, part] of parts.entries()) {
    if (typeof part === "object" && part !== null && "role" in part)
      refuse(
        `An input is one message, and part ${index} of this one is a message. Earlier messages go into "messages".`,
      );
    if (!isContentPart(part))
      refuse(
        `Part ${index} of an input is ${shown(part)}: a part is text, an image, audio or a file, with its text, data or url.`,
      );
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function shown(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return `an object with ${Object.keys(value).slice(0, 8).join(", ") || "no fields"}`;
}

function refuse(message: string): never {
  throw new ConfigurationError("INVALID_INPUT", message);
}

/**
 * Options of a run that are stored with its input: the process that begins the run may be another one. Later ones are in
 * its first record.
 */
export interface QueuedOptions extends Pick<RunOptions, "metadata" | "messages" | "extraVars" | "clientTools"> {
  /** The run was started with dependencies, which are never stored. */
  readonly withDependencies?: boolean | undefined;
}

/** The stored input of a run that has such options. */
interface QueuedInput {
  readonly $queued: QueuedOptions;
  readonly input: unknown;
}

/** The options of a run that its first process may leave to another one. */
export function queuedOptions(options: RunOptions): QueuedOptions {
  const { metadata, extraVars, clientTools, dependencies } = options;
  const messages = options.messages ?? options.conversationHistory;
  return { metadata, messages, extraVars, clientTools, ...(dependencies !== undefined && { withDependencies: true }) };
}

/** The input of a run's row, with the options that its first process needs. */
export function queuedInput(options: QueuedOptions, input: unknown): unknown {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.length === 0 ? input : ({ $queued: Object.fromEntries(given), input } satisfies QueuedInput);
}

/** The options of the process that begins a stored run: what the run was created with, under what `resume` may change. */
export function withQueued(options: RunOptions, stored: QueuedOptions): RunOptions {
  const { withDependencies: _, ...queued } = stored;
  const { extraVars = queued.extraVars } = options;
  return { ...options, ...queued, ...(extraVars !== undefined && { extraVars }) };
}

/** Splits the result of `queuedInput`; any other input is returned unchanged. */
export function openQueuedInput(stored: unknown): { readonly input: unknown; readonly queued: QueuedOptions } {
  // A message with a member of that name was sent by a caller: it must not bring options.
  if (typeof stored !== "object" || stored === null || !("$queued" in stored) || "role" in stored)
    return { input: stored, queued: {} };
  const { $queued: queued, input } = stored as QueuedInput;
  return { input, queued };
}

/**
 * The input for fields outside the journal: without known secrets, as in its first record, and sealed if there is a
 * key.
 */
export async function keptInput({ secrets, sealer }: Agent, runId: string, input: unknown): Promise<unknown> {
  await secrets?.ready();
  const own = ownCopy(input);
  return sealValue(secrets?.scrub(own) ?? own, sealer, ["input", runId]);
}

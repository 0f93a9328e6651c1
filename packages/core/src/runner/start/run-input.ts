import type { UserMessage, Message } from "../../contracts/message.ts";
import type { RunRecord } from "../../contracts/ports/stored-run.ts";
import type { RunInput, RunOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { copyOfGiven, ownCopy, ownGraph } from "../../user-code/copies.ts";
import { problemInMessage } from "../../json/checked-json.ts";
import { isContentPart } from "../../history/is-content-part.ts";
import { withPlainMedia } from "../../history/plain-media.ts";
import { conversations } from "../../journal/sealed-sessions.ts";
import type { KeptOptions } from "../../contracts/kept-options.ts";
import { sealValue } from "../../journal/sealed-record.ts";
import type { Agent } from "../run.ts";
import { ownFields } from "../settings/check-settings.ts";

/** An input as a user message, copied: later changes by the caller have no effect. */
export function toUserMessage(given: RunInput, id: string, timestamp: number): UserMessage {
  checkRunInput(given);
  if (typeof given === "string") return { id, role: "user", content: given, timestamp };
  const input = ownCopy(given);
  if (!("role" in input)) return withPlainMedia({ id, role: "user", content: input, timestamp });
  return withPlainMedia({ timestamp, ...input, id: input.id === undefined || input.id === "" ? id : input.id });
}

/** Options with data of the caller that a run keeps. */
const keptOptions = ["messages", "conversationHistory", "metadata", "extraVars", "clientTools"] as const;

/** Options that hold data of the caller. */
const dataOptions = [...keptOptions, "grants"] as const;

/** Options of a run as they are now: later changes by the caller, of the object, its groups and lists, have no effect. */
export function withOwnValues<Options extends RunOptions>(options: Options): Options {
  const own = ownFields(options, "run");
  const data: Partial<Record<string, unknown>> = {};
  for (const name of dataOptions) if (own[name] !== undefined) data[name] = copyOfGiven(own[name]);
  if (own.dependencies !== undefined) data["dependencies"] = ownGraph(own.dependencies);
  return Object.keys(data).length === 0 ? own : { ...own, ...(data as Partial<Options>) };
}

/**
 * Refuses an invalid input before it is stored.
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
    const problem = problemInMessage(part);
    if (problem !== undefined)
      refuse(
        `Part ${index} of an input is kept with the run, and it holds ${problem}. Write it as text or plain JSON.`,
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
 * Earlier messages that a run is given, copied and in canonical form.
 *
 * @throws ConfigurationError `INVALID_MESSAGE` with the path; `CONFLICTING_OPTIONS`
 */
export async function givenMessages(
  { messages, conversationHistory }: RunOptions,
  nextId?: () => string,
): Promise<readonly Message[]> {
  if (messages !== undefined && conversationHistory !== undefined) {
    throw new ConfigurationError(
      "CONFLICTING_OPTIONS",
      `A run has both "messages" and "conversationHistory", which are two names of one thing. Keep one.`,
    );
  }
  const given = messages ?? conversationHistory ?? [];
  if (given.length === 0) return [];
  return conversations(({ canonicalMessage }) =>
    given.map((message, index) => ownCopy(canonicalMessage(message, { id: nextId?.() }, index))),
  );
}

/**
 * Options of a run that are stored with its input: the process that begins the run may be another one. Later ones are in
 * its first record.
 */
export interface QueuedOptions extends Pick<RunOptions, (typeof keptOptions)[number]> {
  /** Options that apply in every process that drives the run. */
  readonly options?: KeptOptions | undefined;
  /** The run was started with dependencies, which are never stored. */
  readonly withDependencies?: boolean | undefined;
  /** The run was started with a model of its caller. */
  readonly withCallerModel?: boolean | undefined;
}

/**
 * The input of a run's row, with the options that its first process may leave to another one.
 *
 * @param notes - Notes on values that are not stored.
 */
export function queuedInput(options: RunOptions, input: unknown, notes: QueuedOptions = {}): unknown {
  const given = keptOptions.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const $queued: QueuedOptions = { ...Object.fromEntries(given), ...notes };
  return Object.keys($queued).length === 0 ? input : { $queued, input };
}

/**
 * The record of a new run of an agent. Its input is without known secrets, as in the run's first record, and sealed if
 * there is a key.
 */
export async function newRecord(
  { name, definitionHash, secrets, sealer }: Agent,
  id: string,
  fields: Pick<RunRecord, "sessionId" | "input"> & Partial<RunRecord>,
): Promise<RunRecord> {
  const { parent } = fields;
  await secrets?.ready();
  const input = ownCopy(fields.input);
  return {
    id,
    agentId: name,
    definitionHash,
    ...fields,
    parent: parent && { runId: parent.runId, toolCallId: parent.toolCallId },
    input: await sealValue(secrets?.scrub(input) ?? input, sealer, ["input", id]),
  };
}

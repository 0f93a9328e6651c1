import type { Message, ToolMessage, UserMessage, AssistantMessage } from "../contracts/message.ts";
import type { Warning } from "../contracts/model-response.ts";
import { approvalIds } from "./hosted-approvals.ts";
import { beginsWith, isFromTarget, compileAssistant, type CompiledHistory, type HistoryTarget } from "./provenance.ts";
import { CallIds } from "./call-ids.ts";
import { repairSystem, repairToolResult, repairUser, type Warn } from "./repair.ts";

/** Compiles a growing history for one target, each message once. */
export interface HistoryCompiler {
  /** Model for which the history is compiled. */
  readonly target: HistoryTarget;
  /**
   * The history as the target accepts it.
   *
   * @param messages - The whole history. If it only grew since the last call, only new messages are compiled, and the
   *   earlier output is returned as the same objects; otherwise everything is compiled.
   */
  compile(messages: readonly Message[]): CompiledHistory;
}

/** The part of a history that later messages cannot change. */
interface Progress {
  readonly target: HistoryTarget;
  readonly source: Message[];
  readonly compiled: Message[];
  /** Warnings by the message that they are about. */
  warnings: Map<string, Warning> | undefined;
  readonly ids: CallIds;
  /** The message that ended the last group before every call was answered: without it the group may still change. */
  endedBy: Message | undefined;
}

/**
 * Creates a compiler that keeps its output. One run has one per target; it keeps only the messages.
 *
 * @param target - The model that the history is for.
 * @example
 * ```ts
 * import { createHistoryCompiler, historyTarget } from "@bailiwick/core/provider";
 * import type { Message, ModelProvider } from "@bailiwick/core";
 *
 * export async function chat(model: ModelProvider, messages: Message[], next: () => Message | undefined) {
 *   const compiler = createHistoryCompiler(historyTarget(model));
 *   for (let message = next(); message !== undefined; message = next()) {
 *     messages.push(message);
 *     const answer = await model.generate({ messages: compiler.compile(messages).messages });
 *     messages.push(answer.message);
 *   }
 * }
 * ```
 */
export function createHistoryCompiler(target: HistoryTarget): HistoryCompiler {
  let progress = start(target);
  return {
    target,
    compile(messages) {
      if (!continues(progress, messages)) progress = start(target);
      const tail = advance(progress, messages);
      return {
        messages: [...progress.compiled, ...tail.messages],
        warnings: allWarnings(progress.warnings ?? none, tail.warnings),
      };
    },
  };
}

function start(target: HistoryTarget): Progress {
  return {
    target,
    source: [],
    compiled: [],
    warnings: undefined,
    ids: new CallIds(target.capabilities.toolCallId),
    endedBy: undefined,
  };
}

function continues({ source, endedBy }: Progress, now: readonly Message[]): boolean {
  return (endedBy === undefined || now[source.length] === endedBy) && beginsWith(now, source);
}

/** Compiles the settled messages, and returns the rest as compiled now. */
function advance(
  progress: Progress,
  messages: readonly Message[],
): { readonly messages: readonly Message[]; readonly warnings: ReadonlyMap<string, Warning> } {
  const warn: Warn = (warning) => note((progress.warnings ??= new Map()), warning);
  for (let index = progress.source.length; index < messages.length;) {
    const message = messages[index];
    if (message === undefined) break;
    if (!expectsResults(message)) {
      compileSingle(progress, message, progress.compiled, warn);
      progress.source.push(message);
      progress.endedBy = undefined;
      index += 1;
      continue;
    }
    const group = readCallGroup(messages, index, message);
    if (group.settledBy === undefined) {
      const open: Message[] = [];
      const warnings = new Map<string, Warning>();
      progress.ids.release(compileGroup(progress, group, open, (warning) => note(warnings, warning)));
      return { messages: open, warnings };
    }
    compileGroup(progress, group, progress.compiled, warn);
    for (; index < group.end; index += 1) progress.source.push(messages[index] ?? message);
    progress.endedBy = group.settledBy === "next-answer" ? messages[group.end] : undefined;
  }
  return { messages: [], warnings: none };
}

const none: ReadonlyMap<string, Warning> = new Map();
const noWarnings: readonly Warning[] = [];

function allWarnings(settled: ReadonlyMap<string, Warning>, open: ReadonlyMap<string, Warning>): readonly Warning[] {
  if (settled.size === 0 && open.size === 0) return noWarnings;
  return [...new Map([...settled, ...open]).values()];
}

function compileSingle({ target, compiled }: Progress, message: Message, out: Message[], warn: Warn): void {
  switch (message.role) {
    case "system": {
      const mayStandHere = compiled.every(({ role }) => role === "system");
      out.push(repairSystem(message, mayStandHere && out === compiled, target.capabilities));
      return;
    }
    case "user":
      out.push(repairUser(message, target.capabilities, warn));
      return;
    case "assistant": {
      const answer = compileAssistant(message, [], target, warn);
      if (answer !== undefined) out.push(answer);
      return;
    }
    case "tool":
      dropOrphan(message, warn);
  }
}

/** Adds the answer, all results in the order of the calls, their media, then the messages between. Returns the ids it used. */
function compileGroup(progress: Progress, group: CallGroup, out: Message[], warn: Warn): readonly string[] {
  const { target, ids } = progress;
  const { assistant } = group;
  const wireIds = assistant.toolCalls.map(({ id }) => ids.assign(id));
  const answer = compileAssistant(assistant, wireIds, target, warn);
  if (answer !== undefined) out.push(answer);
  const media: UserMessage[] = [];
  for (const [index, wireId] of wireIds.entries()) {
    const result = group.results[index] ?? missingResult(assistant, index, wireId);
    const repaired = repairToolResult(result, wireId, target.capabilities, warn);
    out.push(repaired.message);
    if (repaired.media.length > 0) {
      const heading = {
        type: "text",
        text: `Media of the result of ${assistant.toolCalls[index]?.name ?? "a tool"}:`,
      } as const;
      media.push({ id: `${result.id}:media`, role: "user", content: [heading, ...repaired.media] });
    }
  }
  if (isFromTarget(assistant, target)) out.push(...decisions(group));
  out.push(...media);
  for (const other of group.others) compileSingle(progress, other, out, warn);
  for (const orphan of group.orphans) dropOrphan(orphan, warn);
  return wireIds;
}

/**
 * A decision on each hosted call that asked for one; without a decision the call is rejected, so that nothing runs
 * without approval.
 */
function decisions({ assistant, asked, approvals }: CallGroup): readonly ToolMessage[] {
  return asked.map(
    (id, index): ToolMessage =>
      approvals.find((message) => message.toolCallId === id) ?? {
        id: `${assistant.id}:undecided:${index}`,
        role: "tool",
        toolCallId: id,
        toolName: "",
        content: "",
        hostedApproval: { approved: false, reason: "No decision was made." },
      },
  );
}

function dropOrphan(message: ToolMessage, warn: Warn): void {
  warn({
    code: "result_without_call",
    message: `A result of "${message.toolName}" answers no call of the history and was left out of the request.`,
    subject: message.toolCallId,
  });
}

function note(warnings: Map<string, Warning>, warning: Warning): void {
  warnings.set(`${warning.code}:${warning.subject ?? ""}`, warning);
}

/** An answer with calls and the messages up to the last of its results. */
interface CallGroup {
  readonly assistant: AssistantMessage;
  /** The result of each call, in the order of `toolCalls`; `undefined` where history has none. */
  readonly results: readonly (ToolMessage | undefined)[];
  /** Ids of the approvals that its hosted tools ask for. */
  readonly asked: readonly string[];
  /** Answers to hosted tools that asked for approval, in the order of their arrival. */
  readonly approvals: readonly ToolMessage[];
  /** Messages between the calls and their results: they follow the results. */
  readonly others: readonly Message[];
  /** Results that answer no open call. */
  readonly orphans: readonly ToolMessage[];
  /** Index of the first message after the group. */
  readonly end: number;
  /**
   * The reason why later messages can no longer change the group: every call is answered, or the next answer with calls has begun.
   * `undefined` if they can.
   */
  readonly settledBy: "results" | "next-answer" | undefined;
}

/** True if an answer needs a reply: results of calls, or a decision on a hosted call. */
export function expectsResults(message: Message): message is AssistantMessage {
  return message.role === "assistant" && (message.toolCalls.length > 0 || approvalIds(message).length > 0);
}

/**
 * Reads the group of an answer with calls. Results are searched up to the next answer with calls, so that an id that a
 * vendor uses twice is not confused; the first result of a call is kept, since a model may have seen it.
 */
function readCallGroup(messages: readonly Message[], start: number, assistant: AssistantMessage): CallGroup {
  const results: (ToolMessage | undefined)[] = assistant.toolCalls.map(() => undefined);
  const approvals: ToolMessage[] = [];
  const others: Message[] = [];
  const orphans: ToolMessage[] = [];
  const unanswered = placesById(assistant);
  const asked = approvalIds(assistant);
  const undecided = new Set(asked);
  let open = results.length + undecided.size;
  let index = start + 1;
  let begunNext = false;
  for (; index < messages.length; index += 1) {
    const message = messages[index];
    if (message === undefined) break;
    if (expectsResults(message)) {
      begunNext = true;
      break;
    }
    if (message.role !== "tool") {
      // Once every call is answered, the rest is ordinary history again.
      if (open === 0) break;
      others.push(message);
      continue;
    }
    const at = unanswered.get(message.toolCallId)?.shift();
    if (at === undefined && message.hostedApproval !== undefined && undecided.delete(message.toolCallId)) {
      approvals.push(message);
      open -= 1;
    } else if (at === undefined) {
      orphans.push(message);
    } else {
      results[at] = message;
      open -= 1;
    }
  }
  return {
    assistant,
    results,
    asked,
    approvals,
    others,
    orphans,
    end: index,
    settledBy: open === 0 ? "results" : begunNext ? "next-answer" : undefined,
  };
}

/** Places of the calls by id, in order: a vendor may use an id twice. */
function placesById({ toolCalls }: AssistantMessage): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { id }] of toolCalls.entries()) {
    const known = places.get(id);
    if (known === undefined) places.set(id, [place]);
    else known.push(place);
  }
  return places;
}

/** A neutral result for a call that has none. */
function missingResult(assistant: AssistantMessage, index: number, wireId: string): ToolMessage {
  const call = assistant.toolCalls[index];
  const content = isUnfinished(assistant)
    ? "The answer ended before this call was complete: it did not run."
    : "Result unavailable: do not assume that the call ran, or that it did not.";
  return {
    id: `${assistant.id}:missing:${index}`,
    role: "tool",
    toolCallId: wireId,
    toolName: call?.name ?? "",
    content,
    isError: true,
  };
}

/** Calls of such an answer are never run: their arguments may be incomplete. */
function isUnfinished({ finishReason, partial }: AssistantMessage): boolean {
  return partial === true || finishReason === "length" || finishReason === "content_filter" || finishReason === "error";
}

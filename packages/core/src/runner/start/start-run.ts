import { JOURNAL_VERSION } from "../../contracts/journal-event.ts";
import type { Label, LabelId } from "../../contracts/label.ts";
import type { Message, UserMessage } from "../../contracts/message.ts";
import type { RunInput, RunOptions } from "../../contracts/run-options.ts";
import { untrustedSanitization } from "../../registry/default-sanitization.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { askGuardrail, askGuardrails, tripped, type NamedVerdict } from "../hooks/hooks-runner.ts";
import { callerOf, asCalled } from "../caller/caller.ts";
import { RunStoppedError } from "../limits/run-control.ts";
import type { JournalEventOf } from "../../contracts/journal-event.ts";
import type { Session } from "../../contracts/ports/session-store.ts";
import { isSameJson } from "../../json/canonical-json.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import { readableSessions } from "../../journal/sealed-sessions.ts";
import { openSessionState } from "./session-approvals.ts";
import { hashesOf, writersIn } from "./run-catalogue.ts";
import { hasCallerModel } from "../settings/kept-part.ts";
import { toUserMessage } from "./run-input.ts";
import { unknownOrigins } from "../../history/unknown-origins.ts";
import { cleanedAnswer } from "../model/framed-parts.ts";
import type { Run } from "../run.ts";

/**
 * [sanitize.by-label] Answers and results of unknown origin are untrusted: results are cleaned and framed, and words of a
 * model are cleaned.
 */
export async function treatedHistory(run: Run, { history, given }: Conversation): Promise<readonly Message[]> {
  const { sanitizer } = run.agent;
  if (sanitizer === undefined || history.length === 0) return history;
  const treated = history.slice();
  const unknown = unknownOrigins(history, given, run.options.parent !== undefined);
  await Promise.all(
    unknown.map(async (index) => {
      const message = history[index];
      if (message?.role === "assistant") treated[index] = await cleanedAnswer(run, message);
      if (message?.role !== "tool" || message.content.length === 0) return;
      const toolName = message.toolName === "" ? "message" : message.toolName;
      const how = { policy: untrustedSanitization, toolName, nonce: run.nonce };
      treated[index] = { ...message, content: (await sanitizer.inbound(message.content, how)).content };
    }),
  );
  return treated;
}

export function recordStart(run: Run, input: RunInput, conversation: Conversation): void {
  const { agent, context, options } = run;
  const { parent } = options;
  const caller = callerOf(parent);
  const message = asCalled(toUserMessage(input, run.ids.next("message"), run.clock.now()), caller);
  const { given, history, inputAt } = placeInput(conversation, message);
  const unknown = history.length > 0 ? unknownOrigins(history, given, caller?.label !== undefined) : [];
  const kept = keptHistory(run, history);
  run.journal.record({
    type: "run.start",
    version: JOURNAL_VERSION,
    runId: run.runId,
    agentName: agent.name,
    sessionId: context.sessionId,
    userId: context.userId,
    tenantId: context.tenantId,
    metadata: context.metadata,
    extraVars: options.extraVars === undefined ? undefined : context.extraVars,
    model: agent.model.modelId,
    modelProvider: agent.model.provider,
    definitionHash: agent.definitionHash,
    tools: hashesOf(run.catalogue),
    writers: writersIn(run.catalogue),
    history: kept,
    ...readOf(conversation, kept),
    inputAt,
    ...(given > 0 && { given }),
    ...(unknown.length > 0 && { unknownOrigins: unknown }),
    input: [message],
    options: run.kept,
    clientTools: ownCopy(options.clientTools),
    ...(run.settings.dependencies !== undefined && { withDependencies: true }),
    ...(hasCallerModel(options) && { withCallerModel: true }),
    faked: fakedAs(options),
    sessionState: conversation.state,
    ...(conversation.remembered.length > 0 && { remembered: conversation.remembered }),
    parent: parent && { runId: parent.runId, toolCallId: parent.toolCallId, depth: run.depth },
    deadlineAt: run.deadlineAt,
    ...(run.flow === undefined && caller?.label !== undefined && calledUnder(caller.label, message, run)),
  });
  run.tellHeld();
  const { sessionId } = options;
  if (sessionId === undefined || caller !== undefined || given > 0 || run.settings.session !== undefined) return;
  if (agent.role === "agent" && run.isFirst("session"))
    run.logger.warn(
      `Run ${run.runId} has the sessionId "${sessionId}", and agent "${agent.name}" has no session: no later run reads its messages. Add session: store.sessions, or session: memorySessions(), to the agent.`,
    );
}

/** Note on a run whose tools do not run. */
function fakedAs({ fakes }: RunOptions): "own_store" | "no_store" | undefined {
  if (fakes === undefined) return undefined;
  return fakes.ownStore === true ? "own_store" : "no_store";
}

/** The conversation as the run keeps it. Scrubbed here, so that a message with a known secret counts as changed. */
function keptHistory({ agent, options }: Run, history: readonly Message[]): readonly Message[] {
  const caller = callerOf(options.parent);
  const called = caller === undefined ? history : history.map((one) => asCalled(one, caller));
  return agent.secrets?.scrub(called) ?? called;
}

/** The part of the session that a run has read, and the messages that it has in another form. */
function readOf(
  { read }: Conversation,
  history: readonly Message[],
): Pick<JournalEventOf<"run.start">, "sessionRead"> | undefined {
  if (read === undefined) return undefined;
  const { id, asOf, stored } = read;
  const changed = stored.flatMap((message, index) =>
    history[index] === message || isSameJson(history[index], message) ? [] : [index],
  );
  return {
    sessionRead: { id, asOf, messages: stored.length, ...(changed.length > 0 && { changed }) },
  };
}

/** Finds the input among the given messages, so that the model reads it once, at that place. */
function placeInput(
  { history, given }: Conversation,
  { id }: UserMessage,
): Pick<Conversation, "history" | "given"> & { readonly inputAt?: number } {
  const inputAt = history.findLastIndex(({ role }) => role === "user");
  if (inputAt < history.length - given || history[inputAt]?.id !== id) return { history, given };
  return { history: history.toSpliced(inputAt, 1), given: given - 1, inputAt };
}

/**
 * The label of the caller's context, stored for a run without a policy: a later run of it starts with at least this
 * label.
 */
function calledUnder(
  label: Label,
  { content }: UserMessage,
  { options }: Run,
): { readonly label: LabelId; readonly labels: readonly Label[] } {
  const isMarked = typeof content !== "string" && content.some((part) => part.untrusted === true);
  const known = label.integrity === "system" ? "user" : label.integrity;
  const node: Label = {
    id: "l1",
    integrity: isMarked ? "untrusted" : known,
    ...(label.assumed === true && { assumed: true }),
    readers: label.readers,
    parents: [],
    origin: { kind: "parent", runId: options.parent?.runId ?? "" },
  };
  return { label: node.id, labels: [node] };
}

/** Runs the steps before the first model call: observing hooks, then the input guardrails. */
export async function beforeFirstTurn(run: Run): Promise<void> {
  for (const part of run.points.onStart) await part.onStart(run, inputOf(run));
  await guardInput(run);
}

function inputOf(run: Run): UserMessage["content"] {
  const { messages, firstOwnMessage } = run.journal.state;
  const message = messages.slice(firstOwnMessage).find((one): one is UserMessage => one.role === "user");
  return message?.content ?? "";
}

/**
 * Blocking guardrails run first; those marked `parallel` run in parallel with the first model call, and tools wait for
 * them.
 */
async function guardInput(run: Run): Promise<void> {
  const all = (run.settings.guardrails?.input ?? []).map((guardrail) => ({
    name: guardrail.name,
    parallel: guardrail.parallel === true,
    validate: (input: UserMessage["content"]) => guardrail.validate(ownCopy(input), run.context),
  }));
  if (all.length === 0) return;
  const blocking = all.filter(({ parallel }) => !parallel);
  const guarded = await askGuardrails<UserMessage["content"]>(run, "input", blocking, inputOf(run));
  if (guarded.blocked !== undefined)
    throw new RunStoppedError({ reason: "guardrail_blocked", text: "", error: tripped(run, "input", guarded) });
  const beside = all.filter(({ parallel }) => parallel);
  if (beside.length > 0) run.inputVerdict = guardBeside(run, beside, guarded.verdicts);
}

async function guardBeside(
  run: Run,
  guardrails: Parameters<typeof askGuardrails<UserMessage["content"]>>[2],
  before: readonly NamedVerdict[],
): Promise<void> {
  const input = inputOf(run);
  const verdicts = await Promise.all(
    guardrails.map(async ({ name, validate }) => ({
      name,
      verdict: await askGuardrail(run, "input", name, () => validate(input)),
    })),
  );
  const blocking = verdicts.find(({ verdict }) => !verdict.pass);
  if (blocking === undefined || blocking.verdict.pass) return;
  const blocked = { name: blocking.name, reason: blocking.verdict.reason };
  const error = tripped(run, "input", { blocked, verdicts: [...before, ...verdicts] });
  run.control.stop({ reason: "guardrail_blocked", text: "", error });
}

/** The state that a run continues from. */
interface Conversation {
  readonly history: readonly Message[];
  /** Number of trailing messages that came with the run's options and are stored in no session. */
  readonly given: number;
  readonly state: Readonly<Record<string, unknown>>;
  /** Remembered decisions of the session or of the calling run. */
  readonly remembered: readonly RememberedDecision[];
  /** The messages that the store of the run keeps, at this version of the session. */
  readonly read?: { readonly id: string; readonly asOf: number; readonly stored: readonly Message[] } | undefined;
}

/** Loads the session, and appends the messages that the run was given. */
export async function loadConversation(
  run: Run,
  options: RunOptions,
  sessionId: string,
  given: readonly Message[],
): Promise<Conversation> {
  const { settings, agent } = run;
  const inherited = callerOf(options.parent)?.remembered() ?? [];
  const handed = callerOf(options.parent)?.handedState();
  await handed?.save();
  if (settings.session === undefined)
    return { history: given, given: given.length, state: handed?.current() ?? {}, remembered: inherited };
  const { tenantId, userId } = run.context;
  const owner = { tenantId, userId };
  let isReadable = true;
  const session = await readableSessions(settings.session, agent.sealer, (message) => {
    isReadable = false;
    run.warn({ code: "message_unreadable", message, subject: sessionId });
  }).load(sessionId, owner);
  const { state, remembered, refused } = openSessionState(agent, { sessionId, ...owner }, session.state);
  if (refused > 0) {
    run.warn({
      code: "remembered_refused",
      message: `Session "${sessionId}" has ${refused} remembered decision(s) of another session or without a valid signature. They are ignored; people are asked again.`,
      subject: sessionId,
    });
  }
  return {
    history: given.length === 0 ? session.messages : [...session.messages, ...given],
    given: given.length,
    state: handed?.current() ?? state,
    remembered: [...remembered, ...inherited],
    ...(keepsVersion(run, session) &&
      isReadable && { read: { id: sessionId, asOf: session.version, stored: session.messages } }),
  };
}

/** True if the store of the run returns these messages again, also after later ones and edits. */
function keepsVersion({ agent, settings }: Run, session: Session): session is Session & { readonly version: number } {
  return session.version !== undefined && session.messages.length > 0 && agent.store.sessions === settings.session;
}

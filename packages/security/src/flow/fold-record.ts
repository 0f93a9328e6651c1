import type {
  AssistantMessage,
  ContentPart,
  JournalEvent,
  JournalEventOf,
  Message,
  Principal,
  UserMessage,
} from "@bailiwick/core";
import {
  callId,
  callOf,
  correctionKey,
  foldExtract,
  foldLowered,
  foldReadingAnswer,
  plannedKey,
  type CallEvent,
  type FindTool,
  type FlowState,
  type RecordedCall,
  type StepChoice,
} from "./flow-state.ts";

/**
 * Applies one record: the whole state of a resumed run comes from here. For a call that is running, `flow-run.ts`
 * also notes the grant that it uses and the part of its result that is shown.
 */
export function observe(state: FlowState, event: JournalEvent, findTool: FindTool): void {
  for (const label of event.labels ?? []) state.graph.load(label);
  switch (event.type) {
    case "run.start":
      foldStart(state, event);
      return;
    case "message.inserted":
      foldInserted(state, event);
      return;
    case "model.result":
      if (event.purpose === "extract") foldReadingAnswer(state.quarantine, event);
      if (event.purpose !== undefined && event.purpose !== "turn") return;
      state.asksUser = asksUser(event.message);
      // Hosted calls inside the answer were read before the calls that follow them.
      foldHosted(state, event);
      state.context.read(event.label);
      state.emitted.set(event.turn, {
        level: state.context.level,
        // The answer's label is the join of all that was read. A fold makes no labels: their ids are the journal's.
        label: event.label,
        reads: state.reads.length,
        choice: choiceOf(event.message, state),
      });
      return;
    case "tool.call":
      // The value that the policy judged.
      callOf(state, event).args = event.given ?? event.args;
      return;
    case "flow.decided":
      foldDecision(state, event, findTool);
      return;
    case "tool.approval.decided":
      foldApproval(state, event, findTool);
      return;
    case "tool.intent":
      callOf(state, event).ran = true;
      return;
    case "tool.outcome":
      foldOutcome(state, event);
      return;
    case "tool.result":
      foldResult(state, event);
      return;
    case "run.definition_changed":
      // A server's current text about a tool is read with every request [sanitize.detection-raises].
      state.context.read(event.label);
      return;
    case "compaction":
      // A summary raises the label like any other text, so it cannot lower the label of its sources [flow.r9.summary].
      state.context.read(event.label);
      return;
    case "state.changed":
      state.counters.set(event.stateKey, event.value);
      // Every tool and hook can read the session's state from here on [flow.r9.state].
      state.context.read(event.label);
      return;
    case "memory.recalled":
      foldMemories(state, event);
      return;
    case "flow.extract":
      foldExtract(state.quarantine, event);
      return;
    case "flow.lowered":
      foldLowered(state.quarantine, event);
      return;
    case "flow.grants":
      for (const grant of event.grants) {
        state.grants.push({ grant, source: event.source, messageId: event.messageId });
      }
      foldPlanned(state, event);
      return;
    default:
      return;
  }
}

/** An answer of the planner names the message and the tool that it is about. */
function foldPlanned(state: FlowState, event: JournalEventOf<"flow.grants">): void {
  const { messageId, tool, mandates = [], dropped = [], failed } = event;
  if (messageId === undefined || tool === undefined) return;
  state.planned.set(plannedKey(messageId, tool), { ...(failed !== true && { mandates }), dropped });
}

function foldStart(state: FlowState, event: JournalEventOf<"run.start">): void {
  state.principals = principalsOf(event);
  for (const [key, value] of Object.entries(event.sessionState ?? {})) state.counters.set(key, value);
  state.mark = referenceMark(event.history);
  const arguments_ = new Map<string, unknown>();
  for (const message of event.history) {
    if (message.role === "user") hear(state, message);
    if (message.role === "tool") state.resultTexts.push(textOf(message.content));
    if (message.role === "assistant") state.asksUser = asksUser(message);
    if (message.role === "assistant")
      for (const call of message.toolCalls) arguments_.set(call.id, call.input ?? parsed(call.arguments));
  }
  for (const label of event.labels ?? []) {
    const { origin } = label;
    const level = state.graph.levelOf(label.id);
    if (origin.kind !== "tool") {
      if (origin.kind !== "join") state.ownReaders = state.graph.sets.join(state.ownReaders, level.readers);
      continue;
    }
    const call: RecordedCall = {
      id: origin.toolCallId,
      toolName: origin.toolName,
      args: arguments_.get(origin.toolCallId),
      ran: true,
      userMessages: state.userWords.length,
    };
    state.callsById.set(origin.toolCallId, call);
    state.reads.push({ call, level });
  }
  for (const message of event.input) {
    hear(state, message);
    noteAsked(state, message);
  }
  state.context.read(event.label);
}

/** The principals that a run acts for. */
export function principalsOf(event: Pick<JournalEventOf<"run.start">, "userId" | "sessionId">): readonly Principal[] {
  return [event.userId === undefined ? `session:${event.sessionId}` : `user:${event.userId}`];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** [flow.workflow.start] A message with text of others does not ask for the steps of a workflow. */
function noteAsked(state: FlowState, { content }: UserMessage): void {
  state.isAskedByApplication =
    state.workflow !== "message" || typeof content === "string" || content.every(({ untrusted }) => untrusted !== true);
}

/**
 * [flow.chosen-by] The choice of a program's calls; absent for a model's. A step of a workflow without the mark counts as
 * chosen by data.
 */
function choiceOf({ toolCalls, providerState }: AssistantMessage, state: FlowState): StepChoice | undefined {
  if (state.workflow === undefined && toolCalls.every(({ chosenBy }) => chosenBy === undefined)) return undefined;
  const { choice } = (providerState ?? {}) as { readonly choice?: unknown };
  const isCode = toolCalls.every(({ chosenBy }) => chosenBy === "code");
  return { by: isCode ? "code" : "data", ...(typeof choice === "string" && { branch: choice }) };
}

/** Remembers the user's own words. */
function hear(state: FlowState, message: UserMessage): void {
  state.userWords.push({ id: message.id, texts: ownTexts(message), ...(state.asksUser && { continues: true }) });
  state.asksUser = false;
}

/** True if an answer ends with a question. */
function asksUser({ content }: AssistantMessage): boolean {
  return /[?？؟]["'”»)*\s]*$/u.test(content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""));
}

/** [grants.planner.untrusted-parts] The texts of a user message that are the user's own. */
export function ownTexts(message: UserMessage): readonly string[] {
  if (typeof message.content === "string") return [message.content];
  return message.content.flatMap((part) => (part.type === "text" && part.untrusted !== true ? [part.text] : []));
}

/** True if an inserted message is the user's. */
export function isUsers(event: { readonly by: string; readonly message: Message }): boolean {
  return event.message.role === "user" && (event.by === "steer" || event.by === "follow_up" || event.by === "input");
}

function foldInserted(state: FlowState, event: JournalEventOf<"message.inserted">): void {
  state.context.read(event.label);
  if (!isUsers(event)) return;
  hear(state, event.message as UserMessage);
  noteAsked(state, event.message as UserMessage);
  state.denials.userSpoke();
}

/** A memory raises the label like any other text, and no call shows the source of its private parts [flow.r7]. */
function foldMemories(state: FlowState, event: JournalEventOf<"memory.recalled">): void {
  const { readers } = state.graph.levelOf(event.label);
  state.ownReaders = state.graph.sets.join(state.ownReaders, readers);
  state.context.read(event.label);
}

function foldHosted(state: FlowState, event: JournalEventOf<"model.result">): void {
  for (const label of event.labels ?? []) {
    if (label.origin.kind !== "hosted_tool") continue;
    const call: RecordedCall = {
      id: label.id,
      toolName: label.origin.toolName,
      args: {},
      ran: true,
      userMessages: state.userWords.length,
    };
    state.reads.push({ call, level: state.graph.levelOf(label.id) });
  }
}

function foldDecision(state: FlowState, event: JournalEventOf<"flow.decided">, findTool: FindTool): void {
  const call = callOf(state, event);
  // Reserved from here on, so that two calls of one turn cannot use one count [grants.count].
  call.grant = event.verdict === "allow" ? event.grant : undefined;
  if (event.correction === true) state.corrected.add(correctionKey(state, event.toolName));
  else if (event.verdict === "deny" && event.shadow !== true) deny(state, event, findTool);
}

function foldApproval(state: FlowState, event: JournalEventOf<"tool.approval.decided">, findTool: FindTool): void {
  const { decision } = event;
  if (decision.type === "reject") deny(state, event, findTool);
  if (decision.type !== "approve") return;
  const { readers } = state.emitted.get(event.turn)?.level ?? state.context.level;
  const args = decision.args ?? callOf(state, event).args;
  state.approved.push({ callId: callId(event.turn, event.index), toolName: event.toolName, args, readers });
}

function deny(state: FlowState, event: CallEvent, findTool: FindTool): void {
  const call = callOf(state, event);
  state.denials.denied(findTool(event.toolName), event.toolName, call.args);
}

function foldOutcome(state: FlowState, event: JournalEventOf<"tool.outcome">): void {
  const call = callOf(state, event);
  call.label = event.label;
  call.distrusted = isDistrusted(event);
  const bits = state.graph.labelOf(event.label)?.bits;
  if (bits !== undefined) state.bitsSpent += bits;
  if (event.failure === undefined) {
    call.ran = true;
    call.succeeded = true;
    call.output = event.output;
    return;
  }
  // The call did not run: its count is released.
  if (!call.ran) call.grant = undefined;
}

function isDistrusted({ resultLabel, childRun }: JournalEventOf<"tool.outcome">): boolean {
  const inside = childRun === undefined ? undefined : (childRun.label?.integrity ?? "untrusted");
  return resultLabel?.integrity === "untrusted" || inside === "untrusted";
}

function foldResult(state: FlowState, event: JournalEventOf<"tool.result">): void {
  state.context.read(event.label);
  const { toolCallId, toolName, content } = event.message;
  const call = callOf(state, { turn: event.turn, index: event.index, toolCallId, toolName });
  state.reads.push({ call, level: state.graph.levelOf(event.label) });
  state.resultTexts.push(textOf(content));
}

function textOf(content: string | readonly ContentPart[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

const anyReference = /\$ref:(?:r(\d{1,9})\.)?t\d+\/c\d+/gu;

/**
 * The mark that distinguishes the references of this run from those in its history: references of earlier runs of the
 * session, or of the run that handed over, have no value here. A run whose history has none needs no mark.
 */
export function referenceMark(history: readonly Message[]): string {
  let highest = 0;
  for (const message of history) {
    for (const text of textsOf(message)) {
      // Fast path: most texts contain none.
      if (!text.includes("$ref:")) continue;
      for (const [, run] of text.matchAll(anyReference)) highest = Math.max(highest, Number(run ?? 1));
    }
  }
  return highest === 0 ? "" : `r${highest + 1}.`;
}

function textsOf(message: Message): readonly string[] {
  const { content } = message;
  const texts =
    typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : ""));
  return message.role === "assistant" ? [...texts, ...message.toolCalls.map((call) => call.arguments)] : texts;
}

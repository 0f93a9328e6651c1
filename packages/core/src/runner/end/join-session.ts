import type { JournalEventOf } from "../../contracts/journal-event.ts";
import type { AssistantMessage, Message } from "../../contracts/message.ts";
import type { SessionAppend } from "../../contracts/ports/run-store.ts";
import type { SessionStore } from "../../contracts/ports/session-store.ts";
import { isEnded } from "../../contracts/stop-reason.ts";
import { mediaPlaceholder } from "../../history/repair.ts";
import { copiedTo, endsTurn, joinsUpTo, messagesBeside } from "../../journal/session-join.ts";
import type { RunState } from "../../journal/run-state.ts";
import { conversations } from "../../journal/sealed-sessions.ts";
import { closeSessionState } from "../start/session-approvals.ts";
import type { SessionIdentity } from "../state/session-queue.ts";
import type { LoadedRun } from "../start/load-run.ts";
import type { Agent } from "../run.ts";

/** A run and its session. */
type RunIdentity = SessionIdentity & { readonly runId: string };

/**
 * The messages and state that a run adds to its session when it ends or begins to wait. A turn without an answer, because
 * the run failed or waits, leaves the user's message and its effects, with a marker; the rest is added when it is resumed.
 * An interrupted answer is left out if a whole one followed, and so is input that a guardrail blocked. Messages that
 * people sent and the run did not read are added at each end that is not a wait.
 */
export function joining(
  agent: Agent,
  { sessionId, tenantId, userId, runId }: RunIdentity,
  state: RunState,
): SessionAppend | undefined {
  const { end, start, marked, messages, sessionFrom, firstOwnMessage, seq } = state;
  if (end === undefined || start === undefined || start.faked === "no_store") return undefined;
  const { status, stopReason, error } = end;
  const beside = messagesBeside(state, end);
  const isBlocked = stopReason === "guardrail_blocked" && state.lastAnswer === undefined;
  if (isBlocked && beside.length === 0) return undefined;
  const isOpen = !endsTurn(status);
  const own = isBlocked
    ? []
    : messages.slice(sessionFrom, joinsUpTo(state, end)).filter(({ id }) => !state.joinedBeside.has(id));
  const isMarked = marked === undefined ? isOpen : marked === stopReason;
  if (own.length === 0 && beside.length === 0 && isMarked) return undefined;
  const answered = own.findLastIndex(({ role }) => role === "assistant");
  const isRefused = error?.code === "MODEL_API_ERROR" && error.retryable === false;
  const added = own.flatMap((message, index): readonly Message[] => {
    if (index > answered) return [isRefused ? withoutMedia(message) : message];
    return index < answered && message.role === "assistant" && message.partial === true ? [] : [message];
  });
  added.push(...beside);
  if (!isBlocked && (isOpen || (own.length === 0 && marked !== undefined))) added.push(unanswered(agent, runId, end));
  // After all turns that the run has read: clocks of processes differ.
  const askedAt = start.history.reduce((latest, message) => Math.max(latest, (message.askedAt ?? 0) + 1), start.at);
  const turn = { askedAt, ...(sessionFrom > firstOwnMessage && { continues: runId }) };
  const session = { sessionId, tenantId, userId };
  return {
    ...session,
    messages: added.map((message) => ({ ...message, ...turn })),
    state: isBlocked ? {} : closeSessionState(agent, session, state.sessionState, keptDecisions(state)),
    runId,
    seq,
    askedAt,
  };
}

/** Decisions of people for later calls. One in a run with fakes was made where nothing could happen. */
function keptDecisions({ start, remembered }: RunState): RunState["remembered"] {
  return start?.faked === undefined ? remembered : [...(start.remembered ?? [])];
}

/** A message as later runs send it: a vendor that refused media in one request refuses them in each later one. */
function withoutMedia(message: Message): Message {
  if ((message.role !== "user" && message.role !== "tool") || typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    part.type === "text" ? part : mediaPlaceholder(part, "the model refused the request of this turn"),
  );
  return { ...message, content };
}

/** Tells the model of later runs, and people who read the session, that the turn has no answer. */
function unanswered(
  { model: { provider, api, modelId: model } }: Agent,
  runId: string,
  { seq, stopReason, error }: JournalEventOf<"run.end">,
): AssistantMessage {
  const text = `[This turn has no answer yet (${error?.code ?? stopReason}).]`;
  return {
    id: `${runId}-failed-${seq}`,
    failedRun: runId,
    role: "assistant",
    content: [{ type: "text", text }],
    toolCalls: [],
    finishReason: "error",
    provenance: { provider, api, model },
  };
}

/** Appends to a session that is not written in the transaction of the run's end. */
export async function joinSession(
  { sealer }: Pick<Agent, "sealer">,
  sessions: SessionStore,
  append: SessionAppend,
): Promise<void> {
  await conversations(({ appendOwn }) => appendOwn(sessions, sealer, append));
}

/**
 * Writes the session of a run whose process recorded its end and died before it released the run. A fork that begins
 * gives its own session the messages and state that its first records have read. Sessions add the messages of a run
 * once, so a repetition is harmless.
 */
export async function joinLate(
  agent: Agent,
  sessions: SessionStore | undefined,
  { run, state }: Pick<LoadedRun, "run" | "state">,
): Promise<void> {
  const { start, seq } = state;
  if (sessions === undefined || start === undefined || start.faked === "no_store" || isEnded(run.state)) return;
  const { id: runId, sessionId, tenantId, userId } = run;
  const session = { sessionId, tenantId, userId, runId };
  const { history, given = 0, at: askedAt } = start;
  const append =
    seq === copiedTo(start)
      ? { ...session, messages: history.slice(0, history.length - given), state: state.sessionState, seq, askedAt }
      : seq === state.end?.seq
        ? joining(agent, session, state)
        : undefined;
  if (append !== undefined) await joinSession(agent, sessions, append);
}

import type { JournalEventOf } from "../../contracts/journal-event.ts";
import type { AssistantMessage, Message } from "../../contracts/message.ts";
import type { SessionAppend } from "../../contracts/ports/run-store.ts";
import type { SessionStore } from "../../contracts/ports/session-store.ts";
import { isEnded, isWaiting, type StopReason } from "../../contracts/stop-reason.ts";
import { mediaPlaceholder } from "../../history/repair.ts";
import { joinsUpTo } from "../../journal/session-join.ts";
import type { RunState } from "../../journal/run-state.ts";
import { conversations } from "../../journal/sealed-sessions.ts";
import { closeSessionState } from "../start/session-approvals.ts";
import type { SessionIdentity } from "../state/session-queue.ts";
import type { LoadedRun } from "../start/load-run.ts";
import { statusOf } from "../stop-reason.ts";
import type { Agent } from "../run.ts";

/**
 * The messages and state that a run adds to its session when it ends. A failed run leaves the user's message and its
 * effects, with a marker that the turn failed; the rest is added when it is resumed and completes. Input that a
 * guardrail blocked is not added.
 */
export function joining(
  agent: Agent,
  session: SessionIdentity & { readonly runId: string },
  state: RunState,
  reason: StopReason,
): SessionAppend | undefined {
  const status = statusOf[reason];
  const messages = joiningMessages(state, { status, stopReason: reason });
  if (isWaiting(status) || (status === "failed" && messages.length === 0)) return undefined;
  if (reason === "guardrail_blocked" && state.lastAnswer === undefined) return undefined;
  const { sessionId, tenantId, userId, runId } = session;
  return {
    sessionId,
    tenantId,
    userId,
    messages: status === "failed" ? [...acceptable(messages, state), failedTurn(agent, runId, state)] : messages,
    state: closeSessionState(agent, { sessionId, tenantId, userId }, state.sessionState, state.remembered),
    runId,
    seq: state.seq,
  };
}

/**
 * The messages that join the session at this end; an interrupted answer is left out if a complete one followed. In a
 * resumed run, each message is marked as its continuation: readers find it at the place of its turn.
 */
function joiningMessages(
  state: RunState,
  end: Pick<JournalEventOf<"run.end">, "status" | "stopReason">,
): readonly Message[] {
  const { messages, sessionFrom, firstOwnMessage, start } = state;
  const added = messages.slice(sessionFrom, joinsUpTo(state, end));
  const last = added.findLastIndex(({ role }) => role === "assistant");
  const kept = added.filter(
    (message, index) => message.role !== "assistant" || message.partial !== true || index === last,
  );
  if (start === undefined || sessionFrom === firstOwnMessage) return kept;
  return kept.map((message) => ({ ...message, continues: start.runId }));
}

/**
 * The messages of a failed turn as later runs of the session send them. A vendor that refused the request refuses each
 * later one with the same media: a text replaces media without a following answer.
 */
function acceptable(messages: readonly Message[], { end }: RunState): readonly Message[] {
  if (end?.error?.code !== "MODEL_API_ERROR" || end.error.retryable !== false) return messages;
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.map((message, index) => (index > answered ? withoutMedia(message) : message));
}

function withoutMedia(message: Message): Message {
  if ((message.role !== "user" && message.role !== "tool") || typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    part.type === "text" ? part : mediaPlaceholder(part, "the model refused the request of this turn"),
  );
  return { ...message, content };
}

/** Tells the model of later runs, and people who read the session, that the turn has no answer. */
function failedTurn({ model }: Agent, runId: string, { end, seq }: RunState): AssistantMessage {
  const code = end?.error?.code;
  return {
    id: `${runId}-failed-${end?.seq ?? seq}`,
    failedRun: runId,
    role: "assistant",
    content: [
      { type: "text", text: `[This turn failed${code === undefined ? "" : ` (${code})`} before it was answered.]` },
    ],
    toolCalls: [],
    finishReason: "error",
    provenance: { provider: model.provider, api: model.api, model: model.modelId },
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
 * Writes the session of a run whose process recorded its end and died before it released the run. Sessions add the
 * messages of a run once, so a repetition is harmless.
 */
export async function joinLate(
  agent: Agent,
  sessions: SessionStore | undefined,
  { run, state, fork }: Pick<LoadedRun, "run" | "state" | "fork">,
): Promise<void> {
  const { end } = state;
  if (sessions === undefined || end === undefined || end.seq !== state.seq) return;
  if (isEnded(run.state)) return;
  // The end of the forked run is not this run's end.
  if (fork !== undefined && end.seq <= fork.atSeq) return;
  const { id: runId, sessionId, tenantId, userId } = run;
  const append = joining(agent, { sessionId, tenantId, userId, runId }, state, end.stopReason);
  if (append !== undefined) await joinSession(agent, sessions, append);
}

import type { Interruption, Owner, StoredRun } from "@bailiwick/core";
import { askForRequest } from "@bailiwick/core/extension";
import type { Context, Hono } from "hono";
import { branchesOf, changeRecord, lineage, readRecord, type ChatPlace } from "../chat/chat-record.ts";
import { deleteChat, isDriven } from "../chat/delete-chat.ts";
import { listChats } from "../chat/list-chats.ts";
import { readTurns } from "../chat/chat-turns.ts";
import { turnMessages, turnsOf } from "../chat/session-to-ui-messages.ts";
import { createTurns } from "../runs/in-turn.ts";
import type { LiveRuns } from "../runs/live-runs.ts";
import { outerRuns } from "../runs/outer-runs.ts";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import type { Access } from "./access.ts";
import { type ClientDecision } from "./acknowledgement.ts";
import { askedId } from "../runs/second-id.ts";
import type { Caller } from "./authorize.ts";
import { checkClientVersion } from "./client-version.ts";
import { historyCursor, listCursor, readHistoryCursor, readListCursor } from "./chat-cursors.ts";
import { approvalDecisions, chatChange, pageAnswer, type ToRunInput } from "./chat-request.ts";
import { startPlace, type ChatStep, type GivenMessages, type StartPlace } from "./chat-start.ts";
import { readAnswers } from "./decided-questions.ts";
import { originOf, unknownDecision } from "./parse-decisions.ts";
import { asCount, asObject, asOptionalText, asText, readBody, type JsonBody } from "./read-body.ts";
import { RequestError } from "./request-error.ts";
import { runResponse, type RunResponseOptions } from "./run-response.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";
import type { WaitUntil } from "./wait-until.ts";

/** Parts that the routes of chats share with the others. */
export interface ChatParts {
  readonly agent: ServedAgent;
  readonly store: ServedStore;
  readonly runs: LiveRuns;
  readonly access: Access;
  readonly toRunInput: ToRunInput;
  /** Reads one message of a page. */
  readonly readMessage: GivenMessages["read"];
  /** True if the body's `id` is the session; `authorize` then gets it. */
  readonly namesSession: boolean;
  readonly errorText: RunRoutesOptions["errorText"];
  readonly exposeErrors: RunRoutesOptions["exposeErrors"];
  readonly decide: (
    context: Context,
    runId: string,
    decisions: readonly ClientDecision[],
    open: readonly Interruption[],
  ) => Promise<void>;
  readonly acceptAgain: (runId: string, decisions: readonly ClientDecision[]) => Promise<void>;
  readonly told: (context: Context, runId: string, afterSeq?: number) => RunResponseOptions;
  /** Keeps the host of a request alive until a run ends, on hosts that need it. */
  readonly keepFor: (context: Context) => WaitUntil | undefined;
}

/** Default and maximum number of chats on a page. */
const usualChats = 50;
const mostChats = 200;

/** Default and maximum number of messages on a page of the history. */
const usualMessages = 200;
const mostMessages = 1_000;

/** Number of newest runs of a branch that are searched for an active one. */
const newestRuns = 20;

/** Maximum length of a title, in characters. */
const longestTitle = 200;

/** Adds the routes of chats: messages, history, resume, stop, branches, and the list. */
export function addChatRoutes(app: Hono, parts: ChatParts): void {
  const { agent, store, runs, access, told } = parts;
  const { permit, reach } = access;
  const inTurn = createTurns();
  const respond = (context: Context, runId: string, afterSeq?: number): Response =>
    runResponse(told(context, runId, afterSeq));
  const ownerOf = ({ tenantId, userId }: Caller): Owner => ({ tenantId, userId });
  const placeOf = (chatId: string, caller: Caller): ChatPlace => {
    if (agent.sessions === undefined) {
      throw new RequestError(
        409,
        "NO_SESSIONS",
        `Agent "${agent.name}" keeps no sessions, so it has no chats to list or change. Give it "session", such as store.sessions.`,
      );
    }
    return { sessions: agent.sessions, chatId, owner: ownerOf(caller) };
  };
  /** The session of the chosen branch. */
  const activeBranch = async (chatId: string, caller: Caller): Promise<string> =>
    agent.sessions === undefined ? chatId : (await readRecord(placeOf(chatId, caller))).active;
  /** The active run, or else the newest one that waits. */
  const activeRun = async (chatId: string, caller: Caller): Promise<StoredRun | undefined> => {
    const sessionId = await activeBranch(chatId, caller);
    const newest = await outerRuns(store, { sessionId, agentId: agent.name, ...ownerOf(caller) }, newestRuns);
    return newest.find(isDriven) ?? newest.find(({ state }) => state === "suspended" || state === "sleeping");
  };

  app.post("/chat", async (context) => {
    checkClientVersion(context);
    const body = await readBody(context);
    const answered = pageAnswer(body);
    if (answered !== undefined) {
      const { run, caller } = await reach(context, "decide", answered.runId, body);
      const origin = originOf(caller);
      // A message keeps its earlier answers.
      const { open, decisions, held, again, afterSeq } = await readAnswers(agent, run, {
        decisionsAbout: (questions) => approvalDecisions(answered.approvals, questions, origin),
        results: answered.results,
        repeated: answered.lastResults,
        origin,
      });
      if (decisions.length + held.length + again.length === 0)
        throw unknownDecision(answered.approvals[0]?.id ?? answered.results[0]?.callId ?? "");
      await parts.acceptAgain(run.id, again);
      if (decisions.length > 0) await parts.decide(context, run.id, decisions, open);
      else await runs.wake(run.id, parts.keepFor(context));
      const askedAgain = new Set(held.map(({ id }) => id));
      const secondIds = new Set([...askedAgain, ...answered.approvals.flatMap(secondAsked)]);
      return runResponse({ ...told(context, run.id, afterSeq), secondIds, askedAgain });
    }
    const named = parts.namesSession && typeof body["id"] === "string" ? { id: body["id"] } : undefined;
    const caller = await permit(context, { action: "start", ...(named && { session: named }), body });
    const { raw } = context.req;
    const given = await askForRequest("toRunInput", raw.signal, () => parts.toRunInput(body, raw, caller));
    const chatId = given.options?.sessionId;
    access.checkSessionId(caller, chatId);
    const change = chatChange(body);
    const messages = { input: given.input, read: parts.readMessage };
    const begin = async (): Promise<string> => {
      const step: ChatStep | (Omit<StartPlace, "sessionId"> & { readonly sessionId: undefined }) =
        chatId === undefined || (change.type === "submit" && agent.sessions === undefined)
          ? { sessionId: chatId, input: given.input, begun: undefined }
          : await startPlace({ agent, store }, placeOf(chatId, caller), change, messages);
      if ("runId" in step) {
        await runs.wake(step.runId, parts.keepFor(context));
        return step.runId;
      }
      const options = { ...given.options, sessionId: step.sessionId, ...ownerOf(caller) };
      const live = await runs.start(step.input, options, parts.keepFor(context));
      await step.begun?.();
      return live.runId;
    };
    // The place of a message depends on the messages before it, so a run begins before the next place is looked for.
    const key = JSON.stringify([caller.tenantId, caller.userId, chatId]);
    return respond(context, await (chatId === undefined ? begin() : inTurn(key, begin)));
  });

  app.get("/chat", async (context) => {
    const caller = await permit(context, { action: "list" });
    const limit = asCount(context.req.query("limit"), "limit", mostChats) ?? usualChats;
    const before = readListCursor(context.req.query("before"));
    if (access.needsSession(caller)) return context.json({ chats: [], older: null });
    const { sessions, owner } = placeOf("", caller);
    const { chats, older } = await listChats(sessions, owner, Math.max(1, limit), before);
    return context.json({ chats, older: older === undefined ? null : listCursor(older) });
  });

  app.get("/chat/:id", async (context) => {
    const chatId = context.req.param("id");
    const caller = await permit(context, { action: "read", session: { id: chatId } });
    const limit = asCount(context.req.query("limit"), "limit", mostMessages) ?? usualMessages;
    const before = readHistoryCursor(context.req.query("before"));
    const record = agent.sessions === undefined ? undefined : await readRecord(placeOf(chatId, caller));
    const line = record === undefined ? [chatId] : lineage(record, record.active);
    const page = { limit: turnsOf(limit), before };
    const { turns, older } = await readTurns({ agent, store }, line, ownerOf(caller), page);
    const active = await activeRun(chatId, caller);
    return context.json({
      id: chatId,
      ...(record?.title !== undefined && { title: record.title }),
      branch: line[0],
      activeStreamId: active?.id ?? null,
      messages: turns.flatMap((turn) => turnMessages(turn, parts)),
      older: older === undefined ? null : historyCursor(older),
    });
  });

  app.patch("/chat/:id", async (context) => {
    const chatId = context.req.param("id");
    const body = await readBody(context);
    const caller = await permit(context, { action: "edit", session: { id: chatId }, body });
    const place = placeOf(chatId, caller);
    const title = asOptionalText(body["title"], '"title"');
    if (title !== undefined && title.length > longestTitle)
      throw new RequestError(400, "INVALID_REQUEST", `"title" has more than ${longestTitle} characters.`);
    const branch = body["branch"] === undefined ? undefined : asText(body["branch"], '"branch"');
    const before = await readRecord(place);
    const isKnown = before.isStored || (await place.sessions.load(chatId, place.owner)).messages.length > 0;
    if (!isKnown) throw chatNotFound(chatId);
    if (branch !== undefined && !branchesOf(before).some(({ id }) => id === branch))
      throw new RequestError(404, "BRANCH_NOT_FOUND", `Chat "${chatId}" has no branch "${branch}".`);
    const record = await changeRecord(place, (old) => ({
      ...old,
      ...(body["title"] !== undefined && { title }),
      ...(branch !== undefined && { active: branch }),
    }));
    return context.json({ id: chatId, title: record.title, branch: record.active });
  });

  app.delete("/chat/:id", async (context) => {
    const chatId = context.req.param("id");
    const caller = await permit(context, { action: "delete", session: { id: chatId } });
    await deleteChat(agent, store, placeOf(chatId, caller));
    return context.body(null, 204);
  });

  app.get("/chat/:id/branches", async (context) => {
    const chatId = context.req.param("id");
    const caller = await permit(context, { action: "read", session: { id: chatId } });
    const record = await readRecord(placeOf(chatId, caller));
    return context.json({ active: record.active, branches: branchesOf(record) });
  });

  app.get("/chat/:id/stream", async (context) => {
    checkClientVersion(context);
    const chatId = context.req.param("id");
    const caller = await permit(context, { action: "list", session: { id: chatId } });
    const active = await activeRun(chatId, caller);
    if (active === undefined) return context.body(null, 204);
    const { run } = await reach(context, "read", active.id);
    // An answer without its question: another tab has sent a message that the page does not show.
    const shown = context.req.query("shown");
    if (shown !== undefined && !(await isAbout(agent, run.id, shown))) return context.body(null, 204);
    return respond(context, run.id);
  });

  app.post("/chat/:id/stop", async (context) => {
    const chatId = context.req.param("id");
    const body = await readBody(context);
    const caller = await permit(context, { action: "list", session: { id: chatId }, body });
    const active = await activeRun(chatId, caller);
    const wanted = stoppedStream(body);
    // An outdated page must not stop a run that began after the one that it shows.
    if (active === undefined || (wanted !== undefined && wanted !== active.id))
      return context.json({ success: true, stopped: false });
    const { run } = await reach(context, "cancel", active.id, body);
    await agent.cancel(run.id, "stopped by the user");
    return context.json({ success: true, stopped: true });
  });
}

/** True if a message is the answer of a run, or the one that the run answers. */
async function isAbout(agent: ServedAgent, runId: string, messageId: string): Promise<boolean> {
  if (messageId === runId) return true;
  const { events } = await agent.inspect(runId);
  const [start] = events;
  return start?.type === "run.start" && start.input.some(({ id }) => id === messageId);
}

/** The question of an approval that the page was asked once more. */
function secondAsked({ id: given }: { readonly id: string }): readonly string[] {
  const { id, isSecond } = askedId(given);
  return isSecond ? [id] : [];
}

/** The stream that a page wants to stop; the shown message has the run's id. */
function stoppedStream(body: JsonBody): string | undefined {
  const stream = asOptionalText(body["activeStreamId"], '"activeStreamId"');
  if (stream !== undefined || body["assistantMessage"] === undefined || body["assistantMessage"] === null)
    return stream;
  return asText(asObject(body["assistantMessage"], '"assistantMessage"')["id"], 'The id of "assistantMessage"');
}

function chatNotFound(chatId: string): RequestError {
  return new RequestError(404, "CHAT_NOT_FOUND", `There is no chat "${chatId}". Check its id.`);
}

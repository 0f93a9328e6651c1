import {
  DecisionError,
  isEnded,
  type Interruption,
  type RunFilter,
  type StoredRun,
  checkArgument,
} from "@bailiwick/core";
import { errorListener } from "@bailiwick/core/extension";
import { storedRunStates } from "@bailiwick/core/store";
import type { Context, Hono } from "hono";
import { versionHeader } from "../ui-stream/older-chunk.ts";
import { createLiveRuns, type LiveRuns } from "../runs/live-runs.ts";
import { countReaders } from "../runs/last-reader.ts";
import { outerRuns, ownAndSharedRuns, type RunPage } from "../runs/outer-runs.ts";
import { acknowledgedDecision, type ClientDecision } from "./acknowledgement.ts";
import { createAccess, type Seen } from "./access.ts";
import { useChatInput, type PageStart } from "./chat-request.ts";
import { addAgUiRoute } from "./ag-ui-route.ts";
import { addChatRoutes } from "./chat-routes.ts";
import { checkFileBytes } from "./file-bytes.ts";
import { guardedApp } from "./guarded-app.ts";
import { addInspectorRoutes } from "./inspector-routes.ts";
import { checkDecisions, parseDecisions, unknownDecision } from "./parse-decisions.ts";
import { asCount, asOptionalText, asText, readBody, type JsonBody } from "./read-body.ts";
import { errorWords } from "./developer-callbacks.ts";
import { invalid, RequestError } from "./request-error.ts";
import { runResponse, type RunResponseOptions } from "./run-response.ts";
import { checkRunRoutesOptions, type RunRoutesOptions } from "./run-routes-options.ts";
import { runDetail, runView } from "./run-view.ts";
import { hostWaitUntil, type WaitUntil } from "./wait-until.ts";

/** Maximum number of runs on one page of the list. */
const mostRuns = 200;

/** Default number of runs of a page. */
const usualRuns = 50;

/**
 * The routes of an agent's runs. A run continues when a client disconnects, and any number of clients can follow it.
 *
 * | route | what |
 * |---|---|
 * | `POST /chat` | starts a run, or continues one whose approvals the page answered; its UI message stream |
 * | `GET /chat` | the chats of the caller, newest first; `?limit` |
 * | `GET /chat/:id` | a chat as UI messages, open questions included |
 * | `PATCH /chat/:id` | `{ title?, branch? }`: renames it, chooses a branch |
 * | `DELETE /chat/:id` | deletes it with its branches and runs |
 * | `GET /chat/:id/branches` | its branches |
 * | `GET /chat/:id/stream` | the stream of its run that is running or waits for a person; 204 if there is none |
 * | `POST /chat/:id/stop` | `{ activeStreamId?, assistantMessage? }`: cancels its run |
 * | `POST /ag-ui` | the same for clients of the AG-UI protocol |
 * | `GET /runs` | the caller's runs and those that `share.read` opens, newest first; `?sessionId`, `?state`, `?before`, `?limit` |
 * | `GET /runs/:id` | a run with its result |
 * | `GET /runs/:id/stream` | the run's UI message stream from its beginning, at any time |
 * | `GET /runs/:id/interruptions` | its open questions |
 * | `GET /interruptions` | the open questions of these runs, and of those that `share.decide` opens, newest run first; `?before`, `?limit` of runs |
 * | `POST /runs/:id/decisions` | `{ decisions }`; answers when they are accepted. A suspicious approval needs `acknowledged: "suspicious"` |
 * | `POST /runs/:id/steer` | `{ text }` |
 * | `POST /runs/:id/cancel` | ends it |
 * | `GET /runs/:id/journal` | raw records; `?after` |
 * | `GET /runs/:id/timeline` | records in words, with labels, tokens, cost and time |
 * | `GET /runs/:id/audit` | whether the journal holds: valid, unsigned, or where it breaks |
 * | `POST /runs/:id/replay` | plays it again from its records; no model is asked and no tool runs |
 * | `GET /runs/:id/fork` | `{ messages }`: the user's messages up to a record, which a fork may edit; `?atSeq` |
 * | `POST /runs/:id/fork` | `{ atSeq, message?, messages? }`: another run that continues from there; `messages` has new texts of the user's messages, by their ids |
 *
 * A list looks at 1,000 runs of other users. If it finds fewer than its limit among them, it has `next`: ask again with
 * `?before` and this number.
 *
 * Refusals are `{ error: { code, message } }` with a status of 4xx.
 *
 * Each request claims an owner, the tenant and user that `authorize` returns; runs and sessions of other owners do not exist
 * for it. Without `authorize` the routes answer requests to this machine's own names only, such as `localhost`.
 *
 * @param options - The agent, its store, and the checks of callers.
 * @returns a Hono app; its `fetch` takes any web-standard request.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import { memoryStore } from "@bailiwick/core";
 * import { runRoutes, type ServedAgent } from "@bailiwick/server";
 *
 * export function serve(agent: ServedAgent, store = memoryStore()): (request: Request) => Response | Promise<Response> {
 *   return runRoutes({ agent, store }).fetch;
 * }
 * ```
 */
export function runRoutes(options: RunRoutesOptions): Hono {
  checkArgument(options, "object", "runRoutes({ agent, store })");
  checkRunRoutesOptions(options);
  const { agent, store } = options;
  const onError = errorListener(options.onError);
  const errorText = errorWords(options.errorText, onError);
  const runs: LiveRuns = createLiveRuns(agent, store, onError);
  const fromPage = async (body: JsonBody): Promise<PageStart> => checkedInput(useChatInput(body, options.uploads));
  const toRunInput = options.toRunInput ?? fromPage;

  const access = createAccess(options);
  const { permit, reach } = access;
  const cancelUnread = async (runId: string): Promise<void> => {
    const run = await store.getRun(runId);
    if (run?.state === "running" || run?.state === "queued") await agent.cancel(runId, "its last client disconnected");
  };
  const readers =
    options.onDisconnect === "cancel" ? countReaders((runId) => void cancelUnread(runId).catch(onError)) : undefined;
  const watched = (context: Context, runId: string, afterSeq?: number): RunResponseOptions => ({
    agent,
    store,
    runs,
    runId,
    afterSeq,
    pollMs: options.pollMs ?? 500,
    errorText,
    exposeErrors: options.exposeErrors,
    onError,
    signal: context.req.raw.signal,
    isNewest: Number(context.req.header(versionHeader)) >= 7,
  });
  const told = (context: Context, runId: string, afterSeq?: number): RunResponseOptions => ({
    ...watched(context, runId, afterSeq),
    onGone: readers?.enter(runId),
  });
  const keepFor = (context: Context): WaitUntil | undefined => options.waitUntil ?? hostWaitUntil(context);
  /** Stores decisions in the run's inbox, sealed if the agent has a key, and continues the run. */
  const decide = async (
    context: Context,
    runId: string,
    decisions: readonly ClientDecision[],
    open: readonly Interruption[],
  ): Promise<void> => {
    await agent.decide(runId, checkDecisions(decisions, open));
    await runs.wake(runId, keepFor(context));
  };

  /** Accepts decisions that the run has recorded already, and refuses others about the same questions. */
  const acceptAgain = async (runId: string, decisions: readonly ClientDecision[]): Promise<void> => {
    if (decisions.length === 0) return;
    try {
      const plain = decisions.map((decision) => acknowledgedDecision(decision, []));
      await agent.decide(runId, plain);
    } catch (error) {
      if (DecisionError.isInstance(error) && error.code === "UNKNOWN_DECISION") throw unknownDecision(error.decisionId);
      throw error;
    }
  };

  const app = guardedApp(options, onError);

  const namesSession = options.toRunInput === undefined;
  const { exposeErrors } = options;
  addChatRoutes(app, {
    agent,
    store,
    runs,
    access,
    toRunInput,
    readMessage: async (message) => (await fromPage({ id: "chat", messages: [message] })).input,
    namesSession,
    errorText,
    exposeErrors,
    decide,
    acceptAgain,
    told,
    keepFor,
  });

  addAgUiRoute(app, { options, runs, access, decide, acceptAgain, told, keepFor });

  /** The caller's runs and those that are shared with the caller, as the query of the request asks. */
  const listed = async (context: Context, seen: Seen, state: RunFilter["state"]): Promise<RunPage> => {
    const { sessionId, before, limit } = context.req.query();
    const session = sessionId === undefined ? undefined : { id: sessionId };
    const caller = await permit(context, { action: "list", ...(session && { session }) });
    if (session === undefined && access.needsSession(caller)) return { runs: [] };
    const { tenantId, userId } = caller;
    const until = asCount(before, "before", Number.MAX_SAFE_INTEGER);
    const filter = { agentId: agent.name, tenantId, userId, sessionId, before: until, state };
    const most = asCount(limit, "limit", mostRuns) ?? usualRuns;
    const isShared = access.shared(context, seen, caller);
    return isShared === undefined
      ? { runs: await outerRuns(store, filter, most) }
      : ownAndSharedRuns(store, filter, most, isShared);
  };

  app.get("/runs", async (context) => {
    const { runs: found, next } = await listed(context, "read", asStates(context.req.query("state")));
    return context.json({ runs: found.map(runView), ...(next !== undefined && { next }) });
  });

  app.get("/interruptions", async (context) => {
    const { runs: waiting, next } = await listed(context, "questions", "suspended");
    // A run that cannot be read must not hide the questions of others.
    const questionsOf = ({ id }: StoredRun): Promise<readonly Interruption[]> =>
      agent.interruptions(id).catch((error: unknown) => (onError(error), []));
    const interruptions = (await Promise.all(waiting.map(questionsOf))).flat();
    return context.json({ interruptions, ...(next !== undefined && { next }) });
  });

  app.get("/runs/:id", async (context) => {
    const { run } = await reach(context, "read", context.req.param("id"));
    const report = await agent.inspect(run.id);
    return context.json(runDetail(report));
  });

  app.get("/runs/:id/stream", async (context) => {
    const { run } = await reach(context, "read", context.req.param("id"));
    // An observer does not count as a client: its disconnecting cancels nothing.
    return runResponse(watched(context, run.id));
  });

  app.get("/runs/:id/interruptions", async (context) => {
    const { run } = await reach(context, "questions", context.req.param("id"));
    return context.json({ interruptions: await agent.interruptions(run.id) });
  });

  app.post("/runs/:id/decisions", async (context) => {
    const body = await readBody(context);
    const { run, caller } = await reach(context, "decide", context.req.param("id"), body);
    const decisions = parseDecisions(body, caller);
    const open = await agent.interruptions(run.id);
    const isOpen = ({ id }: ClientDecision): boolean => open.some((question) => question.id === id);
    await acceptAgain(
      run.id,
      decisions.filter((decision) => !isOpen(decision)),
    );
    const first = decisions.filter(isOpen);
    if (first.length > 0) await decide(context, run.id, first, open);
    else await runs.wake(run.id, keepFor(context));
    return context.json({ runId: run.id, accepted: decisions.length }, 202);
  });

  app.post("/runs/:id/steer", async (context) => {
    const body = await readBody(context);
    const { run } = await reach(context, "steer", context.req.param("id"), body);
    if (isEnded(run.state)) {
      throw new RequestError(409, "RUN_OVER", `Run "${run.id}" is over. Start another in its session.`);
    }
    const { kept } = await agent.steer(run.id, asText(body["text"], '"text"'));
    await runs.wake(run.id, keepFor(context));
    return context.json({ runId: run.id, kept }, 202);
  });

  app.post("/runs/:id/cancel", async (context) => {
    const body = await readBody(context);
    const reason = asOptionalText(body["reason"], '"reason"');
    const { run } = await reach(context, "cancel", context.req.param("id"), body);
    if (!isEnded(run.state)) await agent.cancel(run.id, reason);
    return context.json({ runId: run.id }, 202);
  });

  addInspectorRoutes(app, { agent, runs, reach, keepFor });
  return app;
}

async function checkedInput(start: PageStart): Promise<PageStart> {
  const { content } = start.input;
  if (typeof content !== "string") await checkFileBytes(content);
  return start;
}

/** The states that `?state=suspended,stuck` names. */
function asStates(value: string | undefined): RunFilter["state"] {
  if (value === undefined) return undefined;
  const names = value.split(",");
  const states = storedRunStates.filter((state) => names.includes(state));
  if (states.length !== new Set(names).size)
    throw invalid(`state has to be one of ${storedRunStates.join(", ")}, or several with commas between them.`);
  return states;
}

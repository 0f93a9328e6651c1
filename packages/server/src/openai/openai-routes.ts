import {
  isEnded,
  memorySessions,
  type ChatMessage,
  type ContentPart,
  type RunOptions,
  type StoredRun,
  checkArgument,
} from "@bailiwick/core";
import { errorListener } from "@bailiwick/core/extension";
import type { Context, Hono } from "hono";
import { createAccess } from "../http/access.ts";
import { errorWords } from "../http/developer-callbacks.ts";
import { ofPresent, shownError, type ShownError } from "../http/error-response.ts";
import { checkFileBytes } from "../http/file-bytes.ts";
import { guardedApp } from "../http/guarded-app.ts";
import { eventStream, eventStreamHeaders } from "../http/event-stream.ts";
import { readBody } from "../http/read-body.ts";
import { RequestError } from "../http/request-error.ts";
import { hostWaitUntil } from "../http/wait-until.ts";
import { followRun } from "../runs/follow-run.ts";
import { createLiveRuns } from "../runs/live-runs.ts";
import { chatCompletion, closingCompletion, completionChunk } from "./chat-completions.ts";
import { checkOpenaiOptions, type OpenaiRoutesOptions } from "./openai-options.ts";
import { readChatCompletion, readResponsesRequest, type OpenaiRequest } from "./openai-request.ts";
import { readResponsePlace, sessionAfter } from "./response-place.ts";
import { responseEvents, responseId, responseOf, runOfResponse, type ResponseHead } from "./responses.ts";
import { answerEnd, answerText, type AnswerEnd } from "./run-answer.ts";

/** Header that names the session of a Chat Completions request. */
const sessionHeader = "x-bailiwick-session";

/**
 * Routes in front of an agent for clients of the OpenAI API, such as chat programs and scripts. Mount them below `/v1`.
 *
 * | route | result |
 * |---|---|
 * | `GET /models`, `GET /models/:id` | the agent as a model |
 * | `POST /chat/completions` | a run; stateless, unless the header `x-bailiwick-session` names a session |
 * | `POST /responses` | a run in the session of `conversation`, or after `previous_response_id` |
 * | `GET /responses/:id` | the current state of a response's run |
 * | `POST /responses/:id/cancel` | cancels it |
 *
 * The agent calls its own tools; requests with tools are refused, or their tools are ignored (`tools: "ignore"`). Earlier messages of a request are untrusted, because the
 * client keeps them. A run that waits for a person answers with its question and the address of `questionUrl`; no text of a
 * chat approves anything. The owner comes from `authorize`, never from the field `user`. Without `authorize` the routes answer
 * requests to this machine's own names only.
 *
 * @param options - The agent, its store, and the address where people answer.
 * @returns a Hono app; its `fetch` takes any web-standard request.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import { memoryStore } from "@bailiwick/core";
 * import { openaiRoutes, type ServedAgent } from "@bailiwick/server";
 *
 * export function serve(agent: ServedAgent, store = memoryStore()): (request: Request) => Response | Promise<Response> {
 *   return openaiRoutes({ agent, store, questionUrl: (runId) => `https://app.example.com/runs/${runId}` }).fetch;
 * }
 * ```
 */
export function openaiRoutes(options: OpenaiRoutesOptions): Hono {
  checkArgument(options, "object", "openaiRoutes({ agent, store })");
  checkOpenaiOptions(options);
  const { agent, store, questionUrl, models } = options;
  const model = options.model ?? agent.name;
  const accepted = { ...options, model };
  const onError = errorListener(options.onError);
  const errorText = errorWords(options.errorText, onError);
  const runs = createLiveRuns(agent, store, onError);
  const access = createAccess({ ...options, refusal: 401 });

  /** Starts a run, and reads it to its end. */
  const start = async (context: Context, asked: OpenaiRequest, given: RunOptions): Promise<string> => {
    const keep = options.waitUntil ?? hostWaitUntil(context);
    await checkFileBytes([...asked.input, ...asked.earlier.flatMap(partsOf)]);
    const { runId } = await runs.start([...asked.input], { ...asked.settings, ...given }, keep);
    return runId;
  };
  const follow = (runId: string, signal: AbortSignal) =>
    followRun({ agent, store, runs, runId, signal, pollMs: options.pollMs ?? 500 });
  const endOf = async (runId: string): Promise<AnswerEnd> =>
    answerEnd(await agent.inspect(runId), { questionUrl, errorText });
  /** The whole text of a run with its question. */
  const whole = async (runId: string, signal: AbortSignal): Promise<{ text: string; end: AnswerEnd }> => {
    const answer = answerText(runId);
    for await (const event of follow(runId, signal)) answer.push(event);
    const end = await endOf(runId);
    return { text: answer.whole + separatorOf(answer.whole, end) + end.question, end };
  };
  /** A run that waits has not joined its session, so a later response would not contain it. */
  const refuseOpen = async ({ id, state }: StoredRun): Promise<void> => {
    if (isEnded(state)) return;
    const questions = await agent.interruptions(id);
    const hint =
      questions.length === 0 ? "Wait for its end" : `It waits for an answer at ${questionUrl(id, questions)}. Give it`;
    throw new RequestError(
      409,
      "RESPONSE_OPEN",
      `Response "${responseId(id)}" is not complete. ${hint}, then send the message again.`,
    );
  };
  const stream = (
    context: Context,
    runId: string,
    protocol: {
      readonly begin: () => object[];
      readonly delta: (text: string) => object[];
      readonly end: (text: string, end: AnswerEnd) => object[];
      readonly closing?: string;
    },
  ): Response => {
    const left = new AbortController();
    const answer = answerText(runId);
    const signal = AbortSignal.any([context.req.raw.signal, left.signal]);
    let end: AnswerEnd | undefined;
    let begun = false;
    const read = async function* (): ReturnType<typeof followRun> {
      yield* follow(runId, signal);
      end = await endOf(runId);
    };
    const body = eventStream({
      events: read(),
      push(event) {
        const delta = answer.push(event);
        const first = begun ? [] : protocol.begin();
        begun = true;
        return delta === "" ? first : [...first, ...protocol.delta(delta)];
      },
      end: () => (end === undefined ? [] : protocol.end(answer.text, end)),
      closing: protocol.closing,
      onLeave: () => left.abort(),
      onError,
    });
    return new Response(body, { headers: eventStreamHeaders });
  };

  const app = guardedApp(options, onError);
  app.onError((error, context) => openaiError(shownError(error, ofPresent(context, onError)), context));
  /** The run of a response. */
  const reachResponse = async (context: Context, action: "read" | "cancel", id: string): Promise<StoredRun> => {
    const runId = runOfResponse(id);
    if (runId !== undefined) return (await access.reach(context, action, runId)).run;
    await access.permit(context, { action });
    throw new RequestError(404, "RESPONSE_NOT_FOUND", `There is no response "${id}". Check its id.`);
  };

  const modelView = { id: model, object: "model", created: 0, owned_by: "bailiwick" };
  app.get("/models", async (context) => {
    await access.permit(context, { action: "list" });
    return context.json({ object: "list", data: [modelView] });
  });
  app.get("/models/:id", async (context) => {
    await access.permit(context, { action: "list" });
    const id = context.req.param("id");
    if (id !== model && models !== "any")
      throw new RequestError(404, "model_not_found", `There is no model "${id}". Use "${model}".`);
    return context.json({ ...modelView, id });
  });

  app.post("/chat/completions", async (context) => {
    const body = await readBody(context);
    const asked = readChatCompletion(body, accepted);
    const sessionId = context.req.header(sessionHeader);
    const session = sessionId === undefined ? undefined : { id: sessionId };
    const caller = await access.permit(context, { action: "start", ...(session && { session }), body });
    access.checkSessionId(caller, sessionId);
    const { userId, tenantId } = caller;
    // A session has its earlier messages; without one, nothing is stored.
    const place = sessionId === undefined ? { messages: asked.earlier, session: memorySessions() } : { sessionId };
    const runId = await start(context, asked, { ...place, userId, tenantId });
    const head = { runId, model: asked.model, created: Math.floor(Date.now() / 1000) };
    if (!asked.stream) {
      const { text, end } = await whole(runId, context.req.raw.signal);
      if (end.error !== undefined) return failed(context, end.error, end.output.stopReason);
      return context.json(chatCompletion(head, text, end));
    }
    return stream(context, runId, {
      begin: () => [completionChunk(head, { role: "assistant", content: "" })],
      delta: (content) => [completionChunk(head, { content })],
      end: (text, end) => closingCompletion(head, separatorOf(text, end), end, asked.withUsage),
      closing: "data: [DONE]\n\n",
    });
  });

  app.post("/responses", async (context) => {
    const body = await readBody(context);
    const asked = readResponsesRequest(body, accepted);
    const place = readResponsePlace(body);
    const isKept = body["store"] !== false;
    const named = place.kind === "conversation" ? { id: place.sessionId } : undefined;
    let run: StoredRun | undefined;
    if (place.kind === "previous") ({ run } = await access.reach(context, "read", place.runId, body));
    if (run !== undefined) await refuseOpen(run);
    const session = run === undefined ? named : { id: run.sessionId };
    const caller = await access.permit(context, { action: "start", ...(session && { session }), body });
    access.checkSessionId(caller, named?.id);
    const { userId, tenantId } = caller;
    const sessionId = run === undefined ? named?.id : await sessionAfter({ agent, store }, run, { userId, tenantId });
    const kept = isKept || sessionId !== undefined ? {} : { session: memorySessions() };
    const runId = await start(context, asked, {
      ...kept,
      ...(sessionId !== undefined && { sessionId }),
      ...(asked.earlier.length > 0 && { messages: asked.earlier }),
      userId,
      tenantId,
    });
    const head: ResponseHead = {
      runId,
      model: asked.model,
      createdAt: Math.floor(Date.now() / 1000),
      previousResponseId: run === undefined ? null : responseId(run.id),
      conversation: named?.id,
    };
    if (!asked.stream) {
      const { text, end } = await whole(runId, context.req.raw.signal);
      return context.json(responseOf(head, text, end));
    }
    const events = responseEvents(head);
    return stream(context, runId, {
      begin: events.begin,
      delta: events.delta,
      end: (text, end) => {
        const added = end.question === "" ? "" : separatorOf(text, end) + end.question;
        return [...(added === "" ? [] : events.delta(added)), ...events.end(text + added, end)];
      },
    });
  });

  app.get("/responses/:id", async (context) => {
    const run = await reachResponse(context, "read", context.req.param("id"));
    const head: ResponseHead = {
      runId: run.id,
      model,
      createdAt: Math.floor(run.createdAt / 1000),
      previousResponseId: null,
      conversation: run.sessionId,
    };
    if (run.state === "running" || run.state === "queued") return context.json(responseOf(head, "", undefined));
    const { text, end } = await whole(run.id, context.req.raw.signal);
    return context.json(responseOf(head, text, end));
  });

  app.post("/responses/:id/cancel", async (context) => {
    const run = await reachResponse(context, "cancel", context.req.param("id"));
    if (!isEnded(run.state)) await agent.cancel(run.id, "cancelled by the client");
    const { text, end } = await whole(run.id, context.req.raw.signal);
    const head = { runId: run.id, model, createdAt: Math.floor(run.createdAt / 1000) };
    return context.json({
      ...responseOf({ ...head, previousResponseId: null, conversation: run.sessionId }, text, end),
      ...(end.output.status === "cancelled" && { status: "cancelled" }),
    });
  });
  return app;
}

const separatorOf = (text: string, { question }: AnswerEnd): string => (text === "" || question === "" ? "" : "\n\n");

function failed(context: Context, message: string, code: string): Response {
  return openaiError({ status: 500, code, message }, context);
}

/** An error in the shape of the OpenAI API. */
function openaiError({ status, code, message }: ShownError, context: Context): Response {
  if (status === 401) {
    const error = { message: "The API key is not accepted. Check it.", type: "invalid_request_error" };
    return context.json({ error: { ...error, param: null, code: "invalid_api_key" } }, 401);
  }
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return context.json({ error: { message, type, param: null, code } }, status);
}

const partsOf = ({ content }: ChatMessage): readonly ContentPart[] => (Array.isArray(content) ? content : []);

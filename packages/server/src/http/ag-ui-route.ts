import type { StoredRun } from "@bailiwick/core";
import type { Context, Hono } from "hono";
import { outerRuns } from "../runs/outer-runs.ts";
import { inputOf, readAgUiRequest, type AgUiRequest } from "./ag-ui-request.ts";
import { askedId } from "../runs/second-id.ts";
import type { Caller } from "./authorize.ts";
import type { ChatParts } from "./chat-routes.ts";
import { readAnswers, type ReadAnswers } from "./decided-questions.ts";
import { checkFileBytes } from "./file-bytes.ts";
import { toDecision } from "./interrupt-answers.ts";
import { writePageState, type PageState } from "./page-state.ts";
import { originOf, unknownDecision } from "./parse-decisions.ts";
import { readBody, type JsonBody } from "./read-body.ts";
import { RequestError } from "./request-error.ts";
import { agUiResponse } from "./run-response.ts";
import type { RunRoutesOptions } from "./run-routes-options.ts";

/** Parts that the route shares with the others. */
interface AgUiParts extends Pick<ChatParts, "runs" | "access" | "decide" | "acceptAgain" | "told" | "keepFor"> {
  readonly options: RunRoutesOptions;
}

/** A run that answers of a client are about. */
interface AnsweredRun extends ReadAnswers {
  readonly run: StoredRun;
  readonly caller: Caller;
}

/** Maximum number of runs of a thread that answers may be about. */
const answeredRuns = 20;

/** Adds the route for clients of the AG-UI protocol. */
export function addAgUiRoute(
  app: Hono,
  { options, runs, access, decide, acceptAgain, told, keepFor }: AgUiParts,
): void {
  const { agent, store } = options;
  const { permit, reach } = access;

  /** The runs of a thread that a client's answers are about; it may repeat those about earlier runs. */
  const answeredRunsOf = async (
    context: Context,
    asked: AgUiRequest,
    newest: readonly StoredRun[],
    body: JsonBody,
  ): Promise<readonly AnsweredRun[]> => {
    const known = new Set<string>();
    const isKnown = ({ interruptId }: { readonly interruptId: string }): boolean => known.has(askedId(interruptId).id);
    const answered: AnsweredRun[] = [];
    for (const { id } of newest) {
      const reached = await reach(context, "decide", id, body);
      const origin = originOf(reached.caller);
      const read = await readAnswers(agent, reached.run, {
        decisionsAbout: (questions) =>
          asked.answers.flatMap((answer) => {
            const question = questions.find((one) => one.id === askedId(answer.interruptId).id);
            return question === undefined ? [] : [toDecision(question, answer, origin)];
          }),
        results: asked.results,
        repeated: asked.results,
        origin,
      });
      const about = [...read.decisions, ...read.held, ...read.again];
      for (const { id: question } of about) known.add(question);
      if (about.length > 0) answered.push({ ...reached, ...read });
      if (answered.length > 0 && asked.answers.every(isKnown)) break;
    }
    const unknown = asked.answers.find((answer) => !isKnown(answer));
    if (answered.length > 0 && unknown !== undefined) throw unknownDecision(unknown.interruptId);
    return answered;
  };

  app.post("/ag-ui", async (context) => {
    const body = await readBody(context);
    const asked = readAgUiRequest(body, options.agUi);
    const { threadId } = asked;
    const session = { id: threadId };
    const stateOf = async ({ userId, tenantId }: Caller): Promise<PageState | undefined> =>
      options.agUi?.state === undefined
        ? undefined
        : writePageState(options.agUi.state, threadId, asked.state, { userId, tenantId, runId: asked.runId });
    if (asked.answers.length === 0 && asked.results.length === 0) {
      const caller = await permit(context, { action: "start", session, body });
      access.checkSessionId(caller, threadId);
      const { userId, tenantId } = caller;
      const input = inputOf(asked, options.uploads);
      await checkFileBytes(input);
      const state = await stateOf(caller);
      const { tools: clientTools } = asked;
      const given = { sessionId: threadId, userId, tenantId, ...(clientTools.length > 0 && { clientTools }) };
      const live = await runs.start(input, given, keepFor(context));
      return agUiResponse(told(context, live.runId), asked, state);
    }
    const { tenantId, userId } = await permit(context, { action: "list", session, body });
    const newest = await outerRuns(store, { sessionId: threadId, agentId: agent.name, tenantId, userId }, answeredRuns);
    if (newest.length === 0) {
      throw new RequestError(
        404,
        "RUN_NOT_FOUND",
        `Thread "${threadId}" has no run that waits for an answer. Send a message to start one.`,
      );
    }
    const answered = await answeredRunsOf(context, asked, newest, body);
    const [latest] = answered;
    if (latest === undefined) throw unknownDecision(asked.answers[0]?.interruptId ?? asked.results[0]?.callId ?? "");
    for (const { run, again } of answered) await acceptAgain(run.id, again);
    const state = await stateOf(latest.caller);
    for (const { run, decisions, open } of answered)
      if (decisions.length > 0) await decide(context, run.id, decisions, open);
    if (answered.every(({ decisions }) => decisions.length === 0)) await runs.wake(latest.run.id, keepFor(context));
    const shown = answered.find(({ decisions }) => decisions.length > 0) ?? latest;
    const secondIds = new Set(shown.held.map(({ id }) => id));
    return agUiResponse({ ...told(context, shown.run.id, shown.afterSeq), secondIds }, asked, state);
  });
}

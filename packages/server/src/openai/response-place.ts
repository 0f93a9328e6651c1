import type { Owner, StoredRun } from "@bailiwick/core";
import { asObject, asText, type JsonBody } from "../http/read-body.ts";
import { invalid, RequestError } from "../http/request-error.ts";
import { outerRuns } from "../runs/outer-runs.ts";
import type { ServedAgent, ServedStore } from "../runs/served-agent.ts";
import { runOfResponse } from "./responses.ts";

/** The conversation that a Responses request names. */
export type ResponsePlace =
  | { readonly kind: "new" }
  | { readonly kind: "conversation"; readonly sessionId: string }
  | { readonly kind: "previous"; readonly runId: string };

/**
 * Reads `previous_response_id` and `conversation`.
 *
 * @throws RequestError `INVALID_REQUEST`
 */
export function readResponsePlace(body: JsonBody): ResponsePlace {
  const { previous_response_id: previous, conversation } = body;
  const hasPrevious = previous !== undefined && previous !== null;
  if (conversation !== undefined && conversation !== null) {
    if (hasPrevious) throw invalid('Give "previous_response_id" or "conversation", not both.');
    const id = typeof conversation === "string" ? conversation : asObject(conversation, '"conversation"')["id"];
    return { kind: "conversation", sessionId: asText(id, 'The id of "conversation"') };
  }
  if (!hasPrevious) return { kind: "new" };
  const runId = runOfResponse(asText(previous, '"previous_response_id"'));
  if (runId === undefined) throw invalid('"previous_response_id" is not the id of a response.');
  return { kind: "previous", runId };
}

/**
 * The session in which a response follows another one: the same session if that was the last, else a branch that ends
 * with it.
 *
 * @throws RequestError `NO_SESSIONS`, `SESSION_NOT_FOUND`
 */
export async function sessionAfter(
  { agent, store }: { readonly agent: ServedAgent; readonly store: ServedStore },
  previous: StoredRun,
  owner: Owner,
): Promise<string> {
  const { sessions } = agent;
  if (sessions === undefined)
    throw new RequestError(
      409,
      "NO_SESSIONS",
      `Agent "${agent.name}" keeps no sessions, so a response cannot follow another one. Give it "session", such as store.sessions.`,
    );
  const { sessionId } = previous;
  const [newest] = await outerRuns(store, { sessionId, agentId: agent.name, ...owner }, 1);
  const { messages } = await sessions.load(sessionId, owner);
  if (messages.length === 0)
    throw new RequestError(
      404,
      "SESSION_NOT_FOUND",
      "The previous response was not stored, so no response can follow it.",
    );
  if (newest?.id === previous.id) return sessionId;
  const kept = new Set(messages.map(({ id }) => id));
  const { progress } = await agent.inspect(previous.id);
  const last = progress.messages.findLast(({ id }) => kept.has(id));
  return sessions.branch(sessionId, { ...owner, ...(last !== undefined && { uptoMessageId: last.id }) });
}

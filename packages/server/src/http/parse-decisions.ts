import type { Decision, Interruption, InterruptionData, Remembering } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";
import { acknowledgedDecision, acknowledging, type ClientDecision } from "./acknowledgement.ts";
import { askedId } from "../runs/second-id.ts";
import type { Caller } from "./authorize.ts";
import { asObject, asOptionalText, asText, type JsonBody } from "./read-body.ts";
import { invalid, RequestError } from "./request-error.ts";

/** Fields of a decision by its type, in addition to the common ones. */
const fields: Readonly<Record<Decision["type"], readonly string[]>> = {
  approve: ["args", "remember", "acknowledged"],
  reject: ["reason", "remember"],
  answer: ["value"],
  fail: ["reason"],
  it_happened: ["output"],
  it_did_not_happen: [],
  give_up: ["reason"],
};

/** Decisions that fit each kind of question. */
const answers: Readonly<Record<Interruption["kind"], readonly Decision["type"][]>> = {
  approval: ["approve", "reject"],
  question: ["answer"],
  client_tool: ["answer", "fail"],
  unknown_outcome: ["it_happened", "it_did_not_happen", "give_up"],
};

/**
 * Fields that every decision may have; the deciding person and place are replaced, because the client must not set
 * them.
 */
const common: readonly string[] = ["id", "type", "token", "decidedBy", "channel"];

/** Fields of a question, which a client may post back with its decision. */
const ofQuestion: { readonly [Name in keyof Required<InterruptionData>]: true } = {
  kind: true,
  id: true,
  runId: true,
  agentName: true,
  agentPath: true,
  toolCallId: true,
  toolName: true,
  args: true,
  question: true,
  batch: true,
  argsHash: true,
  definitionHash: true,
  binding: true,
  requestedAt: true,
  expiresAt: true,
  answerKey: true,
  argsJsonSchema: true,
  answerJsonSchema: true,
  token: true,
};

const rememberings: Readonly<Record<Remembering, true>> = { call: true, tool: true, values: true };

/**
 * Reads `{ decisions: [...] }`. A decision may contain the whole question, as `GET /runs/:id/interruptions` returned
 * it.
 *
 * @param body - Body of the request.
 * @param caller - The deciding person; replaces such fields of the body.
 * @throws RequestError `INVALID_REQUEST`, naming the field.
 */
export function parseDecisions(body: JsonBody, caller: Caller): readonly ClientDecision[] {
  const { decisions } = body;
  if (!Array.isArray(decisions) || decisions.length === 0)
    throw invalid('"decisions" has to be a list with at least one decision.');
  return decisions.map((value, index) => parseDecision(value, `decisions[${index}]`, caller));
}

function parseDecision(value: unknown, path: string, caller: Caller): ClientDecision {
  const given = asObject(value, path);
  const { id, isSecond } = askedId(asText(given["id"], `${path}.id`));
  const type = given["type"];
  const own = typeof type === "string" && Object.hasOwn(fields, type) ? fields[type as Decision["type"]] : undefined;
  if (own === undefined) throw invalid(`${path}.type has to be one of ${Object.keys(fields).join(", ")}.`);
  const isWhole = "kind" in given && "question" in given;
  const unknown = Object.keys(given).find(
    (key) => !common.includes(key) && !own.includes(key) && !(isWhole && Object.hasOwn(ofQuestion, key)),
  );
  if (unknown !== undefined) throw invalid(`${path}.${unknown} is not a field of "${String(type)}".`);
  if (type === "answer" && !("value" in given)) throw invalid(`${path}.value is missing.`);
  const { remember } = given;
  if (remember !== undefined && !(typeof remember === "string" && Object.hasOwn(rememberings, remember)))
    throw invalid(`${path}.remember has to be one of ${Object.keys(rememberings).join(", ")}.`);
  const { acknowledged } = given;
  if (acknowledged !== undefined && acknowledged !== "suspicious")
    throw invalid(`${path}.acknowledged has to be "suspicious", the level that the person has seen.`);
  if (type === "fail") asText(given["reason"], `${path}.reason`);
  else asOptionalText(given["reason"], `${path}.reason`);
  const token = asOptionalText(given["token"], `${path}.token`);
  const chosen = Object.fromEntries(
    own.filter((key) => given[key] !== undefined && given[key] !== null).map((key) => [key, given[key]]),
  );
  const answer = type === "answer" ? { value: given["value"] } : {};
  const decision = { ...chosen, ...answer, type, id, ...(token !== undefined && { token }), ...originOf(caller) };
  return acknowledging(decision as ClientDecision, isSecond);
}

/** The journaled person and place of a decision. */
export function originOf(caller: Caller): { readonly decidedBy?: string; readonly channel: string } {
  return { ...(caller.userId !== undefined && { decidedBy: caller.userId }), channel: caller.channel ?? "http" };
}

/**
 * Refuses decisions that match no open question of the run, or not its kind, and a plain yes to a suspicious question.
 * A refused decision changes nothing.
 *
 * @returns the decisions; arguments that are the shown ones are not an edit.
 * @throws RequestError `UNKNOWN_DECISION`, `INVALID_REQUEST`, `SUSPICIOUS_NOT_ACKNOWLEDGED`.
 */
export function checkDecisions(
  decisions: readonly ClientDecision[],
  open: readonly Interruption[],
): readonly Decision[] {
  return decisions.map((given) => {
    const { id, type } = given;
    const question = open.find((one) => one.id === id);
    if (question === undefined) throw unknownDecision(id);
    if (!answers[question.kind].includes(type)) {
      throw invalid(
        `"${id}" is a question of kind ${question.kind}; decide it with ${answers[question.kind].join(" or ")}.`,
      );
    }
    const decision = acknowledgedDecision(given, open);
    if (decision.type !== "approve" || decision.args === undefined) return decision;
    const { args, ...unedited } = decision;
    return canonicalJson(args) === canonicalJson(question.args ?? null) ? unedited : decision;
  });
}

/** The run has no such question, or no longer. */
export function unknownDecision(id: string): RequestError {
  return new RequestError(
    409,
    "UNKNOWN_DECISION",
    `The run does not wait for a decision about "${id}": it was decided, has expired, or was never asked. Nothing changed.`,
  );
}

import type { Decision } from "../../contracts/interruption.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import { suggestion } from "../../errors/value-checks.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { durableJson, readable } from "../../json/checked-json.ts";
import type { DecidedQuestion } from "../../journal/run-state.ts";
import { checkAnswers, type DecisionCheck } from "../tool-call/approval-binding.ts";
import { meantDecision } from "../tool-call/validate.ts";

/** Fields of each type of decision besides the common ones. */
const fields: Readonly<Record<Decision["type"], readonly string[]>> = {
  approve: ["args", "remember"],
  reject: ["reason", "remember"],
  answer: ["value"],
  fail: ["reason"],
  it_happened: ["output"],
  it_did_not_happen: [],
  give_up: ["reason"],
};
const common: readonly string[] = ["id", "type", "decidedBy", "channel", "token"];

/**
 * Checks that decisions are a list, and the form of each. Returns copies.
 *
 * @throws DecisionError `DECISION_INVALID`
 */
export function checkDecisionList(runId: string, given: unknown): readonly Decision[] {
  if (Array.isArray(given)) return given.map((decision) => decisionOf(runId, decision));
  throw new DecisionError(
    "DECISION_INVALID",
    "",
    `The decisions for run "${runId}" have to be an array, such as result.interruptions.map((each) => each.approve()).`,
    { runId },
  );
}

/** Copies a decision and checks its form: it may come from anywhere, such as the body of a request. */
function decisionOf(runId: string, given: unknown): Decision {
  const read = readable(given);
  const decision: Partial<Record<string, unknown>> = Object(read.ok && read.value);
  const id = typeof decision["id"] === "string" ? decision["id"] : "";
  const refuse = (what: string): never => {
    throw new DecisionError(
      "DECISION_INVALID",
      id,
      `A decision for run "${runId}" cannot be used: ${what}. Nothing changed; make decisions with the methods of an interruption.`,
      { runId },
    );
  };
  if (!read.ok) refuse(`it holds ${read.problem}`);
  if (id === "") refuse("it has no id");
  const { type } = decision;
  const known = typeof type === "string" && Object.hasOwn(fields, type) ? fields[type as Decision["type"]] : undefined;
  if (known === undefined) refuse(`its type must be one of ${Object.keys(fields).join(", ")}`);
  // A misspelt field would approve something else than the person intended.
  const unknown = Object.keys(decision).find((name) => !common.includes(name) && known?.includes(name) !== true);
  if (unknown !== undefined)
    refuse(`"${unknown}" is not a field of "${String(type)}"${suggestion(unknown, [...common, ...(known ?? [])])}`);
  const { remember } = decision;
  if (remember !== undefined && !["call", "tool", "values"].includes(remember as string))
    refuse(`"remember" must be "call", "tool" or "values"`);
  for (const name of ["decidedBy", "channel", "token", "reason"]) {
    if (decision[name] !== undefined && typeof decision[name] !== "string") refuse(`"${name}" must be a text`);
  }
  return decision as unknown as Decision;
}

/** A decision with values as the journal reads them back: a tool gets the same answer before and after a crash. */
function durableDecision(runId: string, decision: Decision): Decision {
  const name = decision.type === "answer" ? "value" : decision.type === "it_happened" ? "output" : undefined;
  const given = name === undefined ? undefined : (decision as Partial<Record<string, unknown>>)[name];
  if (name === undefined || given === undefined) return decision;
  const json = durableJson(given);
  if (json.ok) return { ...decision, [name]: json.value };
  throw new DecisionError(
    name === "value" ? "ANSWER_INVALID" : "DECISION_INVALID",
    decision.id,
    `The ${name} of a decision is plain JSON, because it is kept with the run, and it holds ${json.problem}. The question stays open.`,
    { runId },
  );
}

/**
 * Checks the form of decisions, and leaves out those that the run has recorded already.
 *
 * @throws DecisionError for one that cannot be used, or that differs from the recorded one.
 */
export function freshDecisions(check: DecisionCheck, given: readonly Decision[]): readonly Decision[] {
  return newDecisions(
    check,
    checkDecisionList(check.runId, given).map((decision) => durableDecision(check.runId, decision)),
  );
}

/**
 * Leaves out the decisions that the run has recorded already, so that delivering a decision twice has the effect of
 * delivering it once.
 *
 * @throws DecisionError `DECISION_USED` for a decision that differs from the recorded one about the same question, or
 * from another one of the same call; `DECISION_KIND` or `DECISION_FORGED` as for an open question.
 */
export function newDecisions(check: DecisionCheck, decisions: readonly Decision[]): readonly Decision[] {
  const fresh = new Map<string, Decision>();
  for (const decision of decisions) {
    const { id } = decision;
    const decided = check.state.decided.get(id);
    const other = fresh.get(id);
    if (decided !== undefined) checkRepeated(check, decision, decided);
    else if (other === undefined) fresh.set(id, decision);
    else if (contentOf(check, other) !== contentOf(check, decision)) {
      throw new DecisionError("DECISION_USED", id, `"${id}" is decided twice in one call. Nothing changed.`, {
        runId: check.runId,
      });
    }
  }
  return [...fresh.values()];
}

function checkRepeated(check: DecisionCheck, decision: Decision, decided: DecidedQuestion): void {
  const { interruption, via, at, call } = decided;
  if (interruption !== undefined) checkAnswers(check, decision, interruption);
  // The question had expired: every decision about it had the same effect.
  if (via === "expired") return;
  const meant = call === undefined ? decision : meantDecision(check.agent, decision, call.call?.args);
  if (contentOf(check, meant) === contentOf(check, decided.decision)) return;
  const { type, decidedBy, channel } = decided.decision;
  const by = [decidedBy && `by "${decidedBy}"`, channel && `over ${channel}`, `at ${new Date(at).toISOString()}`];
  const about = interruption === undefined ? "" : ` about "${interruption.toolName}"`;
  throw new DecisionError(
    "DECISION_USED",
    decision.id,
    `The question "${decision.id}"${about} was decided before as "${type}" ${by.filter(Boolean).join(", ")}, and a decision counts once. Nothing changed.`,
    { runId: check.runId },
  );
}

/** A decision in its journaled form: without its origin, its token and known secrets. */
function contentOf({ agent }: DecisionCheck, decision: Decision): string {
  const { decidedBy: _by, channel: _channel, token: _token, ...content } = decision;
  return canonicalJson(agent.secrets?.scrub(content) ?? content);
}

import { isObject } from "./validate.ts";
import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { Question } from "../../contracts/question.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import type { CallState, RunState } from "../../journal/run-state.ts";
import { boundDefinition, batchOf, type BoundTool } from "./approval-scope.ts";
import { displayed, scrubbed, setBySchema, placeOf, type MaybePromise, type CallPlace } from "./call.ts";
import type { CallValue } from "./call-value.ts";
import type { Agent, Run } from "../run.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { askUserCodeNow } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { reportFailure } from "../hooks/hook-failures.ts";
import type { AskedBy } from "./call-question.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { ChangedValue } from "../../contracts/tool-call-result.ts";

/** Validity of a suspended question unless `approval.expiresAfterMs` sets another: 7 days. */
const defaultExpiryMs: number = 7 * 24 * 60 * 60 * 1000;

/** The fields of an interruption that each kind of question sets itself. */
type QuestionFields = Pick<
  InterruptionData,
  "kind" | "args" | "question" | "binding" | "argsJsonSchema" | "answerKey" | "answerJsonSchema"
>;

export interface QuestionSubject {
  readonly run: Run;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly argsHash: string;
  /** Empty for tools that the vendor runs. */
  readonly tool: BoundTool | undefined;
}

/** Makes a question to a person, bound to run, call, arguments and definition; signed if the agent has a key. */
export function makeInterruption(call: QuestionSubject, fields: QuestionFields): InterruptionData {
  const { run } = call;
  const agentName = run.agent.name;
  const requestedAt = run.clock.now();
  const expiresAfterMs = run.settings.approval?.expiresAfterMs ?? defaultExpiryMs;
  const question = displayed(call, fields.question);
  const id = run.ids.next("interruption");
  const data: InterruptionData = {
    kind: fields.kind,
    id,
    runId: run.runId,
    agentName,
    agentPath: [agentName],
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    // The client runs the call with these arguments, which must not change.
    args: fields.kind === "client_tool" ? scrubbed(call, fields.args) : displayed(call, fields.args),
    question,
    ...(fields.kind === "approval" && {
      batch: batchOf(run.agent.hasher, [run.runId, run.journal.state.turn], { toolName: call.toolName, question, id }),
    }),
    argsHash: call.argsHash,
    definitionHash: call.tool === undefined ? "" : boundDefinition(run, call.tool),
    binding: fields.binding,
    requestedAt,
    expiresAt: requestedAt + expiresAfterMs,
    ...(fields.argsJsonSchema !== undefined && { argsJsonSchema: fields.argsJsonSchema }),
    answerKey: fields.answerKey,
    answerJsonSchema: displayed(call, fields.answerJsonSchema),
  };
  const { signer } = run.agent;
  return signer === undefined ? data : { ...data, token: signer.sign(data) };
}

/** The questions of a call that wait for a person now. */
export function openQuestions(state: CallState): readonly InterruptionData[] {
  if (state.outcome !== undefined || state.result !== undefined) return [];
  const open: InterruptionData[] = [];
  if (state.approval !== undefined && state.approval.decision === undefined) open.push(state.approval.interruption);
  if (state.question !== undefined) open.push(state.question);
  const { interruptions = [], decisions = [] } = state.child ?? {};
  return [...open, ...interruptions.filter((asked) => !decisions.some(({ id }) => id === asked.id))];
}

/** A decision with the call and the question that it answers. */
export interface BoundDecision {
  readonly decision: Decision;
  readonly call: CallState;
  readonly interruption: InterruptionData;
}

export interface DecisionCheck {
  readonly state: RunState;
  readonly runId: string;
  /** With a signer, decisions must carry the token of their question. */
  readonly agent: Pick<Agent, "signer" | "secrets" | "sanitizer">;
}

const kindsAnswered: Readonly<Record<Decision["type"], readonly InterruptionData["kind"][]>> = {
  approve: ["approval"],
  reject: ["approval"],
  answer: ["question", "client_tool"],
  fail: ["client_tool"],
  it_happened: ["unknown_outcome"],
  it_did_not_happen: ["unknown_outcome"],
  give_up: ["unknown_outcome"],
};

/**
 * Finds the open question that a decision answers. Changes nothing: the caller records the decision.
 *
 * @throws DecisionError `UNKNOWN_DECISION` if no question of this run has that id, `QUESTION_CLOSED` if its call ended
 * without a decision, `DECISION_KIND` if it answers another kind of question, `DECISION_REMEMBER` if its scope is wider
 * than the question offers, `DECISION_FORGED` if it does not carry the question's token. A late decision applies; the
 * caller records that it came too late ({@link hasExpired}).
 */
export function bindDecision(check: DecisionCheck, decision: Decision): BoundDecision {
  const { state, runId } = check;
  const { id } = decision;
  for (const call of state.calls.values()) {
    const question = questionWithId(call, id);
    if (question === undefined) continue;
    if (call.outcome !== undefined || call.result !== undefined) {
      const why = state.end?.status === "cancelled" ? "the run was cancelled" : "the call ended";
      throw new DecisionError(
        "QUESTION_CLOSED",
        id,
        `The question "${id}" about "${call.toolName}" was closed without a decision, because ${why}. Nothing changed.`,
        { runId },
      );
    }
    checkAnswers(check, decision, question);
    return { decision, call, interruption: question };
  }
  throw new DecisionError(
    "UNKNOWN_DECISION",
    id,
    `Run "${runId}" has no open question "${id}". Decide with the entries of its interruptions. Nothing changed.`,
    { runId },
  );
}

/** True if a question can no longer be answered. An expired approval reaches the model as `approval_expired`. */
export function hasExpired(interruption: InterruptionData, now: number): boolean {
  // A clock that returns no number must not make the run wait forever, so the test is not "at or after".
  return interruption.kind === "approval" && !(now < interruption.expiresAt);
}

export function questionWithId({ question, child, approval }: CallState, id: string): InterruptionData | undefined {
  if (question?.id === id) return question;
  if (approval?.interruption.id === id) return approval.interruption;
  return child?.interruptions.find((one) => one.id === id);
}

/**
 * Checks that a decision is about this question.
 *
 * @throws DecisionError `DECISION_KIND`, `DECISION_REMEMBER`, `DECISION_FORGED`
 */
export function checkAnswers(
  { runId, agent: { signer } }: DecisionCheck,
  decision: Decision,
  question: InterruptionData,
): void {
  const { id, type, token } = decision;
  const refuse = (code: string, why: string): never => {
    throw new DecisionError(code, id, `${why} Nothing changed.`, { runId });
  };
  const kinds = kindsAnswered[type];
  if (!kinds.includes(question.kind))
    refuse(
      "DECISION_KIND",
      `"${type}" answers questions of kind "${kinds.join('" or "')}", and "${id}" is of kind "${question.kind}".`,
    );
  const offered = question.question.remember;
  if ("remember" in decision && decision.remember !== undefined && !offered.includes(decision.remember))
    refuse(
      "DECISION_REMEMBER",
      `The answer cannot be remembered for "${decision.remember}": the question offers ${JSON.stringify(offered)}.`,
    );
  if (signer !== undefined && (token === undefined || !signer.verify(question, token)))
    refuse(
      "DECISION_FORGED",
      `The decision about "${question.toolName}" does not carry the token of this question. Decide with the entries of its interruptions.`,
    );
}

const wording = lazyPart("The wording of questions", () => import("./call-question.ts"));

export interface QuestionedCall extends QuestionSubject {
  readonly args: unknown;
  /** Parsed arguments, for `describeCall`. */
  readonly input?: unknown;
  readonly tool: (BoundTool & Pick<ResolvedTool, "describeCall" | "__inputJsonSchema">) | undefined;
  /** Absent for a call that the vendor runs. */
  readonly value?: CallValue | undefined;
}

export function questionAbout(call: QuestionedCall, by: AskedBy): MaybePromise<Question> {
  return titledQuestion(call, by, describedBy(call));
}

/** Makes the question about a call whose `describeCall` ran already. */
export function titledQuestion(
  call: QuestionedCall,
  by: AskedBy,
  described: string | undefined,
): MaybePromise<Question> {
  const args = {
    args: scrubbed(call, call.args),
    shown: displayed(call, call.args),
    setBySchema: setBySchema(call.tool, call.value),
  };
  return wording(({ callQuestion }) => callQuestion(call, args, by, described));
}

/** The tool's own title. If `describeCall` fails, the failure is reported, and the default title is used. */
export function describedBy({ tool, input, toolName, run }: QuestionedCall): string | undefined {
  const describe = tool?.describeCall;
  if (describe === undefined) return undefined;
  const answer = askUserCodeNow<unknown>("describeCall", () => describe(ownCopy(input)));
  if (answer.ok && typeof answer.value === "string" && /[\p{L}\p{N}]/u.test(answer.value)) return answer.value;
  const error = answer.ok ? new TypeError("It has to return a sentence.") : answer.error;
  reportFailure(run, `describeCall of ${toolName}`, error, "The title is made of the arguments.");
  return undefined;
}

/** Hashes that a decision is bound to, and the arguments as its question showed them. */
type Bound = Pick<InterruptionData, "argsHash" | "definitionHash"> & { readonly args?: unknown };

/** Journals the decision about a call: of a person, a remembered one, or an expiry. It is bound to edited arguments. */
export function recordDecision(
  run: Run,
  call: CallPlace,
  { args, argsHash, definitionHash }: Bound,
  decision: Decision,
  via: string,
): void {
  const edited = decision.type === "approve" ? decision.args : undefined;
  run.journal.record({
    type: "tool.approval.decided",
    ...placeOf(call),
    decision,
    via,
    changes: changesIn(run, args, decision),
    argsHash: edited === undefined ? argsHash : run.agent.hasher.sha256(canonicalJson(edited)),
    definitionHash,
  });
}

/** Journals the decision about a question of the run inside a call. */
export function recordDecisionInside(run: Run, call: CallPlace, decision: Decision, via: string): void {
  const { turn, index, toolCallId } = call;
  run.journal.record({ type: "child.decided", turn, index, toolCallId, decision, via });
}

export function expiredDecision(id: string): Decision {
  return { id, type: "reject", reason: "The approval was not given in time." };
}

/**
 * Values that a person changed in the arguments, without known secrets and as a person sees them.
 *
 * @param before - The arguments as the question showed them.
 */
function changesIn(run: Pick<Run, "agent">, before: unknown, decision: Decision): readonly ChangedValue[] | undefined {
  if (decision.type !== "approve" || decision.args === undefined) return undefined;
  return changedValues(before, displayed({ run }, decision.args));
}

/** The places at which two values differ. */
export function changedValues(before: unknown, after: unknown, path = ""): readonly ChangedValue[] {
  if (before === after) return [];
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  return Object.keys({ ...before, ...after }).flatMap((key) =>
    changedValues(
      before[key],
      after[key],
      Array.isArray(before) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
    ),
  );
}

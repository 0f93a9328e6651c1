import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { JsonSchema } from "../../contracts/json.ts";
import type { ResolvedTool, Validation } from "../../contracts/resolved-tool.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import type { CallState } from "../../journal/run-state.ts";
import { durableJson } from "../../json/checked-json.ts";
import { compileJsonSchema } from "../../tools/json-schema-validator.ts";
import type { MaybePromise } from "../tool-call/call.ts";
import { questionWithId, type BoundDecision } from "../tool-call/approval-binding.ts";
import { checkSealable, describeIssues, meantDecision, resolved, unknownField } from "../tool-call/validate.ts";
import { decidingTimeoutMs } from "../hooks/hooks-runner.ts";
import { askUserCode } from "../../user-code/call-user-code.ts";
import type { AgentInside, Run } from "../run.ts";

/** A run whose questions are decided: one that is driven, or a stored one with the tools that its agent knows. */
export interface Checking extends Pick<Run, "agent" | "runId" | "loadInside">, Partial<Pick<Run, "flow" | "depth">> {
  readonly catalogue: Pick<Run["catalogue"], "get">;
}

/** Calls a schema of the developer. */
type AskSchema = (name: string, check: () => MaybePromise<Validation>) => MaybePromise<Validation>;

/**
 * Checks the answer or the edited arguments of a decision. Where the tool is not known, such as a tool of a server that
 * is away, the schema that the question stores decides: accepting a decision needs the store and nothing else.
 *
 * @throws DecisionError `ANSWER_INVALID`, `EDIT_INVALID`; the question stays open.
 * @throws SealKeyMissingError
 */
export async function checkValues(run: Checking, bound: BoundDecision, ask: AskSchema): Promise<void> {
  await checkAnswer(run, bound, ask);
  // An inner run gets decisions that the outer one has checked and recorded.
  if ((run.depth ?? 0) === 0) await checkEdit(run, bound);
  checkSealable(run.agent, run.runId, bound.decision);
}

/** Rules that only the tool's own schema has are checked when the tool continues. */
async function checkAnswer(
  run: Checking,
  { decision, call, interruption }: BoundDecision,
  ask: AskSchema,
): Promise<void> {
  if (decision.type !== "answer") return;
  const { answerJsonSchema, kind } = interruption;
  const isInside = call.child?.interruptions.includes(interruption) === true;
  // The client tool's schema checks the output; an inner run has its own tools, and its decisions are recorded outside.
  const isOwn = kind === "client_tool" && !isInside && (run.depth ?? 0) === 0;
  const ofTool = isOwn ? run.catalogue.get(call.toolName)?.__validateOutput : undefined;
  const schema = answerJsonSchema && compileJsonSchema(answerJsonSchema, "The question's schema");
  const checked =
    ofTool === undefined
      ? await schema?.validate(decision.value)
      : await ask(`outputSchema of ${call.toolName}`, () => ofTool(decision.value));
  if (checked?.ok !== false) return;
  refuse(run, decision, "ANSWER_INVALID", `The answer does not match the question's schema: ${said(checked)}.`);
}

type Failed = Extract<Validation, { ok: false }>;

function said({ issues }: Failed): string {
  return describeIssues(issues).replace(/\.$/, "");
}

/** @throws DecisionError */
function refuse({ runId }: Pick<Run, "runId">, { id }: Decision, code: string, why: string): never {
  throw new DecisionError(code, id, `${why} The question stays open.`, { runId });
}

/**
 * Refuses edited arguments that the tool does not accept: the question stays open. The tool of an inner run is that of
 * the agent inside.
 *
 * @throws DecisionError `EDIT_INVALID`
 */
async function checkEdit(run: Checking, { decision, call, interruption }: BoundDecision): Promise<void> {
  if (decision.type !== "approve" || decision.args === undefined) return;
  const { child, toolName } = call;
  const tool = run.catalogue.get(toolName);
  const isInside = child?.interruptions.includes(interruption) === true;
  const own = isInside ? (tool?.composition as Partial<AgentInside> | undefined)?.agent?.() : undefined;
  if (own !== undefined && child !== undefined) return checkInside(run, own, child.runId, decision);
  const accepts = acceptedBy(run, isInside ? undefined : tool, interruption.argsJsonSchema);
  if (accepts === undefined) return;
  const { original, before } = givenBefore(call, interruption, isInside);
  const { args } = meantDecision(run.agent, decision, original);
  const json = durableJson(args);
  const problem = json.ok
    ? (unknownField(accepts.schema, args, original) ?? (await problemOf(run, accepts, args)))
    : `they hold ${json.problem}, which is not plain JSON`;
  // Until the run inside continues, references have no values: the arguments that its model wrote do not fit either.
  if (problem !== undefined && (await problemOf(run, accepts, before)) === undefined)
    refuse(
      run,
      decision,
      "EDIT_INVALID",
      `The edited arguments of "${interruption.toolName}" cannot be used: ${problem}. Nothing ran.`,
    );
}

/** The arguments that the person saw, and those that the model wrote: the schema may not accept what it made of them. */
function givenBefore({ call }: CallState, { args }: InterruptionData, isInside: boolean) {
  // The arguments inside are those of another tool: its question has them.
  if (isInside) return { original: args, before: args };
  return { original: call?.args, before: call?.given ?? call?.args };
}

/** The same check in the run inside, by its journal and the tools of its agent. */
async function checkInside(
  run: Checking,
  own: NonNullable<ReturnType<AgentInside["agent"]>>,
  runId: string,
  decision: Decision,
): Promise<void> {
  const { loadInside } = run;
  const { agent, state } = await loadInside(run.agent, own, runId);
  for (const call of state.calls.values()) {
    const interruption = questionWithId(call, decision.id);
    if (interruption !== undefined)
      await checkEdit({ agent, runId, loadInside, catalogue: agent.registry.known }, { decision, call, interruption });
  }
}

/** The schema of arguments, and its check. */
interface Accepts {
  readonly schema: JsonSchema;
  readonly validate: (args: unknown) => MaybePromise<Validation>;
}

/** The values that a tool accepts; by the schema in the question if the tool is not known. */
function acceptedBy(
  run: Checking,
  tool: ResolvedTool | undefined,
  stored: JsonSchema | undefined,
): Accepts | undefined {
  if (tool !== undefined)
    return { schema: tool.__inputJsonSchema, validate: (args) => tool.__validateInput(resolved(run, tool, args)) };
  return stored && { schema: stored, validate: compileJsonSchema(stored, "The schema of the arguments").validate };
}

/** The reason why arguments are not accepted. */
async function problemOf(
  { agent: { clock } }: Checking,
  { validate }: Accepts,
  args: unknown,
): Promise<string | undefined> {
  const limits = { name: "inputSchema", timeoutMs: decidingTimeoutMs, clock };
  const checked = await askUserCode(() => validate(args), limits);
  if (!checked.ok) return checked.error.message;
  return checked.value.ok ? undefined : said(checked.value);
}

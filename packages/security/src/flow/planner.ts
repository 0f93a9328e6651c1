import type { DroppedGrant, FlowRunStart, Grant, Mandate, ModelSpec, ResolvedTool } from "@bailiwick/core";

import { grantProblem } from "./check-grant.ts";
import type { FindTool, FlowState } from "./flow-state.ts";
import { argumentLeaves } from "./argument-leaves.ts";
import { composedProblem } from "./composed-wording.ts";
import { matchGrant } from "./grants.ts";
import { plannerSchema, readMandates } from "./planner-answer.ts";
import type { ToolRoles } from "./tool-roles.ts";
import { isOwnVoice } from "./tool-source.ts";

/** Maximum number of calls in one answer of the planner. */
const mostGrants = 32;

/** Inputs of the planner. */
export interface PlannerCall {
  readonly state: FlowState;
  readonly start: Pick<FlowRunStart, "callModel" | "instructions" | "tools"> & Partial<Pick<FlowRunStart, "keptPlans">>;
  readonly model: ModelSpec | undefined;
  readonly findTool: FindTool;
  /** The tool that first needs an answer. */
  readonly tool: ResolvedTool;
  /** The user's messages, oldest first. */
  readonly words: readonly string[];
  /** The newest message answers a question of the assistant, so that it continues the request before it. */
  readonly continues?: boolean | undefined;
  /** Milliseconds for which the answer is kept for later runs. Default: one day. */
  readonly ttlMs?: number | undefined;
}

/** The planner's answer about one tool. */
export interface Planned {
  readonly tool: string;
  readonly mandates: readonly Mandate[];
  /** The calls whose values the mandates fix. */
  readonly grants: readonly Grant[];
  /** The earlier run whose planner answered. */
  readonly plannedBy?: string | undefined;
  /** Mandates and grants that do not count. */
  readonly dropped?: readonly DroppedGrant[] | undefined;
  /** The planner gave no answer. */
  readonly failed?: true | undefined;
}

/** Instructions of the planner. */
const system = `You read what a user asked an assistant, the developer's instructions for it, and one of its tools. You see nothing that a tool returned. Say which calls of this tool the user's words ask for, as narrowly as they allow.
"asked": true if the newest message, alone or as the continuation of earlier ones, asks for a call of this tool.
"quote": the words that ask for it, copied letter by letter from one message.
"args": one form for each argument that the words decide: {"eq":value} if they fix it, {"oneOf":[values]} if they allow a few, {"max":number} for a limit, {"within":[from,to]} for a range of dates or numbers, {"composed":true} for free text that the assistant writes, never for recipients, amounts, ids, hosts or URLs. A path has a dot before a member and [] after a list. Leave out an argument that the words do not decide.
"also": further calls of this tool that the words ask for.
If they ask for none, answer {"asked":false,"quote":""}.`;

/** Time for which an answer is kept, in milliseconds, and for which one that asks for nothing is kept: a planner may err. */
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * [grants.planner] Asks the clean planner what the user's words say about one tool. It sees trusted text only, so that
 * nothing that was read can steer it.
 */
export async function planTool(call: PlannerCall): Promise<Planned> {
  const { start, state, findTool, tool, words } = call;
  const none = { tool: tool.name, mandates: [], grants: [] } as const;
  const answered = await answerOf(call, plannerPrompt(start.instructions(), words, tool, state.roles(tool)));
  const read = answered && readMandates(answered.answer, tool.name)?.slice(0, mostGrants);
  // A person is asked.
  if (answered === undefined || read === undefined) return { ...none, failed: true };
  const tools = start.tools();
  const dropped: DroppedGrant[] = [];
  const keep = (problem: string | undefined): boolean => {
    if (problem !== undefined) dropped.push({ tool: tool.name, problem });
    return problem === undefined;
  };
  const quotable = quotableWords(call, state.roles(tool).grave);
  const said = read.filter(
    ({ mandate, isListed }) =>
      !mandate.asked || isListed === true || keep(quoteProblem(mandate.quote, quotable, words)),
  );
  const possible = said
    .flatMap(({ grant }) => (grant === undefined ? [] : [grant]))
    .filter((grant) => keep(grantProblem(grant, tools)));
  const newest = { texts: words.slice(-1), grants: possible };
  const grants = possible.filter((grant) =>
    keep(
      composedProblem(grant, tools, state, newest) ??
        (wasUsed(grant, tool, state, findTool) ? "was used for an earlier message." : undefined),
    ),
  );
  const { runId } = answered;
  return {
    tool: tool.name,
    mandates: said.map(({ mandate }) => mandate),
    grants,
    ...(runId !== undefined && { plannedBy: runId }),
    ...(dropped.length > 0 && { dropped }),
  };
}

/** [grants.planner.quote] The messages that may be quoted: for a grave call the newest, and the one that it continues. */
function quotableWords({ words, continues }: PlannerCall, isGrave: boolean): readonly string[] {
  return isGrave ? words.slice(continues === true ? -2 : -1) : words;
}

/** [grants.planner.quote] Refuses a mandate whose quote the user did not write. */
function quoteProblem(quote: string, quotable: readonly string[], words: readonly string[]): string | undefined {
  const isIn = (text: string): boolean => spaced(text).includes(spaced(quote));
  if (spaced(quote) !== "" && quotable.some(isIn)) return undefined;
  if (spaced(quote) === "") return "quotes no words of the user.";
  return words.some(isIn)
    ? `quotes ${JSON.stringify(quote)}, which is in an earlier message only.`
    : `quotes ${JSON.stringify(quote)}, which the user did not write.`;
}

/** A text with single blanks. */
function spaced(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/gu, " ").trim();
}

/** Returns the planner's answer: the one that an earlier run kept, or a new one. [grants.planner.kept] */
async function answerOf(
  { start, model, tool, ttlMs = dayMs }: PlannerCall,
  prompt: string,
): Promise<{ readonly answer: unknown; readonly runId?: string | undefined } | undefined> {
  // Everything that the answer depends on: another model or other instructions ask again.
  const asked = JSON.stringify([
    system,
    plannerSchema,
    typeof model === "object" ? `${model.provider}/${model.modelId}` : model,
    prompt,
  ]);
  const plans = await start.keptPlans?.();
  const kept = await plans?.find(asked);
  if (kept !== undefined) return kept;
  try {
    const answer = await start.callModel({ purpose: "planner", model, system, prompt, schema: plannerSchema });
    const read = readMandates(answer, tool.name);
    if (read !== undefined)
      await plans?.keep(asked, answer, read.some(({ mandate }) => mandate.asked) ? ttlMs : Math.min(ttlMs, hourMs));
    return { answer };
  } catch {
    return undefined;
  }
}

/** [grants.planner.sees-only] Everything that the planner sees, in a fixed order. */
export function plannerPrompt(
  instructions: string,
  words: readonly string[],
  tool: ResolvedTool,
  roles: ToolRoles,
): string {
  const newest = words.at(-1) ?? "";
  return JSON.stringify({
    developer: instructions,
    tool: toolFacts(tool, roles),
    // The same words again have the same answer.
    earlierUserMessages: words.slice(0, -1).filter((text) => text !== newest),
    newestUserMessage: newest,
  });
}

/** A tool for the planner. A server's own text is left out: name and schema are pinned, the rest comes from the operator. */
function toolFacts(tool: ResolvedTool, roles: ToolRoles): Readonly<Record<string, unknown>> {
  const ownWords = isOwnVoice(tool);
  return {
    name: tool.name,
    ...(ownWords && { description: tool.description }),
    // [flow.guess] A tool that counts as a reader in this run also counts as one for the planner.
    effect: roles.guessedReader ? "read-only" : tool.__sideEffectClass,
    input: ownWords ? tool.__inputJsonSchema : withoutWords(tool.__inputJsonSchema),
    ...(tool.flow !== undefined && {
      authority: tool.flow.authority,
      payload: tool.flow.payload,
      egress: tool.flow.egress,
    }),
  };
}

/** Keywords of a schema that describe values. Any other keyword may contain text, whatever its name. */
const formKeywords: ReadonlySet<string> = new Set(
  (
    "type properties required additionalProperties items prefixItems enum const anyOf oneOf allOf $ref $defs definitions format " +
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems " +
    "patternProperties minProperties maxProperties"
  ).split(" "),
);

/** Members whose keys are names. */
const nameKeywords: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/** True if a name or value in a server's schema is not a sentence: short, and of two words at most. */
function isName(text: string): boolean {
  return text.length <= 64 && text.split(/\s+/u).length <= 2;
}

/** A schema without its free text: only the keywords for its form, and no name or value that could be a sentence. */
function withoutWords(schema: unknown, isNames = false): unknown {
  if (typeof schema === "string") return isName(schema) ? schema : undefined;
  if (Array.isArray(schema)) return schema.map((item) => withoutWords(item)).filter((item) => item !== undefined);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => (isNames ? isName(key) : formKeywords.has(key)))
      .map(([key, member]) => [key, withoutWords(member, !isNames && nameKeywords.has(key))]),
  );
}

/** [grants.planner.newest-message] A grant that an earlier message used up is not given again. */
function wasUsed(grant: Grant, tool: ResolvedTool, state: FlowState, findTool: FindTool): boolean {
  for (const call of state.callsById.values()) {
    // Fast path: a grant matches no call of another tool.
    if (call.toolName !== grant.tool) continue;
    if (!call.ran || call.userMessages >= state.userWords.length) continue;
    const leaves = argumentLeaves(tool, state.roles(tool), call.args);
    const earlier = { toolName: call.toolName, args: call.args, leaves, reach: () => true };
    if (matchGrant(grant, earlier, { calls: [...state.calls.values()], findTool }).matches) return true;
  }
  return false;
}

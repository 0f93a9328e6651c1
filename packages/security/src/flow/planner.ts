import type { DroppedGrant, FlowRunStart, Grant, ModelSpec, ResolvedTool } from "@bailiwick/core";

import { grantProblem } from "./check-grant.ts";
import type { FindTool, FlowState } from "./flow-state.ts";
import { argumentLeaves } from "./argument-leaves.ts";
import { composedProblem } from "./composed-wording.ts";
import { matchGrant } from "./grants.ts";
import { isPlan, plannerSchema, readGrants } from "./planner-answer.ts";
import type { ToolRoles } from "./tool-roles.ts";
import { isOwnVoice } from "./tool-source.ts";

/** Maximum number of grants in one answer of the planner. */
const mostGrants = 32;

/** Inputs of the planner. */
export interface PlannerCall {
  readonly state: FlowState;
  readonly start: Pick<FlowRunStart, "callModel" | "instructions" | "tools"> & Partial<Pick<FlowRunStart, "keptPlans">>;
  readonly model: ModelSpec | undefined;
  readonly findTool: FindTool;
  /** Milliseconds for which the answer is kept for later runs; by default it is not. */
  readonly ttlMs?: number | undefined;
}

/** Grants of the planner. */
export interface PlannedGrants {
  readonly grants: readonly Grant[];
  /** The earlier run whose planner answered. */
  readonly plannedBy?: string | undefined;
  /** Proposed grants that do not count. */
  readonly dropped?: readonly DroppedGrant[] | undefined;
  /** The planner gave no answer. */
  readonly failed?: true | undefined;
}

/** Instructions of the planner. */
const system = `You decide which tool calls are allowed in advance. You see what the developer and the user said, and which tools there are; you see nothing that any tool returned.
List the tool calls that the user's newest message asks for, as narrowly as the words allow, so that nothing else can be done in its name.
For each call give the tool, and for every argument one of:
- {"path":…,"eq":value} when the user's words fix the value;
- {"path":…,"oneOf":[values]} when they allow a few;
- {"path":…,"max":number} when they set a limit, {"path":…,"within":[from,to]} for a range of dates or numbers;
- {"path":…,"ref":{"tool":…,"args":[{"path":…,"value":…}],"path":…,"where":[{"path":…,"value":…}],"pick":"first|last|min|max"}} when the value is a field that another tool returns, such as the last amount. Read and select by trusted fields (trustedFields) where you can; other fields count only where exactly one record fits, and never for money, access or deletion. A condition may be {"path":…,"contains":"words"} instead of a value. With "times" and "plus" the number is computed: {"times":0.1} is a tenth of it, {"plus":-6} what is over 6;
  A path has a dot before a member and [] after a list: "units[].tenantId" is a field of each unit of a result, "attendees[]" each item of an argument. For a result without an output schema, write the field's name alone, such as "tenantId", as the arguments of the tools name it;
  "by":{"field":…,"pick":"max|min"} takes the record with the largest or smallest field, "of":"count" how many records fit, "of":"length" the length of a text, "each":true any of the values. A condition may also be {"path":…,"prefix":"text"}, and its path is "" in a list of plain values. Where text of others chooses the value, fix every other argument with "eq";
- {"path":…,"the":"url|email|iban|date|amount","in":{"tool":…,"args":[…],"where":[…]}} when the value is the only one of that form in a text that the user named, such as the link in the message of Bob; with "each":true any of them, and a "count", such as all links in a channel;
- {"path":…,"template":"Booking hotel {x}","holes":[{"name":"x","ref":{…}},{"name":"y","words":5}]} when the request dictates a text but for a few words. Prefer "eq" with the full text for short messages that the request dictates, and "template" over "composed" wherever one fits;
- {"path":…,"composed":true} for free text that the assistant has to write, such as a subject or body. Never for recipients, amounts, ids, hosts or URLs.
List under "from" the calls of the user's task that come before this one and return private data, when the user's words let this call draw on them. Put a condition of the user under "when". Give "count" when the user wants it done several times.
If a value is not fixed by the words of the user or developer, and no field of a tool gives it, leave the call out. Answer {"grants":[]} when nothing is asked for.`;

/**
 * [grants.planner] Asks the clean planner for the newest user message. It sees trusted text only, so that nothing that
 * was read can steer it.
 *
 * @returns Its grants; none when it fails or says nothing that can be used.
 */
export async function planGrants(call: PlannerCall): Promise<PlannedGrants> {
  const { start, state, findTool } = call;
  const answered = await answerOf(call, plannerPrompt(start.instructions(), state, start.tools()));
  // Without a plan a person is asked.
  if (answered === undefined || !isPlan(answered.answer)) return { grants: [], failed: true };
  const tools = start.tools();
  const newest = state.userWords.at(-1)?.texts ?? [];
  const dropped: DroppedGrant[] = [];
  /** Keeps the grants without a problem, and notes the problem of each other one. */
  const without = (proposed: readonly Grant[], problemOf: (grant: Grant) => string | undefined): readonly Grant[] =>
    proposed.filter((grant) => {
      const problem = problemOf(grant);
      if (problem !== undefined && dropped.length < mostGrants) dropped.push({ tool: grant.tool, problem });
      return problem === undefined;
    });
  const possible = without(readGrants(answered.answer), (grant) => grantProblem(grant, tools));
  const said = { texts: newest, grants: possible };
  const grants = without(
    possible,
    (grant) =>
      composedProblem(grant, tools, state, said) ??
      (tools.some((tool) => tool.name === grant.tool && wasUsed(grant, tool, state, findTool))
        ? "was used for an earlier message."
        : undefined),
  ).slice(0, mostGrants);
  const { runId } = answered;
  return { grants, ...(runId !== undefined && { plannedBy: runId }), ...(dropped.length > 0 && { dropped }) };
}

/** Returns the planner's answer: the one that an earlier run kept, or a new one. [grants.planner.kept] */
async function answerOf(
  { start, model, ttlMs }: PlannerCall,
  prompt: string,
): Promise<{ readonly answer: unknown; readonly runId?: string | undefined } | undefined> {
  // Everything that the answer depends on: another model or other instructions ask again.
  const asked = JSON.stringify([
    system,
    plannerSchema,
    typeof model === "object" ? `${model.provider}/${model.modelId}` : model,
    prompt,
  ]);
  const plans = ttlMs === undefined ? undefined : await start.keptPlans?.();
  const kept = await plans?.find(asked);
  if (kept !== undefined) return kept;
  try {
    const answer = await start.callModel({ purpose: "planner", model, system, prompt, schema: plannerSchema });
    // An empty plan is not stored: a nightly job would ask a person each time.
    if (ttlMs !== undefined && readGrants(answer).length > 0) await plans?.keep(asked, answer, ttlMs);
    return { answer };
  } catch {
    return undefined;
  }
}

/** [grants.planner.sees-only] Everything that the planner sees, in a fixed order. */
export function plannerPrompt(
  instructions: string,
  state: Pick<FlowState, "userWords" | "roles">,
  tools: readonly ResolvedTool[],
): string {
  const said = state.userWords.map(({ texts }) => texts.join("\n"));
  const newest = said.at(-1) ?? "";
  return JSON.stringify({
    developer: instructions,
    tools: tools.map((tool) => toolFacts(tool, state.roles(tool))),
    earlierUserMessages: said.slice(0, -1),
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
    output: ownWords ? tool.__outputJsonSchema : withoutWords(tool.__outputJsonSchema),
    ...(tool.flow !== undefined && {
      authority: tool.flow.authority,
      payload: tool.flow.payload,
      egress: tool.flow.egress,
    }),
    trustedFields: trustedFields(tool),
  };
}

function trustedFields(tool: ResolvedTool): unknown {
  if ((tool.output?.integrity ?? "untrusted") !== "untrusted") return "all";
  const fields = (tool.output?.fields ?? {}) as Readonly<Record<string, { readonly integrity: string } | undefined>>;
  return Object.keys(fields).filter((name) => fields[name]?.integrity !== "untrusted");
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
    const earlier = { toolName: call.toolName, args: call.args, leaves };
    if (matchGrant(grant, earlier, { calls: [...state.calls.values()], findTool }).matches) return true;
  }
  return false;
}

import type {
  Grant,
  GrantArgument,
  GrantReference,
  ModelSpec,
  Preflight,
  PreflightFinding,
  PreflightRequest,
  ResolvedTool,
  FlowExplanation,
} from "@bailiwick/core";

import { checkGrant } from "./check-grant.ts";
import { explainTools } from "./explain-tools.ts";
import { emptyFlowState, type FlowState } from "./flow-state.ts";
import { fieldIntegrity, outputReaders } from "./output-level.ts";
import { sinkReadersOf } from "./r4-confidentiality.ts";
import { isTrusted } from "./trusted.ts";
import { ownTexts } from "./fold-record.ts";
import { rolesToDecide } from "./guessed-roles.ts";
import { modeOf } from "./sinks.ts";
import { isWithin, normalPath } from "./paths.ts";
import { planTool, type Planned } from "./planner.ts";

/** Finds the questions that a run of an input may ask. Only the planner's model is called, once for each gated tool [flow.preflight]. */
export async function preflight(
  request: PreflightRequest,
  model: ModelSpec | undefined,
): Promise<Omit<Preflight, "usage">> {
  const { options, tools, input } = request;
  const given = [...(options.grants ?? []), ...request.grants];
  for (const grant of given) checkGrant(grant, tools);
  const isBound = modeOf(options) !== "off" && modeOf(options) !== "shadow";
  const state = emptyFlowState((tool) => rolesToDecide(() => tools, tool, options));
  state.userWords.push({ id: input.id, texts: ownTexts(input) });
  const explained = explainTools({ options, tools });
  const gated = isBound ? explained.filter((tool) => tool.gated) : [];
  let failure: string | undefined;
  const planned: Planned[] = [];
  for (const { name } of options.planner === false ? [] : gated) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) continue;
    planned.push(
      await planTool({
        state,
        model,
        tool,
        words: [ownTexts(input).join("\n")],
        findTool: (wanted) => tools.find((one) => one.name === wanted),
        start: {
          tools: () => tools,
          instructions: () => request.instructions,
          callModel: async (call) => {
            try {
              return await request.callModel(call);
            } catch (thrown) {
              failure = thrown instanceof Error ? thrown.message : String(thrown);
              throw thrown;
            }
          },
        },
      }),
    );
  }
  const mandates = planned.flatMap((one) => one.mandates);
  const grants = planned.flatMap((one) => one.grants);
  const all = [...given, ...grants];
  const ungranted = gated.filter(({ name, effect }) => effect === "writer" && all.every(({ tool }) => tool !== name));
  const findings = [
    ...(failure === undefined ? [] : [plannerFailed(failure)]),
    ...(isBound ? explained.flatMap(undeclared) : []),
    ...tools.filter((tool) => asksAlways(tool, request)).map(needsApproval),
    ...ungranted.map(withoutGrant),
    ...gated.flatMap((tool) =>
      all
        .filter((grant) => grant.tool === tool.name)
        .flatMap((grant) => [...openValues(grant, tool, tools), ...privateReads(grant, tool, { tools, state })]),
    ),
  ];
  return { mandates, grants, ungranted: ungranted.map(({ name }) => name), findings, code: grantCode(grants) };
}

function plannerFailed(message: string): PreflightFinding {
  return {
    reason: "planner_failed",
    sentence: `The planner proposed no grants, because its model call failed: ${message}`,
  };
}

function undeclared(tool: FlowExplanation): readonly PreflightFinding[] {
  if (tool.by !== "guessed" && tool.by !== "default") return [];
  const effect = tool.effect === "reader" ? "only reads" : "changes something";
  const sentence = `"${tool.name}" declares no effect and is taken for a tool that ${effect}. ${tool.why} Add the declaration if that is right.`;
  return [{ reason: "undeclared_tool", tool: tool.name, sentence, code: tool.declaration }];
}

function asksAlways(tool: ResolvedTool, request: PreflightRequest): boolean {
  return (tool.needsApproval !== undefined && tool.needsApproval !== false) || request.mayNeedApproval(tool.name);
}

function needsApproval({ name, needsApproval: needs }: ResolvedTool): PreflightFinding {
  const how = needs === true ? "each call waits" : "a call may wait";
  return {
    reason: "needs_approval",
    tool: name,
    sentence: `"${name}" needs an approval: ${how} for a person, even if a grant covers it. Change needsApproval or approval.policy if the task has to run alone.`,
  };
}

function withoutGrant(tool: FlowExplanation): PreflightFinding {
  const decides = tool.arguments.filter(({ role }) => role === "decides" || role === "sends").map(({ path }) => path);
  const values =
    decides.length === 0 ? "" : ` The request does not fix ${decides.map((path) => `"${path}"`).join(", ")}.`;
  return {
    reason: "no_grant",
    tool: tool.name,
    sentence: `No grant covers "${tool.name}".${values} Once the run has read untrusted text, a call waits for a person. Give a grant if the task needs the tool.`,
    code: grantToFill(tool),
  };
}

/** Arguments that a grant leaves open, and those whose data outsiders can write. */
function openValues(grant: Grant, tool: FlowExplanation, tools: readonly ResolvedTool[]): readonly PreflightFinding[] {
  const listed = Object.entries(grant.args).map(([path, argument]) => ({ path: normalPath(path), argument }));
  const required: unknown = tool.inputJsonSchema["required"];
  const open = tool.arguments.flatMap(({ path, role }): readonly PreflightFinding[] => {
    const own = normalPath(path);
    if (listed.some((one) => isWithin(own, one.path) || isWithin(one.path, own))) return [];
    const isRequired = Array.isArray(required) && required.includes(path);
    const effect = isRequired ? "so it covers no call" : "so a call with this argument waits for a person";
    const form = role === "payload" ? "{ composed: true }" : '{ oneOf: ["…"] }';
    const sentence = `The grant for "${tool.name}" does not list "${path}", ${effect}. Add it to the args of the grant if the task needs it.`;
    return [{ reason: "open_argument", tool: tool.name, path, sentence, code: `${JSON.stringify(path)}: ${form}` }];
  });
  const fromData = listed.flatMap(({ path, argument }): readonly PreflightFinding[] => {
    if ("the" in argument) return fromText(tool, path, argument);
    if (!("ref" in argument) || isDeclaredField(argument.ref, tools)) return [];
    return [fromField(tool, path, argument.ref)];
  });
  return [...open, ...fromData];
}

function fromText(
  tool: FlowExplanation,
  path: string,
  { the, in: source, each }: Extract<GrantArgument, { the: unknown }>,
): readonly PreflightFinding[] {
  const which = each === true ? "a" : "the only";
  const sentence = `"${path}" of "${tool.name}" is ${which} ${the} in a text of "${source.tool}". A call with another value waits for a person${graveNote(tool)}.`;
  return [{ reason: "undeclared_data", tool: tool.name, path, sentence }];
}

function fromField(tool: FlowExplanation, path: string, ref: GrantReference): PreflightFinding {
  // Items of a list are mostly meant to be several records.
  const hint = path.includes("[]") && ref.each !== true ? " Add each: true if the call may have each record." : "";
  return {
    reason: "undeclared_data",
    tool: tool.name,
    path,
    sentence: `"${path}" of "${tool.name}" is "${ref.path}" of "${ref.tool}", which others may write. A call waits for a person unless the list is complete and exactly one record fits${graveNote(tool)}.${hint} Declare the field on "${ref.tool}" if only you can write it.`,
    code: `output: { integrity: "untrusted", fields: { ${JSON.stringify(ref.path)}: { integrity: "verified" } } }`,
  };
}

function graveNote({ grave }: FlowExplanation): string {
  return grave ? ", and in any case because it is about money, access or destruction" : "";
}

function isDeclaredField(ref: GrantReference, tools: readonly ResolvedTool[]): boolean {
  const tool = tools.find(({ name }) => name === ref.tool);
  return tool !== undefined && isTrusted(fieldIntegrity(tool, normalPath(ref.path)));
}

/** Private results that a grant does not let its calls carry. */
function privateReads(
  grant: Grant,
  explained: FlowExplanation,
  { tools, state }: { readonly tools: readonly ResolvedTool[]; readonly state: FlowState },
): readonly PreflightFinding[] {
  const tool = tools.find(({ name }) => name === grant.tool);
  if (tool === undefined) return [];
  const { sets } = state.graph;
  const fixed = Object.entries(grant.args).flatMap(([path, one]) => ("eq" in one ? [[path, one.eq] as const] : []));
  const sink = sinkReadersOf(tool, state.roles(tool), Object.fromEntries(fixed), sets);
  const carried = new Set((grant.from ?? []).map((call) => call.tool));
  const unlisted = tools.filter(
    (one) =>
      one.name !== grant.tool &&
      one.__source.kind !== "built-in" &&
      one.__sideEffectClass !== "pure" &&
      !carried.has(one.name) &&
      !sets.covers(outputReaders(one, [taskOwner], sets), sink),
  );
  if (unlisted.length === 0) return [];
  const names = unlisted.map(({ name }) => JSON.stringify(name));
  return [
    {
      reason: "private_data",
      tool: explained.name,
      sentence: `Results of ${names.join(", ")} are private, and the grant for "${explained.name}" does not let a call carry them. After the run has read one, the call waits for a person. List under "from" the calls that the task draws on, or declare output: { readers: "public" } on those tools, where anyone may read the results.`,
      code: `from: [${names.map((name) => `{ tool: ${name} }`).join(", ")}]`,
    },
  ];
}

/** The user of the run, in place of the owner that the run will have. */
const taskOwner = "session:preflight";

/** Grants as code for the options of a run or of an agent. */
function grantCode(grants: readonly Grant[]): string {
  return grants.length === 0 ? "grants: []" : `grants: [\n${grants.map((grant) => `  ${literal(grant)},\n`).join("")}]`;
}

/** A grant for a tool with values left to fill in. */
function grantToFill(tool: FlowExplanation): string {
  const args = tool.arguments.map(
    ({ path, role }) => `${memberName(path)}: ${role === "payload" ? "{ composed: true }" : '{ oneOf: ["…"] }'}`,
  );
  return `{ tool: ${JSON.stringify(tool.name)}, args: {${args.length === 0 ? "" : ` ${args.join(", ")} `}} }`;
}

/** A JSON value as a TypeScript literal on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length === 0
    ? "{}"
    : `{ ${members.map(([key, member]) => `${memberName(key)}: ${literal(member)}`).join(", ")} }`;
}

function memberName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(key) ? key : JSON.stringify(key);
}

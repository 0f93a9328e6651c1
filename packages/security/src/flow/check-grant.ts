import { schemaHasPath } from "@bailiwick/core/extension";
import type { Grant, GrantArgument, GrantReference, ResolvedTool } from "@bailiwick/core";
import type { PathStep } from "@bailiwick/core/extension";

import { namesEgress } from "./egress-arguments.ts";
import { FlowOptionsError } from "./flow-errors.ts";
import { isWithin, normalPath, stepsOf, type Step } from "./paths.ts";
import { referenceProblem } from "./reference-form.ts";
import { rolesOf } from "./tool-roles.ts";

/**
 * Checks a grant against the tools of a run.
 *
 * @throws FlowOptionsError if it could never match, or would permit what a grant cannot permit.
 */
export function checkGrant(grant: Grant, tools: readonly ResolvedTool[]): void {
  const problem = grantProblem(grant, tools);
  if (problem !== undefined) throw new FlowOptionsError(`The grant for "${grant.tool}" ${problem}`);
}

/** The error of a grant, as the end of a sentence about it. */
export function grantProblem(grant: Grant, tools: readonly ResolvedTool[]): string | undefined {
  const tool = tools.find(({ name }) => name === grant.tool);
  if (tool === undefined) {
    return `names a tool that the agent does not have. It has ${tools.map(({ name }) => `"${name}"`).join(", ") || "none"}.`;
  }
  if (typeof grant.args !== "object" || grant.args === null) return "has no args. Write args: {} if there are none.";
  if (grant.count !== undefined && (!Number.isInteger(grant.count) || grant.count < 1)) {
    return `has count ${grant.count}. Use a whole number from 1.`;
  }
  for (const [path, argument] of Object.entries(grant.args)) {
    const problem = argumentProblem(tool, path, argument, tools);
    if (problem !== undefined) return problem;
  }
  for (const reference of grant.from ?? []) {
    if (typeof reference?.tool !== "string") return `has a "from" without a tool. Write from: [{ tool, args }].`;
  }
  return undefined;
}

const allKinds = ["eq", "oneOf", "max", "within", "ref", "template", "the", "composed"];

function argumentProblem(
  tool: ResolvedTool,
  path: string,
  argument: GrantArgument,
  tools: readonly ResolvedTool[],
): string | undefined {
  const steps = stepsOf(path);
  if (steps === undefined) return `lists "${path}", which is not a path. Write a.b, a[].b or ["a.b"].`;
  if (!schemaHasPath(tool.__inputJsonSchema, steps.map(asPathStep)))
    return `lists "${path}", which no call can have: it is not in the inputSchema. ${argumentsOf(tool)}`;
  const kinds = allKinds.filter((kind) => typeof argument === "object" && argument !== null && kind in argument);
  if (kinds.length !== 1) return `has no single form for "${path}". Give exactly one of ${allKinds.join(", ")}.`;
  if ("composed" in argument && mayNotCompose(tool, path)) {
    return `lets the model compose "${path}", which decides where data goes or what happens to whom. Fix it with eq or ref.`;
  }
  for (const reference of referencesOf(argument)) {
    if (tools.every(({ name }) => name !== reference.tool))
      return `refers to "${reference.tool}", a tool that the agent does not have.`;
    const problem = referenceProblem(reference);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** All references of an argument: its own, those of a template's holes, and the text that contains a value. */
function referencesOf(argument: GrantArgument): readonly (GrantReference | Omit<GrantReference, "path">)[] {
  if ("ref" in argument) return [argument.ref];
  if ("the" in argument) return [argument.in];
  if (!("template" in argument)) return [];
  return Object.values(argument.holes ?? {}).flatMap((hole) => ("ref" in hole ? [hole.ref] : []));
}

function asPathStep(step: Step): PathStep {
  return typeof step === "string" ? { key: step } : { items: true };
}

function argumentsOf({ __inputJsonSchema: schema }: ResolvedTool): string {
  const names = Object.keys(schema["properties"] ?? {});
  return `It has ${names.map((name) => `"${name}"`).join(", ") || "no arguments"}.`;
}

function mayNotCompose(tool: ResolvedTool, path: string): boolean {
  const normal = normalPath(path);
  const authority = (tool.flow?.authority ?? []).map(normalPath);
  return (
    authority.some((one) => isWithin(normal, one) || isWithin(one, normal)) ||
    namesEgress(normal) ||
    rolesOf(tool).declared.some(
      ({ path: one, role }) => role === "egress" && (isWithin(normal, one) || isWithin(one, normal)),
    )
  );
}

import { checkArgument } from "@bailiwick/core";
import type { CallReference, Grant, GrantArgument, GrantReference } from "@bailiwick/core";

/**
 * Writes the answer of a planner's model, for a script: grants in the form of an agent's options.
 *
 * @param grants - The grants that the planner proposes.
 * @returns the text that the model answers.
 * @example
 * ```ts
 * import { plannerAnswer, scriptedModel } from "@bailiwick/testing";
 *
 * export const planner = scriptedModel(() => plannerAnswer([{ tool: "close_ticket", args: { id: { eq: "77" } } }]));
 * ```
 */
export function plannerAnswer(grants: readonly Grant[]): string {
  checkArgument(grants, "array", "plannerAnswer(grants)");
  return JSON.stringify({
    grants: grants.map(({ tool, args, from, when, count }) => ({
      tool,
      args: Object.entries(args).map(([path, argument]) => ({ path, ...written(argument) })),
      from: (from ?? []).map((reference) => ({ tool: reference.tool, args: pairs(reference.args) })),
      when,
      count,
    })),
  });
}

function written(argument: GrantArgument): object {
  if ("ref" in argument) return { ref: reference(argument.ref) };
  if ("the" in argument)
    return { the: argument.the, in: reference(argument.in), ...(argument.each === true && { each: true }) };
  if (!("template" in argument)) return argument;
  const holes = Object.entries(argument.holes).map(([name, hole]) =>
    "ref" in hole ? { name, ref: reference(hole.ref) } : { name, ...hole },
  );
  return { template: argument.template, holes };
}

function reference<T extends CallReference & Pick<GrantReference, "where">>(given: T): object {
  return { ...given, args: pairs(given.args), where: conditions(given.where) };
}

function pairs(fields: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  return Object.entries(fields ?? {}).map(([path, value]) => ({ path, value }));
}

function conditions(fields: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  return Object.entries(fields ?? {}).map(([path, value]) =>
    typeof value === "object" && value !== null ? { path, ...value } : { path, value },
  );
}

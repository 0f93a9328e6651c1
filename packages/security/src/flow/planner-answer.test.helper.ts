import type { Grant } from "@bailiwick/core";

/** The planner's answer for some grants, in the planner's own form. */
export function plannerAnswer(grants: readonly Grant[]): string {
  return JSON.stringify({
    grants: grants.map(({ tool, args, from, when, count }) => ({
      tool,
      args: Object.entries(args).map(([path, argument]) =>
        "ref" in argument
          ? { path, ref: { ...argument.ref, args: pairs(argument.ref.args), where: conditions(argument.ref.where) } }
          : { path, ...argument },
      ),
      from: (from ?? []).map((reference) => ({ tool: reference.tool, args: pairs(reference.args) })),
      when,
      count,
    })),
  });
}

function pairs(fields: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  return Object.entries(fields ?? {}).map(([path, value]) => ({ path, value }));
}

function conditions(fields: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  return Object.entries(fields ?? {}).map(([path, value]) =>
    typeof value === "object" && value !== null ? { path, ...value } : { path, value },
  );
}

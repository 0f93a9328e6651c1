import { checkArgument } from "@bailiwick/core";
import type { CallReference, Grant, GrantArgument, GrantReference } from "@bailiwick/core";

import type { ScriptRequest } from "../script/script-request.ts";

/** A call that the planner says the user's words ask for. */
export interface PlannedCall extends Omit<Grant, "args"> {
  /** The values that the words allow. Default: they fix none. */
  readonly args?: Grant["args"] | undefined;
  /** The user's words that ask for the call. Default: the whole newest message. */
  readonly quote?: string | undefined;
}

/** The part of a request that the answer depends on. */
export interface PlannerRequest {
  /** The messages of the request. */
  readonly messages: readonly Pick<ScriptRequest["messages"][number], "text">[];
}

/**
 * Answers the requests of a planner in a script. A planner is asked about one tool at a time: the answer has the calls of
 * this tool, and says that the words ask for nothing if there are none.
 *
 * @param calls - The calls that the user's words ask for.
 * @returns a function for `scriptedModel()`.
 * @example
 * ```ts
 * import { plannerAnswer, scriptedModel } from "@bailiwick/testing";
 *
 * export const planner = scriptedModel(plannerAnswer([{ tool: "close_ticket", args: { id: { eq: "77" } } }]));
 * ```
 */
export function plannerAnswer(calls: readonly PlannedCall[]): (request: PlannerRequest) => string {
  checkArgument(calls, "array", "plannerAnswer(calls)");
  return ({ messages }) => {
    const { tool, newest } = askedAbout(messages.at(-1)?.text ?? "");
    const [first, ...others] = calls
      .filter((call) => call.tool === tool)
      .map(({ tool: _tool, args, quote = newest, from, ...more }) => ({
        quote,
        ...(args !== undefined && { args: writtenArguments(args) }),
        ...(from !== undefined && { from: from.map((one) => ({ tool: one.tool, args: pairs(one.args) })) }),
        ...more,
      }));
    if (first === undefined) return JSON.stringify({ asked: false, quote: "" });
    return JSON.stringify({ asked: true, ...first, ...(others.length > 0 && { also: others }) });
  };
}

/** The tool that a planner's request is about, and the user's newest message. */
function askedAbout(prompt: string): { readonly tool?: string | undefined; readonly newest: string } {
  try {
    const { tool, newestUserMessage = "" } = JSON.parse(prompt) as {
      readonly tool?: { readonly name?: string };
      readonly newestUserMessage?: string;
    };
    return { tool: tool?.name, newest: newestUserMessage };
  } catch {
    return { newest: "" };
  }
}

function writtenArguments(args: Grant["args"]): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(args).map(([path, argument]) => [path, written(argument)]));
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

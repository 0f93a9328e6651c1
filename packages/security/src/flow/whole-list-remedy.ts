import type { ResolvedTool } from "@bailiwick/core";

import type { CallView } from "./call-view.ts";
import type { decideCall } from "./decide-call.ts";
import type { FindTool } from "./flow-state.ts";
import { inOneLine } from "./one-line.ts";

/**
 * [questions.remedy] The remedy if a grant would cover the call, were its list known to be whole; `undefined` for any
 * other call.
 */
export function wholeListRemedy(call: CallView, findTool: FindTool, decide: typeof decideCall): string | undefined {
  const names = new Set([...call.state.calls.values()].map(({ toolName }) => toolName));
  for (const name of names) {
    const { grant } = decide(call, (each) => (each === name ? uncut(findTool(each)) : findTool(each)));
    if (grant === undefined) continue;
    return (
      `The ${grant.source}'s grant covers this call only if the list of "${inOneLine(name)}" is complete, because others can add records to it. ` +
      `Declare "output: { maxRows }" there, the number of rows at which the tool cuts a list, or return the number of all records as "total". Else approve this call.`
    );
  }
  return undefined;
}

/** A tool that never cuts its lists. */
function uncut(tool: ResolvedTool | undefined): ResolvedTool | undefined {
  if (tool?.output === undefined) return tool;
  return Object.create(tool, { output: { value: { ...tool.output, maxRows: Infinity } } }) as ResolvedTool;
}

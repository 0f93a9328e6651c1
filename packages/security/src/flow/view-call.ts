import type { FlowCall, FlowOptions, ResolvedTool } from "@bailiwick/core";

import type { CallView } from "./call-view.ts";
import { callId } from "./flow-state.ts";
import type { FlowState, ReadResult } from "./flow-state.ts";
import { joinLevels, nobody } from "./lattice.ts";
import type { Level, ReadersId } from "./lattice.ts";
import { referredIn, type Referred } from "./reference-text.ts";
import { sinkReadersOf } from "./r4-confidentiality.ts";
import { sinkOf } from "./sinks.ts";
import type { Sink } from "./sinks.ts";
import { argumentLeaves } from "./argument-leaves.ts";
import { segment } from "./paths.ts";
import type { ToolRoles } from "./tool-roles.ts";

/** Returns the name and tool of a call; both are `undefined` for an unknown call. */
export type FindCalledTool = (name: string | undefined) => ResolvedTool | undefined;

/** Collects everything that the decision about a call reads. */
export function viewCall(
  call: FlowCall,
  state: FlowState,
  options: FlowOptions,
  findTool: FindCalledTool,
  roles: ToolRoles = state.roles(call.tool),
  isStartAsked = true,
): CallView {
  const { tool } = call;
  // The schema is the developer's code: what it makes of the arguments is judged as the arguments.
  const given = call.given ?? call.args;
  const leaves = argumentLeaves(tool, roles, given);
  const emitted = state.emitted.get(call.turn);
  const context = emitted?.level ?? state.context.level;
  const referred = referredIn(leaves, state);
  const joined = joinReferred(context, referred, state);
  // [flow.workflow.planned] The developer asked for a node that the code always calls.
  const isPlanned = emitted?.choice && isStartAsked && emitted.choice.by === "code";
  const level: Level = isPlanned === true ? { ...joined, control: "verified" } : joined;
  const sink = sinkOf(tool, roles, leaves, options);
  return {
    id: callId(call.turn, call.index),
    tool,
    roles,
    args: given,
    value: call.args,
    setBySchema: new Set(call.setBySchema?.map(pathOf)),
    leaves,
    sink,
    options,
    context,
    level,
    isPlanned,
    branch: emitted?.choice?.branch,
    references: referred.map(({ toolName }) => sourceOf(toolName, state, findTool)),
    reads: readsBefore(emitted?.reads, state),
    sinkReaders: seenBy(sink, call, roles, state),
    state,
  };
}

function pathOf(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(
    (path, step) => (typeof step === "number" ? `${path}[${step}]` : segment(path, step)),
    "",
  );
}

/** The results in the model's input when it made the call; usually all of them. */
function readsBefore(count: number | undefined, { reads }: FlowState): readonly ReadResult[] {
  // Fast path: a long list is not copied.
  if (count === reads.length) return reads;
  return reads.slice(0, count);
}

function seenBy(sink: Sink, { tool, input }: FlowCall, roles: ToolRoles, state: FlowState): ReadersId {
  // Fast path: a read without a sink is decided without the whole view.
  if (sink === "open") return nobody;
  return sinkReadersOf(tool, roles, input, state.graph.sets);
}

/** A value that is referred to does not raise the control label: the model did not read it. */
function joinReferred(context: Level, referred: readonly Referred[], state: FlowState): Level {
  let level = context;
  for (const one of referred) level = joinLevels(level, { ...one.level, control: level.control }, state.graph.sets);
  return level;
}

function sourceOf(
  toolName: string | undefined,
  state: FlowState,
  findTool: FindCalledTool,
): CallView["references"][number] {
  const tool = findTool(toolName);
  return tool === undefined ? "source:unknown" : state.roles(tool).source;
}

import type { LabelId, LabelOrigin, Message, ToolMessage, ResolvedTool } from "@bailiwick/core";
import type { FlowState } from "./flow-state.ts";
import { principalsOf } from "./fold-record.ts";
import { hostedLabel, joinLabels, untrustedParts, type Labelling, type RecordOf } from "./labelling.ts";
import { everyone, joinLevels, sameLevel, systemLevel, trustOf, untrustedLevel, type Level } from "./lattice.ts";
import { bitsPerRun } from "./bits-per-run.ts";
import { bitsBesideMakings } from "./made-of.ts";
import { outcomeLevel } from "./output-level.ts";
import { isOwnVoice } from "./tool-source.ts";
import { notedReads, parentLevel } from "./r9-inherit.ts";
import { detectInjection } from "../sanitize/injection-signals.ts";

/** [flow.r2.all-messages] The join of all that the run starts with: the user's words, earlier runs, the caller's label. */
export function startLabel(event: RecordOf<"run.start">, labelling: Labelling): LabelId {
  const { state, parentLabel } = labelling;
  const { graph } = state;
  for (const [key, value] of Object.entries(event.sessionState ?? {})) state.counters.set(key, value);
  const principals = principalsOf(event);
  const nodes: LabelId[] = ["user"];
  if (parentLabel !== undefined) {
    nodes.push(
      graph.add(parentLevel(parentLabel, graph.sets), { kind: "parent", runId: event.parent?.runId ?? "" }, []),
    );
  }
  const marked = parentLabel !== undefined && trustOf(parentLabel) === "assumed" ? "assumed" : "untrusted";
  // The caller's label covers the text that it passes on.
  const { history, given = 0 } = event;
  const own = history.length - given;
  const isCalled = parentLabel !== undefined;
  for (const [index, message] of history.entries()) {
    if (event.unknownOrigins?.includes(index) === true)
      nodes.push(graph.add(untrustedLevel, { kind: "untrusted_part", messageId: message.id, index: 0 }, []));
    if (message.role === "user") nodes.push(...untrustedParts(message, state, marked));
    if (message.role === "tool" && !(isCalled && index >= own))
      nodes.push(earlierResult(message, argumentsIn(history, message), labelling, principals));
    if (message.role === "assistant") {
      for (const part of message.content)
        if (part.type === "hosted_tool") nodes.push(hostedLabel(part.toolName, state, principals));
    }
  }
  for (const message of event.input) nodes.push(...untrustedParts(message, state, marked));
  nodes.push(...definitionsRead(Object.keys(event.tools), labelling));
  return joinLabels([...nodes, ...earlierRuns(event, nodes, state)], state);
}

/**
 * Labels of server definitions that count as read: those that address the model, or all if the developer configured it.
 */
function definitionsRead(names: readonly string[], { state, options, findTool }: Labelling): readonly LabelId[] {
  return names
    .filter((toolName) => {
      const tool = findTool(toolName);
      if (tool === undefined || isOwnVoice(tool)) return false;
      return options.serverDefinitions === "untrusted" || speaksToModel(tool);
    })
    .map((toolName) => state.graph.add(untrustedLevel, { kind: "definition", toolName }, []));
}

/** Changes of a server during the run are read from here on. */
export function changedLabel({ tools }: RecordOf<"run.definition_changed">, labelling: Labelling): LabelId {
  return joinLabels(definitionsRead(tools, labelling), labelling.state);
}

/** Label of everything that the session's earlier runs have read, beyond their messages. */
function earlierRuns(event: RecordOf<"run.start">, said: readonly LabelId[], { graph }: FlowState): readonly LabelId[] {
  const levelOf = (id: LabelId): Level => graph.levelOf(id);
  const known = said.map(levelOf).reduce((a, b) => joinLevels(a, b, graph.sets));
  const read = notedReads(event.sessionState).reduce((level, { readers, ...noted }) => {
    const trust = trustOf(noted);
    return joinLevels(level, { integrity: trust, control: trust, readers: graph.sets.intern(readers) }, graph.sets);
  }, known);
  if (sameLevel(read, known)) return [];
  const readers = read.readers === known.readers ? everyone : read.readers;
  return [graph.add({ ...read, readers }, { kind: "session", sessionId: event.sessionId }, [])];
}

/** The arguments of the call that a result of the history belongs to. */
function argumentsIn(history: readonly Message[], { toolCallId }: ToolMessage): unknown {
  for (const message of history) {
    const call = message.role === "assistant" ? message.toolCalls.find(({ id }) => id === toolCallId) : undefined;
    if (call !== undefined) return call.input;
  }
  return undefined;
}

/** The value of a result: parsed if it is JSON. */
function outputOf({ content }: ToolMessage): unknown {
  if (typeof content !== "string") return undefined;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

/**
 * A result of an earlier run counts like its tool's results now; a result of an unknown tool is untrusted. One that is
 * made of nothing foreign adds nothing to what the session's runs had read, which the session's state says
 * [flow.r2.made-of].
 */
function earlierResult(
  message: ToolMessage,
  args: unknown,
  { state, options, findTool }: Labelling,
  principals: FlowState["principals"],
): LabelId {
  const { graph, counters } = state;
  const tool = findTool(message.toolName);
  const origin: LabelOrigin = { kind: "tool", toolName: message.toolName, toolCallId: message.toolCallId };
  if (tool === undefined)
    return graph.add({ ...untrustedLevel, readers: graph.sets.intern([...principals, "source:unknown"]) }, origin, []);
  const bits =
    options.lowCapacityLeaves === false || message.isError === true
      ? undefined
      : bitsBesideMakings(tool, outputOf(message), { args, isCount: counters.mayHaveBeen });
  if (bits !== undefined && bits <= bitsPerRun) return "user";
  const { level } = outcomeLevel(
    tool,
    {},
    {
      sets: graph.sets,
      argumentsLevel: systemLevel,
      principals,
      lowCapacityLeaves: false,
      bitsSpent: 0,
      guesses: false,
    },
  );
  return graph.add(level, origin, []);
}

const known = new WeakMap<ResolvedTool, boolean>();

/**
 * [sanitize.detection-raises] True if a server's tool definition contains instructions to the model. The model reads the
 * definition with every request, and it is untrusted. Finding nothing is not a reason to trust the server.
 */
function speaksToModel(tool: ResolvedTool): boolean {
  let found = known.get(tool);
  if (found === undefined) {
    const words = `${tool.description}\n${JSON.stringify(tool.__inputJsonSchema)}`;
    found = detectInjection(words, true).length > 0;
    // A cache: a definition does not change.
    known.set(tool, found);
  }
  return found;
}

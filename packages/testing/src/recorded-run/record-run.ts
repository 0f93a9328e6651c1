import { checkArgument } from "@bailiwick/core";
import type { AssistantMessage, JournalEvent, JournalEventOf } from "@bailiwick/core";
import { CassetteError } from "../cassette/cassette-error.ts";
import type { ScriptPart } from "../script/script-part.ts";
import type { ScriptStep } from "../script/script-step.ts";
import { isOfExecution, recordedCalls } from "./recorded-calls.ts";
import type { RecordedModelAnswer, RecordedToolResult, RunRecording } from "./run-recording.ts";

/**
 * Makes a recording of a run that ended, or waits for a person, from its journal: the answers of the model, the results of the tools, and the
 * decisions of people. The recording is JSON and holds the data of the run.
 *
 * @param events - The journal, in order: `(await agent.inspect(runId)).events`, or what `readJournal()` returns.
 * @throws CassetteError `CASSETTE_UNSUPPORTED` for a run that is driven, a sealed journal, and a run that was steered.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { recordRun, type RunRecording } from "@bailiwick/testing";
 *
 * export async function record(agent: Agent, runId: string): Promise<RunRecording> {
 *   return recordRun((await agent.inspect(runId)).events);
 * }
 * ```
 */
export function recordRun(events: readonly JournalEvent[]): RunRecording {
  checkArgument(events, "array", "recordRun(events)");
  const start = events.find((event) => event.type === "run.start");
  const end = events.findLast((event) => event.type === "run.end");
  if (events.some((event) => "sealed" in event))
    throw unsupported("its journal is sealed. Record it with the agent that has the key.");
  const input = start?.input.at(-1);
  if (start === undefined || input === undefined) throw unsupported("its journal has no beginning.");
  if (!Array.isArray(start.history))
    throw unsupported(
      "its records name the conversation and do not hold it, as store.load() returns them. Pass (await agent.inspect(runId)).events.",
    );
  if (end === undefined) throw unsupported("it has not ended, and does not wait. Wait until it does.");
  if (events.some((event) => event.type === "message.inserted" && (event.by === "steer" || event.by === "follow_up")))
    throw unsupported("messages were sent to it while it ran. Record a run without them.");
  const questioned = new Map(
    events.flatMap((event) =>
      event.type === "tool.approval.requested" ? [[event.interruption.id, event.interruption.toolCallId] as const] : [],
    ),
  );
  return {
    bailiwickRun: 1,
    agent: start.agentName,
    model: { provider: start.modelProvider, id: start.model },
    input,
    history: [...start.history, ...start.input.slice(0, -1)],
    ...(start.userId !== undefined && { userId: start.userId }),
    ...(start.tenantId !== undefined && { tenantId: start.tenantId }),
    metadata: start.metadata,
    ...(start.extraVars !== undefined && { extraVars: start.extraVars }),
    grants: events.flatMap((event) =>
      event.type === "flow.grants" && event.source === "developer" ? event.grants : [],
    ),
    answers: events.flatMap(answerOf),
    results: resultsOf(events),
    decisions: events.flatMap((event) => {
      if (event.type !== "tool.approval.decided" || event.via === "remembered") return [];
      const { id: decisionId, token: _token, ...decision } = event.decision;
      return [{ callId: questioned.get(decisionId) ?? event.toolCallId, decision }];
    }),
    expected: { stopReason: end.stopReason, text: end.text ?? "", calls: recordedCalls(events) },
  };
}

function answerOf(event: JournalEvent): readonly RecordedModelAnswer[] {
  if (event.type !== "model.result" || event.error !== undefined) return [];
  return [{ ...(event.purpose === "planner" && { planner: true as const }), step: stepOf(event.message, event) }];
}

function stepOf(message: AssistantMessage, { usage }: JournalEventOf<"model.result">): ScriptStep {
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  const parts = message.content.flatMap((part): readonly ScriptPart[] => {
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
    if (part.type === "reasoning") return part.text === "" ? [] : [{ type: "reasoning", text: part.text }];
    if (part.type === "refusal") return [{ type: "refusal", text: part.text }];
    if (part.type !== "tool_call") return [];
    const call = calls.get(part.toolCallId);
    if (call === undefined) return [];
    const args = typeof call.input === "object" && call.input !== null ? call.input : call.arguments;
    return [{ type: "tool_call", id: call.id, name: call.name, arguments: args }];
  });
  const { inputTokens, outputTokens } = usage;
  return {
    parts: parts.length === 0 ? [{ type: "text", text: "" }] : parts,
    usage: { inputTokens, outputTokens },
  };
}

function resultsOf(events: readonly JournalEvent[]): readonly RecordedToolResult[] {
  const writers = new Set<string>();
  const results: RecordedToolResult[] = [];
  for (const event of events) {
    if (event.type === "tool.intent") writers.add(event.toolCallId);
    else if (event.type === "tool.outcome" && (event.failure === undefined || isOfExecution(event.failure))) {
      const { toolName, output, contentParts, resultLabel, endRun, failure, childRun } = event;
      const label =
        resultLabel ?? (childRun?.label && { integrity: childRun.label.integrity, readers: childRun.label.readers });
      results.push({
        tool: toolName,
        callId: event.toolCallId,
        ...(output !== undefined && { output }),
        ...(contentParts !== undefined && { contentParts }),
        ...(label !== undefined && { label }),
        ...(endRun === true && { endRun }),
        ...(failure !== undefined && { error: failure.message }),
        ...(writers.has(event.toolCallId) && { writer: true as const }),
      });
    }
  }
  return results;
}

function unsupported(why: string): CassetteError {
  return new CassetteError("CASSETTE_UNSUPPORTED", `The run cannot be recorded: ${why}`);
}

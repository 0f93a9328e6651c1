import type { Integrity, JournalEvent, JournalEventOf } from "@bailiwick/core";
import { intentPurpose } from "./model-call.ts";
import type { StudioSpan } from "./view-types.ts";

type Draft = { -readonly [Key in keyof StudioSpan]: StudioSpan[Key] } & { records: number[] };

function noteAttempt(span: Draft | undefined, attempt: number): void {
  if (span !== undefined && attempt > 1) span.note = `attempt ${attempt}`;
}

function endTool(
  span: Draft,
  event: Extract<JournalEvent, { readonly type: "tool.outcome" }>,
  integrity: Integrity | undefined,
): void {
  // A call that waited for a person took effect after the answer.
  span.startAt = Math.max(span.startAt, event.at - (event.durationMs ?? 0));
  span.endAt = event.at;
  span.state = event.failure === undefined ? "good" : "bad";
  span.note = outcomeNote(event) ?? span.note;
  span.childRunId = event.childRun?.runId;
  span.costUsd = event.childRun?.costUsd;
  span.integrity = integrity;
}

/** Ends a call without an outcome: it was refused or cancelled before it ran. */
function endUnrun(span: Draft, event: Extract<JournalEvent, { readonly type: "tool.result" }>): void {
  span.endAt = event.at;
  span.state = event.result.isError ? "bad" : "good";
  span.note = event.result.error?.kind;
}

/**
 * The bars of a run's waterfall, in the order in which they began.
 *
 * @param events - The journal, in order.
 */
export function spansOf(events: readonly JournalEvent[]): readonly StudioSpan[] {
  const spans: Draft[] = [];
  const models = new Map<string, Draft>();
  const tools = new Map<string, Draft>();
  const waits = new Map<string, Draft>();
  const integrities = new Map<string, Integrity>();
  const add = (span: Draft): Draft => {
    spans.push(span);
    return span;
  };
  const toolOf = (event: { readonly toolCallId: string; readonly seq: number }): Draft | undefined => {
    const span = tools.get(event.toolCallId);
    span?.records.push(event.seq);
    return span;
  };
  const close = (key: string, at: number, seq: number, state: "good" | "bad" = "good", note?: string): void => {
    const span = waits.get(key);
    if (span === undefined || span.endAt !== undefined) return;
    span.endAt = at;
    span.state = state;
    span.records.push(seq);
    if (note !== undefined) span.note = note;
  };

  let before: JournalEvent | undefined;
  for (const event of events) {
    for (const { id, integrity } of event.labels ?? []) integrities.set(id, integrity);
    noteEnd(spans, event, before);
    before = event;
    switch (event.type) {
      case "model.intent":
        models.set(modelKey(event), add(modelSpan(event)));
        break;
      case "model.result":
        endModel(models.get(modelKey(event)) ?? add(modelSpan(event)), event, integrities);
        break;
      case "tool.call": {
        const span = add(toolSpan(event));
        tools.set(event.toolCallId, span);
        break;
      }
      case "tool.intent": {
        noteAttempt(toolOf(event), event.attempt);
        break;
      }
      case "tool.outcome": {
        const span = toolOf(event);
        if (span === undefined) break;
        endTool(span, event, integrities.get(event.label));
        break;
      }
      case "tool.result": {
        const span = tools.get(event.message?.toolCallId ?? event.result?.toolCallId ?? "");
        if (span === undefined) break;
        span.records.push(event.seq);
        if (span.endAt === undefined) endUnrun(span, event);
        break;
      }
      case "flow.decided":
      case "flow.lowered":
      case "secret.revealed":
      case "secret.denied":
      case "flow.extract":
        toolOf(event);
        break;
      case "child.suspended": {
        const span = toolOf(event);
        if (span !== undefined) span.childRunId = event.childRunId;
        waits.set(event.toolCallId, add(waitSpan(event, `${event.toolName} waits for a person`)));
        break;
      }
      case "tool.approval.requested":
      case "input.requested": {
        const { toolCallId, toolName } = event.interruption ?? { toolCallId: `${event.seq}`, toolName: "a call" };
        waits.set(toolCallId, add({ ...waitSpan(event, `A person is asked about ${toolName}`), toolCallId }));
        tools.get(toolCallId)?.records.push(event.seq);
        break;
      }
      case "tool.approval.decided":
        toolOf(event);
        close(
          event.toolCallId,
          event.at,
          event.seq,
          event.decision?.type === "reject" ? "bad" : "good",
          [event.decision?.type, event.decision?.decidedBy].filter((word) => word !== undefined).join(" by "),
        );
        break;
      case "child.decided":
      case "input.answered":
        close(event.toolCallId, event.at, event.seq);
        break;
      case "sleep.begun":
        waits.set(
          `sleep ${event.toolCallId}`,
          add({ ...waitSpan(event, `${event.toolName} sleeps`), kind: "sleep", toolCallId: event.toolCallId }),
        );
        break;
      case "sleep.ended":
        close(`sleep ${event.toolCallId}`, event.at, event.seq);
        break;
      default:
        break;
    }
  }
  return spans;
}

const crashTitle = "The process ended, another one continued";

/** Ends the bars that an end of the run, or of its process, leaves open; a process that ended has a separate bar. */
function noteEnd(spans: Draft[], event: JournalEvent, before: JournalEvent | undefined): void {
  if (event.type === "run.end" && event.status !== "suspended") endOpen(spans, event, () => true, "no result");
  // After a suspension the run begins again; otherwise its process ended in the middle of the work.
  if (event.type !== "run.resumed" || before === undefined || before.type === "run.end") return;
  endOpen(spans, event, ({ kind }) => kind === "model", "its process ended");
  spans.push({ ...waitSpan(before, crashTitle), id: `w${event.seq}`, kind: "crash", endAt: event.at, state: "bad" });
}

/** Ends open bars for which no record will come. */
function endOpen(spans: readonly Draft[], event: JournalEvent, fits: (span: Draft) => boolean, note: string): void {
  for (const span of spans) {
    if (span.endAt !== undefined || !fits(span)) continue;
    span.endAt = event.at;
    span.state = "bad";
    span.note = span.kind === "wait" ? span.note : note;
    span.records.push(event.seq);
  }
}

const modelKey = (event: JournalEventOf<"model.intent" | "model.result">): string =>
  JSON.stringify([event.turn, event.attempt, event.toolCallId, intentPurpose(event)]);

function modelSpan(event: JournalEventOf<"model.intent" | "model.result">): Draft {
  const purpose = event.purpose === undefined || event.purpose === "turn" ? undefined : event.purpose;
  const model = "model" in event ? event.model : undefined;
  return {
    id: `m${event.seq}`,
    kind: "model",
    title: model ?? "Model call",
    note: purpose?.replaceAll("_", " "),
    startAt: event.at,
    state: "open",
    turn: event.turn,
    records: [event.seq],
  };
}

function endModel(
  span: Draft,
  event: JournalEventOf<"model.result">,
  integrities: ReadonlyMap<string, Integrity>,
): void {
  // Sealed records have none of these.
  const { usage, message, error }: Partial<typeof event> = event;
  span.endAt = event.at;
  span.state = error === undefined ? "good" : "bad";
  span.costUsd = event.costUsd;
  span.inputTokens = usage?.inputTokens;
  span.outputTokens = usage?.outputTokens;
  span.cachedTokens = usage?.cachedTokens;
  span.reasoningTokens = usage?.reasoningTokens;
  span.integrity = integrities.get(event.label);
  if (error !== undefined) span.note = error.code;
  else if (span.note === undefined && message !== undefined && message.toolCalls.length > 0)
    span.note = `calls ${message.toolCalls.map(({ name }) => name).join(", ")}`;
  if (!span.records.includes(event.seq)) span.records.push(event.seq);
}

function toolSpan(event: JournalEventOf<"tool.call">): Draft {
  return {
    id: `t${event.seq}`,
    kind: "tool",
    title: event.toolName,
    startAt: event.at,
    state: "open",
    turn: event.turn,
    toolCallId: event.toolCallId,
    records: [event.seq],
  };
}

function waitSpan(event: JournalEvent, title: string): Draft {
  return { id: `w${event.seq}`, kind: "wait", title, startAt: event.at, state: "open", records: [event.seq] };
}

function outcomeNote(event: JournalEventOf<"tool.outcome">): string | undefined {
  if (event.failure !== undefined) return event.failure.kind;
  if (event.cached === true) return "from the cache";
  if (event.deduplicated === true) return "done before";
  return event.simulated === true ? "simulated" : undefined;
}

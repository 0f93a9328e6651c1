import { questionText } from "@bailiwick/core/questions";
import type { Decision, InterruptionData, JournalEventOf, RunEvent } from "@bailiwick/core";
import { secondId } from "../runs/second-id.ts";
import { clientCallId } from "../runs/client-call-id.ts";
import type { StepPart } from "./step-parts.ts";
import type { ToolErrorText } from "./tool-error-text.ts";
import type { UiChunk } from "./ui-chunk.ts";

/** A call as clients know it. */
interface ViewCall {
  readonly toolCallId: string;
  readonly toolName: string;
  input: unknown;
  /** A person has decided about it, so it can be shown as denied. */
  asked: boolean;
  /** The approval that waits on it. */
  openApproval: string | undefined;
  /** The output that a tool showed during its execution. */
  partial: string;
  /** The client runs it: clients do not see it before its gate has passed. */
  held: boolean;
}

/** Options of a writer of calls. */
interface CallWriterOptions {
  readonly write: (chunk: UiChunk) => void;
  readonly toolError: ToolErrorText;
  /** True for the question of a client tool that was answered before. */
  readonly isAnswered: (interruptionId: string) => boolean;
  /** Ids of suspicious questions that the page knows by the id of their second asking. */
  readonly secondIds: ReadonlySet<string>;
}

/** Writes the results of calls after the model requested them. */
export interface CallWriter {
  /** True while a call waits for an approval that its part shows, or for the client to run it. */
  readonly isAnsweredInChat: boolean;
  /** The model's n-th call of a turn. */
  place(place: string, toolCallId: string, toolName: string): void;
  /** Registers a call that the stream shows, or that is held until the client may run it. */
  shown(part: Extract<StepPart, { kind: "tool" }>, held: boolean): void;
  /** Asks the open ones of the suspicious questions once more: in a text, and as an approval with another id. */
  askAgain(ids: ReadonlySet<string>): void;
  /** Returns true if the event was about a call. */
  take(event: RunEvent): boolean;
}

/** Makes the writer of a run's calls. */
export function createCallWriter({ write, toolError, isAnswered, secondIds }: CallWriterOptions): CallWriter {
  const places = new Map<string, string>();
  const calls = new Map<string, ViewCall>();
  const questions = new Map<string, InterruptionData>();
  /** Ids of the questions that the client answers by running a call. */
  const openClientCalls = new Set<string>();

  const shownId = (id: string): string => (secondIds.has(id) ? secondId(id) : id);
  const at = (event: { readonly turn: number; readonly index: number }): ViewCall | undefined =>
    calls.get(places.get(`${event.turn}/${event.index}`) ?? "");
  const showInput = (call: ViewCall, input: unknown): void => {
    if (isSealed(input) || JSON.stringify(input) === JSON.stringify(call.input)) return;
    call.input = input;
    if (call.held) return;
    write({ type: "tool-input-available", toolCallId: call.toolCallId, toolName: call.toolName, input });
  };
  /** Shows a held call as one that the client does not run. */
  const reveal = (call: ViewCall): void => {
    if (!call.held) return;
    call.held = false;
    const { toolCallId, toolName, input } = call;
    write({ type: "tool-input-available", toolCallId, toolName, input, providerExecuted: true });
  };
  /** Lets the client run a call: chat clients call the page's code when they get the input. */
  const askClient = (toolCallId: string, { id, toolName, args }: InterruptionData): void => {
    const providerExecuted = isAnswered(id);
    if (!providerExecuted) openClientCalls.add(id);
    write({ type: "tool-input-available", toolCallId, toolName, input: args, providerExecuted });
  };
  const ask = (call: ViewCall | undefined, interruption: InterruptionData, reason: string): void => {
    if (questions.has(interruption.id)) return;
    questions.set(interruption.id, interruption);
    if (interruption.kind === "client_tool") {
      const callId = clientCallId(interruption);
      if (call?.toolCallId === callId) call.held = false;
      askClient(callId, interruption);
      return;
    }
    if (call !== undefined) reveal(call);
    // A part shows only one approval.
    if (interruption.kind !== "approval" || call === undefined || call.openApproval !== undefined) {
      writeQuestion(interruption, false, write);
      return;
    }
    call.openApproval = interruption.id;
    write({ type: "tool-approval-request", approvalId: shownId(interruption.id), toolCallId: call.toolCallId, reason });
  };
  const decided = (call: ViewCall | undefined, decision: Decision): void => {
    const interruption = questions.get(decision.id);
    // A remembered decision answers a question that was never asked.
    if (interruption === undefined) return;
    if (interruption.kind === "client_tool") {
      const { id: toolCallId, toolName } = interruption;
      openClientCalls.delete(toolCallId);
      if (decision.type === "answer") write({ type: "tool-output-available", toolCallId, output: decision.value });
      else write({ type: "tool-output-error", toolCallId, errorText: toolError(undefined, toolName) });
      return;
    }
    if (call === undefined || call.openApproval !== decision.id) {
      writeQuestion(interruption, true, write);
      return;
    }
    call.openApproval = undefined;
    const isOwn = interruption.toolCallId === call.toolCallId;
    call.asked ||= isOwn;
    if (isOwn && decision.type === "approve" && decision.args !== undefined) showInput(call, decision.args);
    const reason = decision.type === "reject" ? decision.reason : undefined;
    const approved = decision.type === "approve";
    write({
      type: "tool-approval-response",
      approvalId: shownId(decision.id),
      approved,
      ...(reason !== undefined && { reason }),
    });
  };
  const answered = (event: JournalEventOf<"input.answered">): void => {
    for (const question of questions.values()) {
      if (question.kind === "client_tool" && clientCallId(question) === event.toolCallId)
        openClientCalls.delete(question.id);
      if (
        question.kind === "question" &&
        question.toolCallId === event.toolCallId &&
        (question.answerKey ?? event.answerKey) === event.answerKey
      ) {
        writeQuestion(question, true, write);
      }
    }
  };
  const result = ({ result: settled, message }: JournalEventOf<"tool.result">): void => {
    const call = calls.get(settled.toolCallId);
    if (call === undefined) return;
    reveal(call);
    const { toolCallId, toolName } = call;
    if (!settled.isError) {
      write({ type: "tool-output-available", toolCallId, output: settled.output ?? message.content });
      return;
    }
    const { error } = settled;
    const wasDenied = error?.kind === "approval_denied" || error?.kind === "approval_expired";
    if (wasDenied && call.asked) write({ type: "tool-output-denied", toolCallId });
    else write({ type: "tool-output-error", toolCallId, errorText: toolError(error, toolName) });
  };

  return {
    get isAnsweredInChat(): boolean {
      if (openClientCalls.size > 0) return true;
      return [...calls.values()].some(({ openApproval }) => openApproval !== undefined);
    },
    place(place, toolCallId): void {
      places.set(place, toolCallId);
    },
    shown({ toolCallId, toolName, input }, held): void {
      const fresh = { asked: false, openApproval: undefined, partial: "" };
      calls.set(toolCallId, { toolCallId, toolName, input, ...fresh, held });
    },
    askAgain(ids): void {
      for (const { toolCallId, openApproval } of calls.values()) {
        const interruption = questions.get(openApproval ?? "");
        if (interruption === undefined || !ids.has(interruption.id)) continue;
        const approvalId = secondId(interruption.id);
        const reason = questionText(interruption);
        write({ type: "text-start", id: approvalId });
        write({ type: "text-delta", id: approvalId, delta: `${reason}\n\nApprove it again only if you checked this.` });
        write({ type: "text-end", id: approvalId });
        write({ type: "tool-approval-request", approvalId, toolCallId, reason });
      }
    },
    take(event): boolean {
      switch (event.type) {
        case "tool.call": {
          const call = at(event);
          if (call !== undefined && typeof event.args !== "string") showInput(call, event.args);
          return true;
        }
        case "tool.approval.requested":
        case "input.requested":
          ask(at(event), event.interruption, questionText(event.interruption));
          return true;
        case "child.suspended":
          for (const inner of event.interruptions) {
            ask(
              calls.get(event.toolCallId),
              inner,
              `${inner.agentPath.join(" › ")}, ${inner.toolName}: ${questionText(inner)}`,
            );
          }
          return true;
        case "tool.approval.decided":
          decided(at(event), event.decision);
          return true;
        case "child.decided":
          decided(calls.get(event.toolCallId), event.decision);
          return true;
        case "input.answered":
          answered(event);
          return true;
        case "tool.partial": {
          const call = calls.get(event.toolCallId);
          if (call === undefined) return true;
          call.partial += event.text;
          write({
            type: "tool-output-available",
            toolCallId: event.toolCallId,
            output: call.partial,
            preliminary: true,
          });
          return true;
        }
        case "tool.progress": {
          const { toolCallId, message, fraction, data } = event;
          write({ type: "data-tool-progress", data: { toolCallId, message, fraction, data }, transient: true });
          return true;
        }
        case "tool.result":
          result(event);
          return true;
        default:
          return false;
      }
    },
  };
}

function writeQuestion(interruption: InterruptionData, settled: boolean, write: (chunk: UiChunk) => void): void {
  const { token: _token, ...shown } = interruption;
  write({ type: "data-interruption", id: interruption.id, data: { interruption: shown, settled } });
}

function isSealed(input: unknown): boolean {
  return typeof input === "object" && input !== null && "$sealed" in input;
}

import type { ContentPart, Decision, Grant, Message, ResultLabel, UserMessage } from "@bailiwick/core";
import type { ScriptStep } from "../script/script-step.ts";

/** One answer of the model. */
export interface RecordedModelAnswer {
  /** The answer of the planner of grants, which is asked outside the conversation. */
  readonly planner?: true | undefined;
  /** The answer, as a step of a script. */
  readonly step: ScriptStep;
}

/** The result of one execution of a tool. */
export interface RecordedToolResult {
  /** Name of the tool. */
  readonly tool: string;
  /** The model's id of the call. */
  readonly callId: string;
  /** Output of the tool. */
  readonly output?: unknown;
  /** Images, files and audio of the result. */
  readonly contentParts?: readonly ContentPart[] | undefined;
  /** Label of the output. */
  readonly label?: ResultLabel | undefined;
  /** True if the tool ended the run. */
  readonly endRun?: true | undefined;
  /** Message of the error that the tool threw. */
  readonly error?: string | undefined;
  /** Set if the execution was preceded by an intent, so that the tool counts as a writer. */
  readonly writer?: true | undefined;
}

/** The decision of a person about one call. */
export interface RecordedDecision {
  /** The id of the call in its question. */
  readonly callId: string;
  /** The decision, without its id. */
  readonly decision: Omit<Decision, "id" | "token">;
}

/** One call of a tool, in the form in which two runs are compared. */
export interface RecordedToolCall {
  /** Name of the tool. */
  readonly tool: string;
  /** Arguments of the call. */
  readonly args: unknown;
  /** The answer of the person who was asked; `open` if no person answered. Absent if no person was asked. */
  readonly asked?: "approved" | "rejected" | "open" | undefined;
  /** `ok`; `failed` in the execution; the kind of a failure before it, such as `policy_denied`; `open` without a result. */
  readonly result: string;
}

/**
 * A run as data: the input, the answers of the model, the results of the tools and the decisions of people. `recordRun()`
 * makes one from a journal, and `replayRun()` plays it.
 */
export interface RunRecording {
  /** Version of the format. */
  readonly bailiwickRun: 1;
  /** Name of the agent. */
  readonly agent: string;
  /** Provider and id of the model. */
  readonly model: { readonly provider: string; readonly id: string };
  /** Input of the run. */
  readonly input: UserMessage;
  /** The conversation before the input. */
  readonly history: readonly Message[];
  /** The user who owns the run. */
  readonly userId?: string | undefined;
  /** The tenant that owns the run. */
  readonly tenantId?: string | undefined;
  /** The run's `metadata`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The run's `extraVars`. */
  readonly extraVars?: Readonly<Record<string, unknown>> | undefined;
  /** Grants of the run's options. */
  readonly grants: readonly Grant[];
  /** Answers of the model, in order. */
  readonly answers: readonly RecordedModelAnswer[];
  /** Results of the tools, in order. */
  readonly results: readonly RecordedToolResult[];
  /** Decisions of people, in order. */
  readonly decisions: readonly RecordedDecision[];
  /** The outcome with which a replay is compared. */
  readonly expected: {
    readonly stopReason: string;
    readonly text: string;
    readonly calls: readonly RecordedToolCall[];
  };
}

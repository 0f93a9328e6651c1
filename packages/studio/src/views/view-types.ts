import type {
  Decision,
  Integrity,
  InterruptionData,
  JournalEvent,
  Message,
  QueueDepth,
  RunCounts,
  StopReason,
  StoredRunState,
  ToolDefinition,
  ToolExplanation,
} from "@bailiwick/core";

/** A run as a list shows it. */
export interface StudioRun {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly userId?: string | undefined;
  readonly tenantId?: string | undefined;
  /** Run that made the call this run is inside of. */
  readonly parentRunId?: string | undefined;
  readonly state: StoredRunState;
  readonly stopReason?: StopReason | undefined;
  /** Beginning of the input; empty for a sealed one. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Earliest time at which a queued or sleeping run continues. */
  readonly dueAt?: number | undefined;
  readonly costUsd?: number | undefined;
  readonly tokens: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly tools: readonly string[];
  /** Questions that wait for a person. */
  readonly waiting: number;
  /** Number of records in its journal. */
  readonly records: number;
  /** Number of times that a lease on it expired without progress. */
  readonly attempts: number;
}

/** The error with which a run ended. */
export interface StudioFailure {
  readonly code: string;
  readonly message: string;
}

/** A failed run of the queue. */
export interface StudioFailedRun extends StudioRun {
  /** Absent in a sealed journal. */
  readonly failure?: StudioFailure | undefined;
}

/** One page of runs. */
export interface StudioRunPage {
  readonly runs: readonly StudioRun[];
  readonly next?: string | undefined;
}

/** One bar of a run's waterfall. */
export interface StudioSpan {
  readonly id: string;
  /** `crash`: the time between the last record of a process that ended and the first one of the next. */
  readonly kind: "model" | "tool" | "wait" | "sleep" | "crash";
  readonly title: string;
  /** Smaller text beside the title. */
  readonly note?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startAt: number;
  /** Absent if it is still open. */
  readonly endAt?: number | undefined;
  readonly state: "good" | "bad" | "open";
  readonly turn?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  readonly costUsd?: number | undefined;
  readonly toolCallId?: string | undefined;
  /** Run inside the call. */
  readonly childRunId?: string | undefined;
  readonly integrity?: Integrity | undefined;
  /** Sequence numbers of the records behind it. */
  readonly records: readonly number[];
}

/** A decision of a person, with the arguments before and after where they were edited. */
export interface StudioDecision {
  readonly seq: number;
  readonly at: number;
  readonly toolName: string;
  readonly type: Decision["type"];
  readonly decidedBy?: string | undefined;
  readonly channel?: string | undefined;
  /** `resume`, `inline`, `expired`. */
  readonly via: string;
  readonly reason?: string | undefined;
  readonly changes: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
}

/** A run with everything but its records. */
export interface StudioRunDetail {
  readonly run: StudioRun;
  readonly input: string;
  readonly answer: string;
  readonly error?: StudioFailure | undefined;
  readonly spans: readonly StudioSpan[];
  readonly children: readonly StudioRun[];
  readonly questions: readonly InterruptionData[];
  readonly decisions: readonly StudioDecision[];
  /** The journal is sealed, and the studio has no key. */
  readonly sealed: boolean;
  /** The studio has the agent of this run, so that decisions and forks can be driven. */
  readonly drivable: boolean;
  /** Reason why the code of the agent can't continue this run. */
  readonly problem?: string | undefined;
}

/** A record of a run with a sentence about it. */
export interface StudioRecord {
  readonly title: string;
  readonly event: JournalEvent;
}

/** A model call: its request, and its answer. */
export interface StudioModelCall {
  readonly seq: number;
  readonly turn: number;
  readonly model: string;
  readonly provider: string;
  readonly purpose?: string | undefined;
  readonly requestHash: string;
  readonly tools: readonly string[];
  /** The conversation before the call, rebuilt from the journal. */
  readonly messages: readonly Message[];
  /** Memories and summaries that were added to the conversation. */
  readonly notes: readonly string[];
  readonly response?: Extract<JournalEvent, { type: "model.result" }> | undefined;
}

/** The request of a model call, rebuilt from the journal and today's code. */
export interface StudioModelRequest {
  /** Its hash equals the recorded one, so it is the request that was sent. */
  readonly exact: boolean;
  /** Parts of the agent that are known to have changed since. */
  readonly changed: readonly string[];
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly settings: Readonly<Record<string, unknown>>;
  /** Messages that the compiler changed for the model: absent `after` was left out, absent `before` was added. */
  readonly compiled: readonly {
    readonly role: Message["role"];
    readonly before?: Message | undefined;
    readonly after?: Message | undefined;
  }[];
  readonly warnings: readonly string[];
}

/** A run as a file to save. */
export interface StudioExport {
  readonly name: string;
  readonly text: string;
}

/** A schedule that starts runs. */
export interface StudioSchedule {
  readonly id: string;
  readonly agentName: string;
  readonly cron: string | undefined;
  /** Time between two runs in milliseconds, for a schedule without `cron`. */
  readonly everyMs: number | undefined;
  readonly timezone: string | undefined;
  readonly paused: boolean;
  /** Milliseconds since the epoch; absent while it is paused. */
  readonly nextAt: number | undefined;
  readonly lastTickAt: number | undefined;
  readonly lastRunId: string | undefined;
}

/** A question with its run. */
export interface StudioQuestion {
  /** Person to whom it is assigned. */
  readonly assignee?: string | undefined;
  readonly run: StudioRun;
  readonly interruption: InterruptionData;
  readonly drivable: boolean;
}

/** One page of the questions that wait, newest run first. */
export interface StudioInbox {
  readonly questions: readonly StudioQuestion[];
  readonly next?: string | undefined;
}

/** A node of the flow picture. */
export interface FlowNode {
  readonly id: string;
  readonly column: "source" | "value" | "sink";
  readonly title: string;
  readonly note?: string | undefined;
  /** The call did not run, or waits for a person. */
  readonly isStopped?: boolean | undefined;
  readonly integrity: Integrity;
  /** Absent for everyone. */
  readonly readers?: readonly string[] | undefined;
  /** Sequence number of the record behind it. */
  readonly seq?: number | undefined;
  /** Text around the value in its source, as the policy quotes it. */
  readonly quote?: string | undefined;
}

/** An arrow of the flow picture. */
export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly integrity: Integrity;
  /** The value decides what happens to whom. */
  readonly decides: boolean;
}

/** A decision of the flow policy. */
export interface FlowDecision {
  readonly seq: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly verdict: "allow" | "ask" | "deny";
  /** Decision of the person who was asked; absent while the question is open. */
  readonly answer?: "approved" | "rejected" | undefined;
  readonly rule: string;
  /** One sentence: the effect of the call, or the decision. */
  readonly title: string;
  /** Sentences for people: why. */
  readonly reasons: readonly string[];
  /** The text of the policy, with the ids of rules and calls, for developers. */
  readonly explanation: string;
  readonly shadow: boolean;
  /** Code that makes the question unnecessary. */
  readonly remedies: readonly FlowRemedy[];
}

/** Code to copy: a grant for one call, or a declaration of a tool. */
export interface FlowRemedy {
  /** One sentence: the effect of the code. */
  readonly text: string;
  readonly code: string;
}

/** Flow of data through a run. */
export interface StudioAuthority {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly decisions: readonly FlowDecision[];
}

/** A tool with its explanation and numbers. */
export interface StudioTool {
  readonly agentId: string;
  readonly explanation: ToolExplanation;
  readonly calls: number;
  readonly errors: number;
  readonly rejections: number;
  /** Milliseconds. */
  readonly p50?: number | undefined;
  readonly p95?: number | undefined;
}

/** Tools of all agents. */
export interface StudioTools {
  readonly tools: readonly StudioTool[];
  /** Number of the newest runs that the statistics cover. */
  readonly overRuns: number;
  /** Agents whose tools could not be explained, with the reason. */
  readonly failures: readonly { readonly agentId: string; readonly message: string }[];
}

/** The queue of the store. */
export interface StudioQueue {
  readonly agents: readonly QueueDepth[];
  readonly stuck: readonly StudioRun[];
  readonly failed: readonly StudioFailedRun[];
  readonly sleeping: readonly StudioRun[];
  /** Runs that wait for a worker, newest first. */
  readonly queued: readonly StudioRun[];
  readonly schedules: readonly StudioSchedule[];
}

/** The instructions of an agent, with which the playground begins. */
export interface StudioPrompt {
  /** Absent for an agent whose instructions are a function of the run. */
  readonly text?: string | undefined;
  /** The system prompt of the newest run with such instructions, if there is one that can be rebuilt. */
  readonly newest?: { readonly runId: string; readonly text: string } | undefined;
}

/** The studio and the caller. */
export interface StudioInfo {
  /** Link back to the pages of the server that contains the studio. */
  readonly home?: { readonly url: string; readonly title: string } | undefined;
  readonly store: string;
  readonly agents: readonly string[];
  readonly userId?: string | undefined;
  readonly memory: boolean;
  /** The store keeps assignments of questions. */
  readonly assigns: boolean;
  /** Names of the models that the playground offers. */
  readonly models: readonly string[];
  readonly counts: RunCounts;
}

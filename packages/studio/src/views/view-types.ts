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
  /** Id of the run. */
  readonly runId: string;
  /** Name of the agent. */
  readonly agentId: string;
  /** Session that the run belongs to. */
  readonly sessionId: string;
  /** User of the run, if it has one. */
  readonly userId?: string | undefined;
  /** Tenant of the run, if it has one. */
  readonly tenantId?: string | undefined;
  /** Run that made the call this run is inside of. */
  readonly parentRunId?: string | undefined;
  /** State of the run in the store. */
  readonly state: StoredRunState;
  /** Reason for the end of the run; absent until then. */
  readonly stopReason?: StopReason | undefined;
  /** Beginning of the input; empty for a sealed one. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Earliest time at which a queued or sleeping run continues. */
  readonly dueAt?: number | undefined;
  /** Cost in US dollars; absent if no price is known. */
  readonly costUsd?: number | undefined;
  /** Input and output tokens of the run. */
  readonly tokens: number;
  /** Number of model calls. */
  readonly modelCalls: number;
  /** Number of tool calls. */
  readonly toolCalls: number;
  /** Names of the called tools, in order of their first call. */
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
  /** Code of the error, such as `MODEL_TIMEOUT`. */
  readonly code: string;
  /** Text of the error: what happened, and what to do. */
  readonly message: string;
}

/** A failed run of the queue. */
export interface StudioFailedRun extends StudioRun {
  /** Absent in a sealed journal. */
  readonly failure?: StudioFailure | undefined;
}

/** One page of runs. */
export interface StudioRunPage {
  /** The runs of this page, the newest first. */
  readonly runs: readonly StudioRun[];
  /** Position of the next page, for the query parameter `after`; absent on the last page. */
  readonly next?: string | undefined;
}

/** One bar of a run's waterfall. */
export interface StudioSpan {
  /** Id of the bar, unique within the run. */
  readonly id: string;
  /** `crash`: the time between the last record of a process that ended and the first one of the next. */
  readonly kind: "model" | "tool" | "wait" | "sleep" | "crash";
  /** Name of the model or tool, or the reason for waiting. */
  readonly title: string;
  /** Smaller text beside the title. */
  readonly note?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startAt: number;
  /** Absent if it is still open. */
  readonly endAt?: number | undefined;
  /** `good` if it succeeded, `bad` if it failed, `open` if it has not ended. */
  readonly state: "good" | "bad" | "open";
  /** Turn that it belongs to, from 1. */
  readonly turn?: number | undefined;
  /** Input tokens of a model call, including cached ones. */
  readonly inputTokens?: number | undefined;
  /** Input tokens that the vendor read from its cache. */
  readonly cachedTokens?: number | undefined;
  /** Output tokens of a model call, including reasoning. */
  readonly outputTokens?: number | undefined;
  /** Output tokens that the model used to reason. */
  readonly reasoningTokens?: number | undefined;
  /** Cost of a model call in US dollars; absent if the price is unknown. */
  readonly costUsd?: number | undefined;
  /** Id of the tool call. */
  readonly toolCallId?: string | undefined;
  /** Run inside the call. */
  readonly childRunId?: string | undefined;
  /** Trust in the result of a tool call. */
  readonly integrity?: Integrity | undefined;
  /** Sequence numbers of the records behind it. */
  readonly records: readonly number[];
}

/** A decision of a person, with the arguments before and after where they were edited. */
export interface StudioDecision {
  /** Sequence number of the record with the decision. */
  readonly seq: number;
  /** Time of the decision, in milliseconds since the epoch. */
  readonly at: number;
  /** Name of the tool whose call was decided. */
  readonly toolName: string;
  /** Kind of the decision, such as `approve` or `reject`. */
  readonly type: Decision["type"];
  /** Id of the person who decided, if the caller named one. */
  readonly decidedBy?: string | undefined;
  /** Place where the person decided, such as `studio`, if the caller named one. */
  readonly channel?: string | undefined;
  /** `resume`, `inline`, `expired`. */
  readonly via: string;
  /** The person's reason, if there is one. */
  readonly reason?: string | undefined;
  /** Arguments that the person edited, each with the value before and after. */
  readonly changes: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
}

/** A run with everything but its records. */
export interface StudioRunDetail {
  /** The run as a list shows it. */
  readonly run: StudioRun;
  /** Text of the user's input; empty if the journal is sealed and the studio has no key. */
  readonly input: string;
  /** Text of the last answer; empty if there is none. */
  readonly answer: string;
  /** Error of a failed run; absent otherwise. */
  readonly error?: StudioFailure | undefined;
  /** Bars of the waterfall, in order of their start. */
  readonly spans: readonly StudioSpan[];
  /** Runs inside the tool calls of this run. */
  readonly children: readonly StudioRun[];
  /** Open questions of the run. */
  readonly questions: readonly InterruptionData[];
  /** Decisions of people, in order. */
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
  /** One sentence about the record. */
  readonly title: string;
  /** The record as it is in the journal. */
  readonly event: JournalEvent;
}

/** A model call: its request, and its answer. */
export interface StudioModelCall {
  /** Sequence number of the record that began the call. */
  readonly seq: number;
  /** Turn of the call, from 1. */
  readonly turn: number;
  /** Id of the model, as requested. */
  readonly model: string;
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Purpose of a call outside the conversation, such as `planner`; absent for an answer. */
  readonly purpose?: string | undefined;
  /** Hash of the request that was sent. */
  readonly requestHash: string;
  /** Names of the tools that the model was offered. */
  readonly tools: readonly string[];
  /** The conversation before the call, rebuilt from the journal. */
  readonly messages: readonly Message[];
  /** Memories and summaries that were added to the conversation. */
  readonly notes: readonly string[];
  /** Record with the answer; absent if the call has none. */
  readonly response?: Extract<JournalEvent, { type: "model.result" }> | undefined;
}

/** The request of a model call, rebuilt from the journal and today's code. */
export interface StudioModelRequest {
  /** Its hash equals the recorded one, so it is the request that was sent. */
  readonly exact: boolean;
  /** Parts of the agent that are known to have changed since. */
  readonly changed: readonly string[];
  /** The system prompt. */
  readonly system: string;
  /** Messages of the request, as the model gets them. */
  readonly messages: readonly Message[];
  /** Tool definitions of the request. */
  readonly tools: readonly ToolDefinition[];
  /** Settings of the call, such as `temperature`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Messages that the compiler changed for the model: absent `after` was left out, absent `before` was added. */
  readonly compiled: readonly {
    readonly role: Message["role"];
    readonly before?: Message | undefined;
    readonly after?: Message | undefined;
  }[];
  /** Reasons why the request may differ from the one that was sent. */
  readonly warnings: readonly string[];
}

/** A run as a file to save. */
export interface StudioExport {
  /** Name of the file. */
  readonly name: string;
  /** Content of the file. */
  readonly text: string;
}

/** A schedule that starts runs. */
export interface StudioSchedule {
  /** Id of the schedule. */
  readonly id: string;
  /** Name of the agent whose runs it starts. */
  readonly agentName: string;
  /** The tenant of its runs. */
  readonly tenantId: string | undefined;
  /** The user of its runs. */
  readonly userId: string | undefined;
  /** Cron expression with five fields; `undefined` for a schedule with `everyMs`. */
  readonly cron: string | undefined;
  /** Time between two runs in milliseconds, for a schedule without `cron`. */
  readonly everyMs: number | undefined;
  /** IANA time zone of `cron`, such as `Europe/Berlin`. */
  readonly timezone: string | undefined;
  /** True while the schedule starts no runs. */
  readonly paused: boolean;
  /** Milliseconds since the epoch; absent while it is paused. */
  readonly nextAt: number | undefined;
  /** Time of its last start, in milliseconds since the epoch; `undefined` before the first. */
  readonly lastTickAt: number | undefined;
  /** Id of the run that it started last; `undefined` before the first. */
  readonly lastRunId: string | undefined;
}

/** A question with its run. */
export interface StudioQuestion {
  /** Person to whom it is assigned. */
  readonly assignee?: string | undefined;
  /** The run that waits for the answer. */
  readonly run: StudioRun;
  /** The question, as data. */
  readonly interruption: InterruptionData;
  /** True if the studio has the agent of the run, so that a decision continues the run. */
  readonly drivable: boolean;
}

/** One page of the questions that wait, newest run first. */
export interface StudioInbox {
  /** The questions of this page. */
  readonly questions: readonly StudioQuestion[];
  /** Position of the next page, for the query parameter `after`; absent on the last page. */
  readonly next?: string | undefined;
}

/** A tool with its explanation and numbers. */
export interface StudioTool {
  /** Name of the agent that has the tool. */
  readonly agentId: string;
  /** Classification of the tool, and the reasons for it. */
  readonly explanation: ToolExplanation;
  /** Number of calls in the newest runs. */
  readonly calls: number;
  /** Number of these calls that failed. */
  readonly errors: number;
  /** Number of these calls that a person rejected. */
  readonly rejections: number;
  /** Milliseconds. */
  readonly p50?: number | undefined;
  /** Duration that 95 % of the calls did not exceed, in milliseconds. */
  readonly p95?: number | undefined;
}

/** Tools of all agents. */
export interface StudioTools {
  /** Tools of all agents, each with its numbers. */
  readonly tools: readonly StudioTool[];
  /** Number of the newest runs that the statistics cover. */
  readonly overRuns: number;
  /** Agents whose tools could not be explained, with the reason. */
  readonly failures: readonly { readonly agentId: string; readonly message: string }[];
}

/** The queue of the store. */
export interface StudioQueue {
  /** Number of waiting runs by agent. Empty for a viewer who may not see all tenants. */
  readonly agents: readonly QueueDepth[];
  /** Runs that are not tried again because they crashed their process too often; at most 50. */
  readonly stuck: readonly StudioRun[];
  /** Failed runs with their errors, the newest first; at most 50. */
  readonly failed: readonly StudioFailedRun[];
  /** Runs that continue at a later time; at most 50. */
  readonly sleeping: readonly StudioRun[];
  /** Runs that wait for a worker, newest first. */
  readonly queued: readonly StudioRun[];
  /** Schedules that the viewer may see. */
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
  /** Name of the store. */
  readonly store: string;
  /** Names of the agents that the studio can drive. */
  readonly agents: readonly string[];
  /** Id of the caller, if the studio knows it. */
  readonly userId?: string | undefined;
  /** True if the store has memories. */
  readonly memory: boolean;
  /** The store keeps assignments of questions. */
  readonly assigns: boolean;
  /** Names of the models that the playground offers. */
  readonly models: readonly string[];
  /** Number of runs by state. */
  readonly counts: RunCounts;
}

import type { FlowOptions, Grant } from "../flow-options.ts";
import type { JournalEvent, JournalEventInput } from "../journal-event.ts";
import type { Integrity, Label, LabelId, Readers } from "../label.ts";
import type { Message, UserMessage } from "../message.ts";
import type { HostedTool, ModelSpec } from "../model-provider.ts";
import type { Warning } from "../model-response.ts";
import type { Owner } from "../owner.ts";
import type { Question } from "../question.ts";
import type { ResolvedTool } from "../resolved-tool.ts";
import type { Preflight } from "../preflight.ts";
import type { FlowExplanation } from "../tool-explanation.ts";
import type { ResultLabel } from "../tool-flow.ts";
import type { TextFilter } from "./text-filter.ts";

/** The decision of the flow policy about one call. */
export interface FlowDecision {
  /** `allow` runs the call, `ask` asks a person, `deny` refuses the call. */
  readonly verdict: "allow" | "ask" | "deny";
  /** Id of the rule that decided, such as `R3`. */
  readonly rule: string;
  /** The rule, the value, the value's source, and a grant or declaration that would allow the call. */
  readonly explanation: string;
  /** The decision is only recorded: the call continues. */
  readonly shadow?: boolean | undefined;
  /**
   * The policy asks because of what the model has read before, and about none of the arguments: a reader would run with
   * them, so the preview of the call is made.
   */
  readonly ofContext?: boolean | undefined;
  /** Index of the grant that allowed it; the intent of the call uses one count. */
  readonly grant?: number | undefined;
  /**
   * The given arguments with links of untrusted origin defanged (R6), when they changed: the tool's schema parses them
   * again, before anyone is asked. For arguments with references, the tool's input.
   */
  readonly input?: unknown;
  /**
   * Only the form of an argument keeps a planner's grant from covering the call: the model may correct it once, before
   * a person gets a question.
   */
  readonly correction?: boolean | undefined;
  /** The people who, for a denial, would see what the call sends. */
  readonly readers?: Readers | undefined;
  /** Stops the run as `policy_denied` after this denial (R10). The decision's record has it, so a resumed run stops too. */
  readonly stopRun?: boolean | undefined;
  /** The call is allowed by a rule that needs no explanation: the call's record names it, and no other record is written. */
  readonly plain?: boolean | undefined;
}

/** One gated call, for the policy. */
export interface FlowCall {
  /** Turn of the call, from 1. */
  readonly turn: number;
  /** Place of the call in its turn, from 0. */
  readonly index: number;
  /** Id of the call in the conversation. */
  readonly toolCallId: string;
  /** The called tool, with its declarations resolved. */
  readonly tool: ResolvedTool;
  /** The value as `execute` gets it. */
  readonly input: unknown;
  /** The value as JSON: what a person is shown. */
  readonly args: unknown;
  /** The arguments that the tool's schema made the value of: what grants and declared paths address. Default: `args`. */
  readonly given?: unknown;
  /** Places of the values in `args` that only the tool's schema set. */
  readonly setBySchema?: readonly (readonly (string | number)[])[] | undefined;
}

/** A label for a record, with the nodes that are new. */
export interface LabelAssignment {
  /** Id of the record's label. */
  readonly label: LabelId;
  /** Labels that the record introduces, because no earlier record has them. */
  readonly labels?: readonly Label[] | undefined;
}

/** A call of `extract`. */
export interface ExtractRequest {
  /** Id of the call of `extract`. */
  readonly toolCallId: string;
  /** Reference to the quarantined value, as the model passed it. */
  readonly ref: string;
  /** JSON Schema of the answer, as the model wrote it. */
  readonly schema: unknown;
  /** The model's question about the value. */
  readonly question?: string | undefined;
}

/** A call of `ctx.endorse`. */
export interface EndorseRequest {
  /** The call whose tool endorses the value. */
  readonly call: FlowCall;
  /** A reference, or the path of an argument that contains one. */
  readonly ref: string;
  /** Name of the validator, for the journal. */
  readonly validator: string;
  /** Returns the value as the validator reads it; it rejects with an `EndorsementError` if the validator does not accept it. */
  readonly validate: (value: unknown) => Promise<unknown>;
  /** The reason for the endorsement, for the journal. */
  readonly reason: string;
}

/** Data that the policy of a run passes to the policies of the runs inside its calls. */
export interface ParentFlow {
  /** Id of the outer call that the run is inside of. */
  readonly toolCallId: string;
  /** Bits that the outer run and the runs inside it share. */
  readonly bits: BitAccount;
  /**
   * Texts of the user of the outermost run, one for each message: the planner and the questions of an inner run read them
   * in place of its prompt, which a model may have written.
   */
  readonly userTexts: () => readonly string[];
  /**
   * True if a call of the outer run was asked for: nothing from outside was read before it, a person or a grant allowed
   * it, or it is a node that the code of a workflow always calls.
   *
   * @param toolCallId - Id of the call in the conversation.
   */
  readonly isPlanned: (toolCallId: string) => boolean;
}

/** The rest of a run's bits, and how inner runs spend them. */
export interface BitAccount {
  /** Bits that may still be spent: the limit minus all bits that were spent. */
  left(): number;
  /**
   * Adds the bits that an inner run has spent in total, if the budget allows the difference.
   *
   * @param spending - The call that started the inner run, and the bits that run has spent since its beginning.
   */
  spendInside(spending: {
    readonly toolCallId: string;
    readonly childRunId: string;
    readonly ref: string;
    /** Bits of the run inside, since its beginning. */
    readonly total: number;
  }): boolean;
}

/** A change of a value in the session's state. */
export interface StateChange {
  /** The value in the store; `undefined` if there was none. */
  readonly before: unknown;
  /** The new value. */
  readonly after: unknown;
}

/** Information flow of one run. Its state is a fold over the journal: `observe` gets every record, on load and live. */
export interface FlowRun {
  /**
   * Label of a record that is about to be written.
   *
   * @param event - The record, without number and time.
   */
  labelFor(event: JournalEventInput): LabelAssignment | undefined;
  /**
   * Adds a record to the state. Called once for each record, in order.
   *
   * @param event - The record, as stored.
   */
  observe(event: JournalEvent): void;
  /** Journals the grants that were given with the agent and the run, once, so that a resuming process has them too. */
  journalGrants(): void;
  /**
   * Decides one gated call, before a person gets a question. May run the clean planner through `model`.
   *
   * @param call - The tool, its validated input, and its place in the turn.
   */
  decide(call: FlowCall): FlowDecision | Promise<FlowDecision>;
  /**
   * Makes the question about a call, for the rule, tool or policy that asks; the runner adds the title.
   *
   * @param call - The tool, its validated input, and its place in the turn.
   */
  questionFor(call: FlowCall): Omit<Question, "title"> | Promise<Omit<Question, "title">>;
  /**
   * True if a remembered decision covers this call: same deciding values, and for an approval the same readers.
   *
   * @param call - The tool, its validated input, and its place in the turn.
   * @param remembered - The arguments of the earlier call, and what the person decided.
   */
  coversRemembered(call: FlowCall, remembered: { readonly args: unknown; readonly approved: boolean }): boolean;
  /** True if the run has to stop after the denials so far, by the policy or by a person (R10). */
  stopsAfterDenials(): boolean;
  /**
   * Returns the part of an outcome that the model may see when `quarantine` is on or the payload is secret.
   *
   * @param call - The call that has ended.
   * @param output - The tool's output.
   */
  quarantine(call: FlowCall, output: unknown): unknown;
  /**
   * True if the error of a call is hidden from the model, because it may contain what `quarantine` hides.
   *
   * @param call - The call that failed.
   */
  withholds(call: FlowCall): boolean;
  /**
   * Resolves `$ref`s in arguments at the boundary.
   *
   * @param args - Arguments as the model wrote them.
   */
  resolveReferences(args: unknown): unknown;
  /**
   * Reads a quarantined value for the model, in a form that the request bounds, within the run's bits.
   *
   * @param request - The reference, the question, and the JSON Schema of the answer.
   * @throws ToolError that the model may read: it does not describe the value.
   */
  extract(request: ExtractRequest): Promise<unknown>;
  /**
   * Raises a quarantined value to `verified` if a validator accepts it, and journals that.
   *
   * @param request - The reference, the validator, the reason, and the call whose tool asks.
   * @throws EndorsementError if the validator refuses or throws, or there is nothing to endorse: the label is
   *   unchanged.
   */
  endorse(request: EndorseRequest): Promise<unknown>;
  /**
   * Returns the labels that an approval of a call lowers, for its `flow.lowered` record.
   *
   * @param call - The turn and the index of the approved call.
   */
  loweredBy(call: Pick<FlowCall, "turn" | "index">): {
    readonly from: LabelId;
    readonly integrity: { readonly before: Integrity; readonly after: Integrity };
  };
  /** State that inner runs share with this one. */
  readonly forInside: Omit<ParentFlow, "toolCallId">;
  /**
   * The `fetch` of a call's tool: a tool that was only guessed to be a reader may not send after untrusted text was
   * read.
   *
   * @param call - The turn and the tool of the call.
   * @param send - The `fetch` that sends permitted requests.
   */
  fetchFor(call: Pick<FlowCall, "turn" | "tool">, send: typeof fetch): typeof fetch;
  /** Removes auto-fetching content and composed links from the answer (R8). */
  answerFilter(): TextFilter;
  /**
   * Join of the labels that the model has read, and of those behind a call's references: a child run starts with it,
   * and its output has it.
   *
   * @param toolCallId - The call whose references count too; default: none.
   * @param read - Labels of what the call has read until now: memories, and the input of runs inside it.
   */
  controlLabel(toolCallId?: string, read?: readonly Pick<Label, "integrity" | "readers" | "assumed">[]): Label;
  /**
   * Label of values that a tool call stores beside its result: its control label, joined with the trust in the tool's
   * results. Without a call, the control label.
   *
   * @param place - `state` for the session's state, `memory` for memories.
   * @param toolCallId - The call that stores; `undefined` for code outside of a call.
   * @param read - The label of results that the call read, if it declares one.
   * @param change - The change of one value of the state, if the label is for it alone.
   */
  storedLabel(
    place: "state" | "memory",
    toolCallId: string | undefined,
    read?: ResultLabel,
    change?: StateChange,
  ): Label;
}

/** Answers of the planner, stored for later runs of the same owner and agent definition. */
export interface KeptPlans {
  /**
   * The answer to a prompt, and the run that stored it; `undefined` if there is none, it expired, or it cannot be read.
   *
   * @param prompt - The whole prompt of the planner; another prompt has another plan.
   */
  find(prompt: string): Promise<{ readonly answer: unknown; readonly runId: string } | undefined>;
  /**
   * Stores the planner's answer to a prompt for `ttlMs` milliseconds.
   *
   * @param prompt - The whole prompt of the planner.
   * @param answer - The planner's answer, as JSON.
   * @param ttlMs - Time until the plan expires, in milliseconds.
   */
  keep(prompt: string, answer: unknown, ttlMs: number): Promise<void>;
}

/** Facts about a run for the flow policy. */
export interface FlowRunStart extends Owner {
  /** Id of the run. */
  readonly runId: string;
  /** The `flow` options of the agent and the run, joined. */
  readonly options: FlowOptions;
  /** Grants of the agent and of the run. */
  readonly grants: readonly Grant[];
  /** Returns the tools of the run. They may change between turns. */
  readonly tools: () => readonly ResolvedTool[];
  /** Returns the developer's instructions of the current turn. */
  readonly instructions: () => string;
  /** Returns the conversation so far. */
  readonly messages: () => readonly Message[];
  /** Id of the session that the run belongs to. */
  readonly sessionId: string;
  /** Appends a record of the policy to the run's journal. */
  readonly record: (event: JournalEventInput) => void;
  /** A journaled model call outside the conversation (planner, extract); counts towards the budget. */
  readonly callModel: (request: {
    readonly purpose: "planner" | "extract";
    readonly model?: ModelSpec | undefined;
    readonly system: string;
    readonly prompt: string;
    readonly schema: Readonly<Record<string, unknown>>;
    /** The tool call that needs it. */
    readonly toolCallId?: string | undefined;
    /** Cancels it after this many milliseconds; default: only the run's limits. */
    readonly timeoutMs?: number | undefined;
  }) => Promise<unknown>;
  /** Adds a warning to the output of the run, and logs it. */
  readonly warn: (warning: Warning) => void;
  /** Loaded if a run stores its plans. */
  readonly keptPlans: () => KeptPlans | Promise<KeptPlans>;
  /** Label that a parent run handed down. */
  readonly parentLabel?: Label | undefined;
  /** The call of another run that this run is inside of. */
  readonly parentFlow?: ParentFlow | undefined;
  /**
   * Set for the run of a workflow, whose model is a program: its answers say if the code or a value chose their calls.
   * `value`: its input is a value that the application passed. `message`: its input is a message, as for an agent.
   */
  readonly workflow?: "value" | "message" | undefined;
}

/** A task whose questions are searched for before it runs. */
export interface PreflightRequest extends Pick<FlowRunStart, "options" | "grants" | "callModel"> {
  /** Tools that the run will have. */
  readonly tools: readonly ResolvedTool[];
  /** The developer's instructions of the run. */
  readonly instructions: string;
  /** The user's message that starts the run. */
  readonly input: UserMessage;
  /** The agent's approval policy may ask about this tool. */
  readonly mayNeedApproval: (toolName: string) => boolean;
}

/** Information-flow policy of an agent. */
export interface FlowPort {
  /**
   * Checks an agent at construction and each run's catalogue.
   *
   * @param agent - The flow options, the tools, and the tools that the vendor runs.
   * @returns warnings about rules that stop nothing.
   * @throws FlowOptionsError
   */
  check(agent: {
    readonly options: FlowOptions;
    readonly tools: readonly ResolvedTool[];
    readonly hostedTools: readonly HostedTool[];
  }): readonly Warning[];
  /**
   * Explains each tool: its effect, and why.
   *
   * @param agent - The flow options, and the tools.
   */
  explain(agent: {
    readonly options: FlowOptions;
    readonly tools: readonly ResolvedTool[];
  }): readonly FlowExplanation[] | Promise<readonly FlowExplanation[]>;
  /**
   * Warnings about tools with missing declarations, one for each kind, and about grants that match no call; each once
   * for one `once`.
   *
   * @param agent - The flow options, the tools and the grants. Each warning is given once for one `once` object.
   */
  warnings(agent: {
    readonly options: FlowOptions;
    readonly tools: readonly ResolvedTool[];
    /** Grants of the run: they may name tools of a later handoff, so they are not refused. */
    readonly grants?: readonly Grant[] | undefined;
    readonly once?: object | undefined;
  }): readonly Warning[] | Promise<readonly Warning[]>;
  /**
   * Finds the questions that a run of an input may ask; only the planner's model is called.
   *
   * @param request - The options, tools and grants, and the message that would start the run.
   */
  preflight(request: PreflightRequest): Promise<Omit<Preflight, "usage">>;
  /**
   * Creates the policy of one run, or a promise of it if the policy has to be loaded first. A run waits for it.
   *
   * @param start - Options, grants and owner of the run, and functions that read its state.
   */
  begin(start: FlowRunStart): FlowRun | Promise<FlowRun>;
}

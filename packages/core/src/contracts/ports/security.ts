import type { ContentPart } from "../content-part.ts";
import type { FlowOptions, Grant } from "../flow-options.ts";
import type { InterruptionData } from "../interruption.ts";
import type { JournalEvent, JournalEventInput } from "../journal-event.ts";
import type { Key } from "../keys.ts";
import type { Integrity, Label, LabelId } from "../label.ts";
import type { Message, UserMessage } from "../message.ts";
import type { HostedTool, ModelSpec } from "../model-provider.ts";
import type { Warning } from "../model-response.ts";
import type { Question } from "../question.ts";
import type { ResolvedTool } from "../resolved-tool.ts";
import type { Preflight } from "../preflight.ts";
import type { FlowExplanation } from "../tool-explanation.ts";
import type { Endorser } from "../tool-context.ts";
import type { ResultLabel } from "../tool-flow.ts";
import type { InboundSanitizationPolicy } from "../vocabularies.ts";
import type { SandboxPort } from "./sandbox.ts";
import type { SecretAccess, SecretSource } from "./secrets.ts";

/** Rewrites text that arrives in pieces; `end` returns the text that was held back. */
export interface TextFilter {
  /** Takes the next piece of text, and returns the text that is final. */
  push(text: string): string;
  /** Ends the text, and returns the rest. */
  end(): string;
}

/** Secrets of one agent: access by tool call, substitution at egress, scrubbing of every output. */
export interface SecretsPort {
  /** @throws UnknownSecretError at registration, when no source declares the name. */
  check(toolName: string, names: readonly string[]): void;
  /** Resolves when the values of all checked names are known, so that `scrub` finds them; awaited before a run's first step. */
  ready(): Promise<void>;
  /** Access bound to one context object; `record` journals reveals and refusals. */
  accessFor(call: {
    readonly toolName: string;
    readonly toolCallId: string;
    readonly allowed: readonly string[];
    readonly record: (event: JournalEventInput) => void;
  }): { readonly secrets: SecretAccess; readonly fetch: typeof fetch };
  /**
   * Replaces every known value, raw and encoded, anywhere in a JSON-like value; returns the same value if it contains
   * none.
   */
  scrub<T>(value: T): T;
  /** Scrubs text that arrives in pieces. */
  textScrubber(): TextFilter;
  /** True if a value holds a known secret. */
  holdsSecret(value: unknown): boolean;
}

/** Makes a `SecretsPort` from an agent's source. */
export type SecretsFactory = (source: SecretSource) => SecretsPort;

/** The findings of a sanitizer, and the cleaned text. */
export interface Sanitized {
  /** The cleaned text or parts. */
  readonly content: string | readonly ContentPart[];
  /** Names of the patterns that were found; empty when clean. */
  readonly findings: readonly string[];
  /** The scan failed or ran out of time. */
  readonly failed?: boolean | undefined;
  /** The text before and after a framed text: shortening keeps both. */
  readonly frame?: readonly [before: string, after: string] | undefined;
}

/** Cleans foreign text before a model or a person reads it. */
export interface SanitizerPort {
  /** Treats a tool result; `nonce` marks this run's envelope. */
  inbound(
    content: string | readonly ContentPart[],
    options: { readonly policy: InboundSanitizationPolicy; readonly toolName: string; readonly nonce: string },
  ): Sanitized | Promise<Sanitized>;
  /** Makes a value safe to show in an approval, a log or a terminal. */
  display<T>(value: T): T;
}

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
  /** Index of the grant that allowed it; the intent of the call uses one count. */
  readonly grant?: number | undefined;
  /** The tool's input with links of untrusted origin defanged (R6), when it changed. */
  readonly input?: unknown;
  /**
   * Only the form of an argument keeps a planner's grant from covering the call: the model may correct it once, before
   * a person gets a question.
   */
  readonly correction?: boolean | undefined;
  /** Stops the run as `policy_denied` after this denial (R10). */
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
  /** Validated input. */
  readonly input: unknown;
  /** The arguments as JSON: what paths address. */
  readonly args: unknown;
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
  /** Function or schema that accepts or refuses the value. */
  readonly validator: Endorser;
  /** The reason for the endorsement, for the journal. */
  readonly reason: string;
}

/** Data that the policy of a run passes to the policies of the runs inside its calls. */
export interface ParentFlow {
  /** Id of the outer call that the run is inside of. */
  readonly toolCallId: string;
  /** Bits that the outer run and the runs inside it share. */
  readonly bits: BitAccount;
  /** Texts of the user, one for each message: a question of an inner run compares its values with them. */
  readonly userTexts: () => readonly string[];
}

/** The rest of a run's bits, and how inner runs spend them. */
export interface BitAccount {
  /** Bits that may still be spent: the limit minus all bits that were spent. */
  left(): number;
  /** Adds the bits that an inner run has spent in total, if the budget allows the difference. */
  spendInside(spending: {
    readonly toolCallId: string;
    readonly childRunId: string;
    readonly ref: string;
    /** Bits of the run inside, since its beginning. */
    readonly total: number;
  }): boolean;
}

/** Information flow of one run. Its state is a fold over the journal: `observe` gets every record, on load and live. */
export interface FlowRun {
  /** Label of a record that is about to be written. */
  labelFor(event: JournalEventInput): LabelAssignment | undefined;
  /** Adds a record to the state. Called once for each record, in order. */
  observe(event: JournalEvent): void;
  /** Journals the grants that were given with the agent and the run, once, so that a resuming process has them too. */
  journalGrants(): void;
  /** Decides one gated call, before a person gets a question. May run the clean planner through `model`. */
  decide(call: FlowCall): FlowDecision | Promise<FlowDecision>;
  /** Makes the question about a call, for the rule, tool or policy that asks; the runner adds the title. */
  questionFor(call: FlowCall): Omit<Question, "title"> | Promise<Omit<Question, "title">>;
  /** True if a remembered decision covers this call: same deciding values, and for an approval the same readers. */
  coversRemembered(call: FlowCall, remembered: { readonly args: unknown; readonly approved: boolean }): boolean;
  /** True if the run has to stop after the denials so far, by the policy or by a person (R10). */
  stopsAfterDenials(): boolean;
  /** Returns the part of an outcome that the model may see when `quarantine` is on or the payload is secret. */
  quarantine(call: FlowCall, output: unknown): unknown;
  /** True if the error of a call is hidden from the model, because it may contain what `quarantine` hides. */
  withholds(call: FlowCall): boolean;
  /** Resolves `$ref`s in arguments at the boundary. */
  resolveReferences(args: unknown): unknown;
  /**
   * Reads a quarantined value for the model, in a form that the request bounds, within the run's bits.
   *
   * @throws ToolError that the model may read: it does not describe the value.
   */
  extract(request: ExtractRequest): Promise<unknown>;
  /**
   * Raises a quarantined value to `verified` if a validator accepts it, and journals that.
   *
   * @throws EndorsementError if the validator refuses or throws, or there is nothing to endorse: the label is
   *   unchanged.
   */
  endorse(request: EndorseRequest): Promise<unknown>;
  /** Returns the labels that an approval of a call lowers, for its `flow.lowered` record. */
  loweredBy(call: Pick<FlowCall, "turn" | "index">): {
    readonly from: LabelId;
    readonly integrity: { readonly before: Integrity; readonly after: Integrity };
  };
  /** State that inner runs share with this one. */
  readonly forInside: Omit<ParentFlow, "toolCallId">;
  /**
   * The `fetch` of a call's tool: a tool that was only guessed to be a reader may not send after untrusted text was
   * read.
   */
  fetchFor(call: Pick<FlowCall, "turn" | "tool">, send: typeof fetch): typeof fetch;
  /** Removes auto-fetching content and composed links from the answer (R8). */
  answerFilter(): TextFilter;
  /**
   * Join of the labels that the model has read, and of those behind a call's references: a child run starts with it,
   * and its output has it.
   */
  controlLabel(toolCallId?: string): Label;
  /**
   * Label of values that a tool call stores beside its result: its control label, joined with the trust in the tool's
   * results. Without a call, the control label.
   */
  storedLabel(place: "state" | "memory", toolCallId: string | undefined, read?: ResultLabel): Label;
}

/** Answers of the planner, stored for later runs of the same owner and agent definition. */
export interface KeptPlans {
  /**
   * The answer to a prompt, and the run that stored it; `undefined` if there is none, it expired, or it cannot be read.
   */
  find(prompt: string): Promise<{ readonly answer: unknown; readonly runId: string } | undefined>;
  /** Stores the planner's answer to a prompt for `ttlMs` milliseconds. */
  keep(prompt: string, answer: unknown, ttlMs: number): Promise<void>;
}

/** Facts about a run for the flow policy. */
export interface FlowRunStart {
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
  /** Tenant of the run, if it has one. */
  readonly tenantId?: string | undefined;
  /** User of the run, if it has one. */
  readonly userId?: string | undefined;
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
  /** Loaded if a run stores its plans. */
  readonly keptPlans: () => KeptPlans | Promise<KeptPlans>;
  /** Label that a parent run handed down. */
  readonly parentLabel?: Label | undefined;
  /** The call of another run that this run is inside of. */
  readonly parentFlow?: ParentFlow | undefined;
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
   * @returns warnings about rules that stop nothing.
   * @throws FlowOptionsError
   */
  check(agent: {
    readonly options: FlowOptions;
    readonly tools: readonly ResolvedTool[];
    readonly hostedTools: readonly HostedTool[];
  }): readonly Warning[];
  /** Explains each tool: its effect, and why. */
  explain(agent: {
    readonly options: FlowOptions;
    readonly tools: readonly ResolvedTool[];
  }): readonly FlowExplanation[] | Promise<readonly FlowExplanation[]>;
  /**
   * Warnings about tools with missing declarations, one for each kind, and about grants that match no call; each once
   * for one `once`.
   */
  warnings(agent: {
    readonly options: FlowOptions;
    readonly tools: readonly ResolvedTool[];
    /** Grants of the run: they may name tools of a later handoff, so they are not refused. */
    readonly grants?: readonly Grant[] | undefined;
    readonly once?: object | undefined;
  }): readonly Warning[] | Promise<readonly Warning[]>;
  /** Finds the questions that a run of an input may ask; only the planner's model is called. */
  preflight(request: PreflightRequest): Promise<Omit<Preflight, "usage">>;
  /** Creates the policy of one run, or a promise of it if the policy has to be loaded first. A run waits for it. */
  begin(start: FlowRunStart): FlowRun | Promise<FlowRun>;
}

/** Signs approvals that leave the process, and journal heads. */
export interface ApprovalSigner {
  /** Returns a token that is valid for exactly this question. */
  sign(interruption: Omit<InterruptionData, "token">): string;
  /** Returns `true` if the token was made for exactly this question. */
  verify(interruption: InterruptionData, token: string): boolean;
}

/** Seals values that must not be readable at rest. */
export interface Sealer {
  /**
   * Returns the value in sealed form.
   *
   * @param value - Any JSON value.
   * @param place - The record or field of the value; the value opens only there.
   */
  seal(value: unknown, place?: string): Promise<{ readonly $sealed: string }>;
  /** Rejects if the key or the place differs, or the value was changed. */
  open(sealed: { readonly $sealed: string }, place?: string): Promise<unknown>;
}

/** A file that was downloaded. */
export interface DownloadedFile {
  /** Content of the file. */
  readonly bytes: Uint8Array;
  /** Media type as the server declares it. */
  readonly type?: string | undefined;
}

/** Everything that `@bailiwick/security` adds. A tool that needs a missing port is refused at registration. */
export interface SecurityPorts {
  /** Gives tools their secrets, and removes known values from the output of tools. */
  readonly secrets?: SecretsFactory | undefined;
  /** Cleans untrusted text before the model reads it. */
  readonly sanitizer?: SanitizerPort | undefined;
  /** Decides each call by the labels of its values. */
  readonly flow?: FlowPort | undefined;
  /** Runs the code of tools in sandboxes. */
  readonly sandbox?: SandboxPort | undefined;
  /** Downloads a file at an address that a message names; refuses an address that is not public. */
  readonly download?: ((url: string, signal: AbortSignal) => Promise<DownloadedFile>) | undefined;
  /** Makes a signer. With a list of keys, the first signs, and a signature by any of them is accepted. */
  readonly signer?: ((key: Key | readonly Key[]) => ApprovalSigner) | undefined;
  /** Makes a sealer. With a list of keys, the first seals, and every key opens. */
  readonly sealer?: ((key: Key | readonly Key[]) => Sealer) | undefined;
}

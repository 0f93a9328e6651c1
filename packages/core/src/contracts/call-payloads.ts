import type { DroppedGrant, Grant, Mandate } from "./flow-options.ts";
import type { Decision, InterruptionData } from "./interruption.ts";
import type { JsonValue } from "./json.ts";
import type { Integrity, Label, LabelId, Readers } from "./label.ts";
import type { ToolMessage } from "./message.ts";
import type { RememberedDecision } from "./remembered-decision.ts";
import type { ResultLabel } from "./tool-flow.ts";
import type { AgentUsage } from "./run-output.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { ContentPart } from "./content-part.ts";
import type { ChangedValue, ToolCallResult, ToolFailure } from "./tool-call-result.ts";
import type { SideEffectClass } from "./vocabularies.ts";

/** The place of a call in its run. */
interface CallPlace {
  readonly turn: number;
  readonly index: number;
}

interface Call extends CallPlace {
  readonly toolCallId: string;
}

interface CalledTool extends Call {
  readonly toolName: string;
}

/** Fields of the journal events of a tool call, from its gate to its result, without those of every record. */
export interface CallPayloads {
  /** A call was judged or refused; a second record has the value that took the place of the first. */
  "tool.call": CalledTool & {
    /**
     * The one value of the call, as JSON: what the tool's schema made of the arguments, shown to people and given to
     * `execute`. A reference stays a reference, and a date has its JSON form. The raw text if it did not validate.
     */
    readonly args: unknown;
    /** The arguments that the schema made `args` of, if they differ. */
    readonly given?: unknown;
    /** From 2 on: the tool made another value of the same arguments, or of an edit, before anything ran. */
    readonly round?: number | undefined;
    readonly argsHash: string;
    readonly definitionHash: string;
    /**
     * The verdict of the tool's predicate and the approval policy, which run once per call. Absent if the gate failed
     * earlier.
     */
    readonly needsApproval?: boolean | undefined;
    /**
     * The rule by which the flow policy allowed the call, such as `R1`, if the decision needs no other details. Any
     * other decision is a `flow.decided` record.
     */
    readonly allowedBy?: string | undefined;
  };
  "tool.approval.requested": CallPlace & { readonly interruption: InterruptionData };
  "tool.approval.decided": CalledTool & {
    readonly decision: Decision;
    /** `inline`, `resume`, `remembered`, `expired`, `timeout` … */
    readonly via: string;
    /** Values that the person changed, as shown to the person. */
    readonly changes?: readonly ChangedValue[] | undefined;
    readonly argsHash: string;
    readonly definitionHash: string;
  };
  /** Written and synced before a writer runs. */
  "tool.intent": CalledTool & {
    readonly argsHash: string;
    readonly attempt: number;
    readonly sideEffectClass: SideEffectClass;
    readonly idempotencyKey?: string | undefined;
    /**
     * Hash of the tool's input: the arguments as its schema parsed them. A keyed call is only repeated with the same
     * input. Absent without a key, and for values that have no canonical form.
     */
    readonly inputHash?: string | undefined;
    /** The interruption whose approval this execution uses up. */
    readonly approvalId?: string | undefined;
    /** Index of the grant whose count this execution uses up. */
    readonly grant?: number | undefined;
  };
  /** Written right after `execute`, scrubbed and labelled; presentation comes after it. */
  "tool.outcome": CalledTool & {
    readonly attempt: number;
    readonly output?: unknown;
    readonly contentParts?: readonly ContentPart[] | undefined;
    readonly details?: unknown;
    readonly resultLabel?: ResultLabel | undefined;
    readonly endRun?: boolean | undefined;
    /** The call, or a run inside it, needed a person, and `flow.unattended` is `fail`: the run ends after this turn. */
    readonly unattended?: boolean | undefined;
    readonly failure?: ToolFailure | undefined;
    readonly deduplicated?: boolean | undefined;
    readonly cached?: boolean | undefined;
    readonly simulated?: boolean | undefined;
    /** A fake of the run gave the output or the failure: the tool was not executed. */
    readonly faked?: boolean | undefined;
    readonly durationMs: number;
    /** Usage of the runs that the tool started itself, by agent. */
    readonly inside?: readonly AgentUsage[] | undefined;
    /** The child run, when the tool is an agent. */
    readonly childRun?:
      | {
          readonly runId: string;
          readonly usage: TokenUsage;
          readonly costUsd?: number | undefined;
          /** The same usage by agent. */
          readonly byAgent?: readonly AgentUsage[] | undefined;
          /** Join of the labels that the inner run has read; without it the output is untrusted. */
          readonly label?: Label | undefined;
          /** Decisions inside the inner run that people made for later calls too. */
          readonly remembered?: readonly RememberedDecision[] | undefined;
          /** The session's state, as changed by the agent that took over the conversation. */
          readonly sessionState?: Readonly<Record<string, JsonValue>> | undefined;
        }
      | undefined;
  };
  /** The one result of a call, as the model reads it. */
  "tool.result": CallPlace & {
    readonly message: ToolMessage;
    readonly result: ToolCallResult;
    /** The blob with the whole result if it was too long to show; deleted with the run. */
    readonly spilled?: string | undefined;
    /** Findings of the sanitizer in the result, or its failed scan: the flow policy lowers the trust of the result. */
    readonly findings?: readonly string[] | undefined;
  };
  /** The decision of the flow policy, recorded if it says more than the rule that allowed the call. */
  "flow.decided": CalledTool & {
    readonly verdict: "allow" | "ask" | "deny";
    readonly rule: string;
    readonly explanation: string;
    /** The decision is only recorded, not enforced. */
    readonly shadow?: boolean | undefined;
    /** The policy asks because of what the model has read before, and about none of the arguments. */
    readonly ofContext?: boolean | undefined;
    /** Not a denial: the model may correct the form of the call. */
    readonly correction?: boolean | undefined;
    /** The people who, for a denial, would see what the call sends. */
    readonly readers?: Readers | undefined;
    /** The run stops as `policy_denied` after the turn of this denial. */
    readonly stopRun?: boolean | undefined;
    readonly grant?: number | undefined;
    /** The tool's input as the policy changed it. */
    readonly input?: unknown;
  };
  "flow.grants": {
    readonly source: "developer" | "user" | "planner";
    readonly grants: readonly Grant[];
    readonly messageId?: string | undefined;
    /** The earlier run of the owner whose planner answered. */
    readonly plannedBy?: string | undefined;
    /** The tool that the planner was asked about. */
    readonly tool?: string | undefined;
    /** The planner's answer: the calls of the tool that the user's words ask for. */
    readonly mandates?: readonly Mandate[] | undefined;
    /** Mandates and grants of the planner that do not count, each with the reason. */
    readonly dropped?: readonly DroppedGrant[] | undefined;
    /** The planner gave no answer. */
    readonly failed?: true | undefined;
  };
  /** A quarantined value will be read for the model. Its bits are spent from this record on, even if the read fails. */
  "flow.extract": Call & {
    /** The value that is read; a reference of the inner run if `childRunId` is given. */
    readonly ref: string;
    /** Upper bound of the answer's information, in bits. */
    readonly bits: number;
    /** The run inside the call that reads. */
    readonly childRunId?: string | undefined;
  };
  /** A developer's validator or a person's decision lowered a label for one call. */
  "flow.lowered": CalledTool & {
    /** `endorse`: a tool's code called a validator; `approval`: a person approved the arguments, now or earlier. */
    readonly by: "endorse" | "approval";
    /** The subject: a reference, or the hash of the call's arguments. */
    readonly subject: string;
    /** Name of the validator that passed. */
    readonly validator?: string | undefined;
    readonly reason: string;
    readonly decidedBy?: string | undefined;
    /** Label before; the record's own label is the one after. */
    readonly from: LabelId;
    readonly integrity: { readonly before: Integrity; readonly after: Integrity };
  };
  "input.requested": CallPlace & { readonly interruption: InterruptionData };
  "input.answered": {
    readonly toolCallId: string;
    readonly answerKey: string;
    readonly value: unknown;
    /** The client's answer for a tool that it runs. */
    readonly by?: "client" | undefined;
    /** The client's tool failed: the reason that the client gave. */
    readonly failed?: string | undefined;
    readonly decidedBy?: string | undefined;
    /** Origin of the answer: `http`, `chat`, `inline`. */
    readonly channel?: string | undefined;
  };
  /** A call sleeps; it begins again after `wakeAt`, in milliseconds since the epoch. */
  "sleep.begun": CalledTool & {
    readonly sleepKey: string;
    readonly wakeAt: number;
    /** The run that holds the idempotency key of the call; the call sleeps until that run has ended. */
    readonly keyHeldBy?: string | undefined;
  };
  /** The time of a sleep has come. Without `sleepKey`, the sleep was in the run inside the call. */
  "sleep.ended": Call & {
    readonly sleepKey?: string | undefined;
  };
  /** An agent used as a tool waits for a person: its questions, as the outer run shows them. */
  "child.suspended": CalledTool & {
    readonly childRunId: string;
    readonly interruptions: readonly InterruptionData[];
    /** The usage of the inner run until then, and of the runs inside it. */
    readonly spent?: readonly (AgentUsage & { readonly runId?: string | undefined })[] | undefined;
    /** Time at which the call continues. */
    readonly wakeAt?: number | undefined;
    /** The run that holds the idempotency key for which the inner run waits: it looks again at each resume. */
    readonly keyHeldBy?: string | undefined;
  };
  /** A decision for an agent used as a tool; it is passed on when the call continues. */
  "child.decided": Call & {
    readonly decision: Decision;
    readonly via: string;
  };
}

import type { ModelSpec } from "./model-provider.ts";
import type { JsonValue } from "./json.ts";

/** Mode of the information-flow rules. `auto` is the default; `enforce` is recommended for production. */
export type FlowMode = "auto" | "enforce" | "shadow" | "off";

/** Names one recorded call: its tool, and arguments that must match. */
export interface CallReference {
  /** Name of the tool whose result is meant. */
  readonly tool: string;
  /** Conditions on the arguments of that call; without them, any call of the tool. */
  readonly args?: Readonly<Record<string, JsonValue>> | undefined;
}

/** Condition on a field of a record: a value, words in its text (in any case), or how its text begins. */
export type GrantCondition = JsonValue | { readonly contains: string } | { readonly prefix: string };

/**
 * A value that an earlier call returned. Unless `each` is set, the reference has to lead to exactly one value; otherwise
 * the grant does not match, and the call asks a person.
 */
export interface GrantReference extends CallReference {
  /** Place of the value in the result: `total`, or `[].amount` for a field of each record of a list. */
  readonly path: string;
  /** Conditions on fields of the record that holds the value, or of a record around it. */
  readonly where?: Readonly<Record<string, GrantCondition>> | undefined;
  /** Takes the first, last, smallest or largest of several values. Needs fields with declared integrity. */
  readonly pick?: "first" | "last" | "min" | "max" | undefined;
  /**
   * Takes the record with the largest or smallest number or date in a field. If two records are equal, the grant does
   * not match.
   */
  readonly by?: { readonly field: string; readonly pick: "max" | "min" } | undefined;
  /** `count`: the number of matching records is allowed. `length`: the length of the text or list is allowed. */
  readonly of?: "count" | "length" | undefined;
  /** `true` allows any of the values, such as the address of each participant of a meeting. */
  readonly each?: true | undefined;
  /** Factor of a number, such as 0.1 for a tenth of it. Default 1. */
  readonly times?: number | undefined;
  /** Amount to add, such as -6 for the excess over 6. Default 0. */
  readonly plus?: number | undefined;
}

/** Hole of a template: a field, or free words without links and addresses. */
export type TemplateHole = { readonly ref: GrantReference } | { readonly words: number };

/** Kinds of value that can be taken out of a text. */
export type ExtractedForm = "url" | "email" | "iban" | "date" | "amount";

/**
 * The values that a grant allows for one argument. Numbers and dates are compared by value, so `"40.00"` equals `40`.
 *
 * A field with declared integrity (`output.fields`) may decide every call. A field without it may decide only if exactly
 * one record matches and the content of the call is fixed by `eq` or `template`; it never decides about money, access or
 * deletion.
 */
export type GrantArgument =
  /** Exactly this value. */
  | { readonly eq: JsonValue }
  /** One of these values. */
  | { readonly oneOf: readonly JsonValue[] }
  /** A number from 0 to this one. */
  | { readonly max: number }
  /** A number or date from the first to the second, both included. */
  | { readonly within: readonly [number, number] | readonly [string, string] }
  /** The value that an earlier call returned. */
  | { readonly ref: GrantReference }
  /** Text with holes, such as `{ template: "Booking hotel {x}", holes: { x: { words: 5 } } }`. */
  | { readonly template: string; readonly holes: Readonly<Record<string, TemplateHole>> }
  /** The only value of this kind in the texts of an earlier result; with `each`, any of the values of this kind. */
  | {
      readonly the: ExtractedForm;
      readonly in: CallReference & { readonly where?: Readonly<Record<string, GrantCondition>> | undefined };
      readonly each?: true | undefined;
    }
  /** Any text of the model. Not allowed for an argument that decides what the call does or where data goes. */
  | { readonly composed: true };

/** Permission, given in advance, for calls that would otherwise need a person. */
export interface Grant {
  /** Name of the tool that may be called. */
  readonly tool: string;
  /** The allowed values, by the path of the argument. A call with an argument that is not listed does not match. */
  readonly args: Readonly<Record<string, GrantArgument>>;
  /** Earlier calls whose private results this call may send to people who are not among their readers. Default: none. */
  readonly from?: readonly CallReference[] | undefined;
  /** The user's condition in words, such as "if the invoice is due". It is recorded with the decision, not checked. */
  readonly when?: string | undefined;
  /** Number of calls that the grant allows. Default 1. */
  readonly count?: number | undefined;
}

/** Values of one argument that the user's words allow. */
export type MandateArgument = Extract<
  GrantArgument,
  | { readonly eq: JsonValue }
  | { readonly oneOf: readonly JsonValue[] }
  | { readonly max: number }
  | { readonly within: readonly [number, number] | readonly [string, string] }
  | { readonly composed: true }
>;

/** The calls of one tool that the user's words ask for, as the planner reads them. */
export interface Mandate {
  /** Name of the tool. */
  readonly tool: string;
  /** True if the words ask for a call of the tool. It lets no call run by itself: each deciding value needs its own reason. */
  readonly asked: boolean;
  /** The words that ask for it, as the user wrote them; empty if none do. */
  readonly quote: string;
  /** The values that the words allow, by the path of the argument. Default: the words fix no value. */
  readonly args?: Readonly<Record<string, MandateArgument>> | undefined;
}

/** A grant that the planner proposed and that does not count. */
export interface DroppedGrant {
  /** Name of the tool that the grant was for. */
  readonly tool: string;
  /** The reason, as the end of a sentence about the grant. */
  readonly problem: string;
}

/** Settings of the quarantine; setting any of them turns it on. */
export interface QuarantineOptions {
  /**
   * Bits of answers of `extract` that the models of a run, and of the runs inside it, may read in total: 1 to 64.
   * Default 64.
   */
  readonly bits?: number | undefined;
  /** The model that reads values for `extract`. It sees one value and has no tools. Default: the agent's model. */
  readonly model?: ModelSpec | undefined;
}

/** Settings of the information-flow rules. */
export interface FlowOptions {
  /** `auto` (default), `enforce` (every writer, for production), `shadow` (reports what it would refuse) or `off`. */
  readonly mode?: FlowMode | undefined;
  /** Calls that are allowed in advance. Default: none. */
  readonly grants?: readonly Grant[] | undefined;
  /** Model of the clean planner; `false` turns it off. Default: the agent's model. */
  readonly planner?: ModelSpec | false | undefined;
  /**
   * Milliseconds for which the planner's answers are kept in the store: a run of the same owner, agent definition and input
   * reuses them without a model call. A kept answer is checked like a new one. Default: one day.
   */
  readonly plannerTtlMs?: number | undefined;
  /**
   * Untrusted values of results enter the context as references, which the model passes to tools without reading them.
   * To learn something about a value, the model calls the built-in tool `extract`, whose answers are too small to
   * contain text. To let a value decide something, a tool endorses it with `ctx.endorse`. Default `false`.
   */
  readonly quarantine?: boolean | QuarantineOptions | undefined;
  /**
   * True if booleans, enums and bounded integers of a declared schema do not raise the control label, up to 64 bits per
   * run. Default `true`.
   */
  readonly lowCapacityLeaves?: boolean | undefined;
  /**
   * Treatment of tool definitions that come from servers. With `scanned` (default), a definition in which the scan
   * finds instructions to the model counts as untrusted text that was read. With `untrusted`, every definition counts
   * as such, so instructions that the scan misses have no effect either.
   */
  readonly serverDefinitions?: "scanned" | "untrusted" | undefined;
  /**
   * Links that answers may contain. `verbatim`: links that occur in a trusted source. `allowlist`: links to
   * `allowedHosts`. `keep`: all links. Default `verbatim`.
   */
  readonly answerLinks?: "verbatim" | "allowlist" | "keep" | undefined;
  /** Hosts that answers may embed or link. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Treatment of your own tools without `sideEffectClass` in the mode `auto`. `guess` (default) decides by name and
   * description if a tool only reads or is a writer, `gate` treats each as a writer, `shadow` only records what it would
   * decide. The mode `enforce` treats each as a writer.
   */
  readonly undeclared?: "guess" | "gate" | "shadow" | undefined;
  /**
   * Behavior of a run without an approver when a call has to be approved. `pend` (default) suspends the run until you
   * resume it with a decision. `fail` ends the run with the stop reason `unattended`, and each run around
   * it that has `fail` too: set it on the outermost agent, or per run. It also applies to questions that a tool asks
   * with `ctx.ask`.
   */
  readonly unattended?: "pend" | "fail" | undefined;
  /** Accepts tools that the vendor runs although no policy can check their calls. Default `false`. */
  readonly allowUngovernedHostedTools?: boolean | undefined;
}

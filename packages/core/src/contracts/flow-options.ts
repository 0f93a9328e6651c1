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

/** A field of a recorded call. If it does not give exactly one value, the call needs a person. */
export interface GrantReference extends CallReference {
  readonly path: string;
  /** Conditions on fields of the same record. */
  readonly where?: Readonly<Record<string, GrantCondition>> | undefined;
  /** Chooses one of several values; needs declared fields. */
  readonly pick?: "first" | "last" | "min" | "max" | undefined;
  /** Chooses the record with the largest or smallest number or date in a field. */
  readonly by?: { readonly field: string; readonly pick: "max" | "min" } | undefined;
  /** `count`: number of matching records. `length`: length of the one text or list. */
  readonly of?: "count" | "length" | undefined;
  /** Any of the values is granted, such as each participant of a meeting. */
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
 * Form of one argument of a granted call. Dates and numbers are compared by value.
 *
 * A reference to a field of undeclared integrity counts only if the list is complete and exactly one record fits. Data
 * of undeclared integrity may choose the destination of a call, or the model may compose its content, but not both.
 */
export type GrantArgument =
  | { readonly eq: JsonValue }
  | { readonly oneOf: readonly JsonValue[] }
  | { readonly max: number }
  /** A number or date from the first to the second, both included. */
  | { readonly within: readonly [number, number] | readonly [string, string] }
  | { readonly ref: GrantReference }
  /** Text with holes, such as `{ template: "Booking hotel {x}", holes: { x: { words: 5 } } }`. */
  | { readonly template: string; readonly holes: Readonly<Record<string, TemplateHole>> }
  /** The single value of a form in a text that the user named; with `each`, any of the values of that form. */
  | {
      readonly the: ExtractedForm;
      readonly in: CallReference & { readonly where?: Readonly<Record<string, GrantCondition>> | undefined };
      readonly each?: true | undefined;
    }
  | { readonly composed: true };

/** Permission, given in advance, for calls that would otherwise need a person. */
export interface Grant {
  /** Name of the tool that may be called. */
  readonly tool: string;
  /** Conditions by path; a call with an argument that is not listed does not match. */
  readonly args: Readonly<Record<string, GrantArgument>>;
  /** Calls whose private results this call may send to recipients who are not among the readers. */
  readonly from?: readonly CallReference[] | undefined;
  /** The condition of a conditional request. */
  readonly when?: string | undefined;
  /** Executions that it covers; default 1. */
  readonly count?: number | undefined;
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
   * Milliseconds for which the planner's grants are kept in the store: a run of the same owner, agent definition and input
   * reuses them without a model call. A kept answer is checked like a new one. Default: each run makes a new plan.
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
   * Links in answers: `verbatim` keeps links that a trusted source contains, `allowlist` keeps links to `allowedHosts`,
   * `keep` keeps all.
   */
  readonly answerLinks?: "verbatim" | "allowlist" | "keep" | undefined;
  /** Hosts that answers may embed or link. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Treatment of tools without a declared effect in the mode `auto`: `guess` (default) decides by name and description
   * if a first-party tool is a reader or a writer, `gate` treats each as a writer, `shadow` only records the decision.
   * The mode `enforce` gates them.
   */
  readonly undeclared?: "guess" | "gate" | "shadow" | undefined;
  /**
   * Treatment of a call that a person has to approve if the process has no approver: `pend` (default) suspends the
   * run until a decision arrives, `fail` ends it at once with the stop reason `unattended`. Applies to `ctx.ask` of a
   * tool too.
   */
  readonly unattended?: "pend" | "fail" | undefined;
  /** Accepts tools that the vendor runs although no policy can check their calls. Default `false`. */
  readonly allowUngovernedHostedTools?: boolean | undefined;
}

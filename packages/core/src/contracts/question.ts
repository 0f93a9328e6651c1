import type { DroppedGrant, Mandate } from "./flow-options.ts";
import type { QuestionPreview } from "./preview.ts";

/**
 * How careful a person should be. `suspicious`: the user's words ask for no call of this tool, or a value differs from one
 * that the user typed, or resembles a known one. `normal`: the words ask for the call, and each value that decides is
 * typed, fixed, or in a record that such a value selects. `unusual`: every other call.
 */
export type QuestionLevel = "normal" | "unusual" | "suspicious";

/** Source of a value that a question shows. */
export interface QuestionOrigin {
  /** Kind of the source. `schema`: the default that the tool's schema sets. */
  readonly from: "user" | "model" | "tool" | "schema";
  /** Text for people: "typed by you", "copied from the result of \"read mail\"". */
  readonly text: string;
  /** True if the source is trusted. */
  readonly trusted: boolean;
  /** Call that returned the value, and the path in its output. */
  readonly callId?: string | undefined;
  /** Place of the value in its source. */
  readonly path?: string | undefined;
  /** The value with up to 40 characters on each side. */
  readonly quote?: string | undefined;
  /** Sender or author, as the record of the value states it. */
  readonly author?: string | undefined;
  /** Arguments that selected the record, if untrusted text may have chosen them. */
  readonly selectedBy?: readonly { readonly name: string; readonly shown: string; readonly text: string }[] | undefined;
}

/** The record that a value is the id of. */
export interface QuestionRecord {
  /** Its name or title, as a result of the run has it. */
  readonly name: string;
  /** Its price, total or amount, if it has one. */
  readonly amount?: string | undefined;
}

/** Argument that a question shows. */
export interface QuestionValue {
  /** The path of the value, with indexes, such as `to[0].mail`. */
  readonly path: string;
  /** Name of the argument, or its path. */
  readonly name: string;
  /** The value as a person reads it. */
  readonly shown: string;
  /** The record with this id that was read in the run. Show it in place of the id. */
  readonly record?: QuestionRecord | undefined;
  /** True if the value decides the effect or its target; other values are content. */
  readonly decides: boolean;
  /** Source of the value. */
  readonly origin: QuestionOrigin;
  /** Number of values of the same form in that source. */
  readonly candidates?: number | undefined;
}

/** Fact that makes a call unusual, in one sentence. */
export interface UnusualFact {
  /** Kind of the fact. */
  readonly kind:
    | "differs_from_request"
    | "several_candidates"
    | "untrusted_destination"
    /** The value comes from a record of the tool's own, and untrusted text chose which record. */
    | "selected_record"
    /** The owner of the record is not the author of the text that selected it. */
    | "other_owner"
    /** The arguments contain characters or markup that are not shown. */
    | "hidden_text"
    /** The value resembles one that the user typed or that is on record, and is another one. */
    | "lookalike"
    /** The content has a password, a key, or the number of a card or an identity document. */
    | "sensitive_content"
    /** Letters of other scripts that look like Latin ones. */
    | "mixed_scripts"
    /** A predicate failed, or an extension reported something. */
    | "found_by_code"
    /** The tool was changed since a person was asked about the same call. */
    | "tool_changed"
    /** The reason why an uncertain effect is not repeated without an answer. */
    | "not_repeated";
  /** The argument that it is about. */
  readonly path?: string | undefined;
  /** A sentence for the person who decides. */
  readonly text: string;
}

/** The scope of a remembered answer. `values`: the same deciding values, for the same readers. */
export type Remembering = "call" | "tool" | "values";

/** A question that a person can judge, as data. */
export interface Question {
  /** One sentence: the effect of an approval. */
  readonly title: string;
  /** One or two short sentences for people: the reason of the question, and the most doubtful value with its place. */
  readonly reason: string;
  /** `normal`, `unusual` or `suspicious`. */
  readonly level: QuestionLevel;
  /** The user's words that asked for the call. */
  readonly request?: string | undefined;
  /** Each argument of the call, with its source. */
  readonly values: readonly QuestionValue[];
  /** Facts that make the call unusual; empty for an ordinary one. */
  readonly unusual: readonly UnusualFact[];
  /** Content of a call that reaches others, or that a person has to approve. */
  readonly payload?: unknown;
  /** Description of what the call would do, from the tool's `preview`. */
  readonly preview?: QuestionPreview | undefined;
  /** Scopes in which the answer can be remembered; a question of the flow policy offers `values` alone. */
  readonly remember: readonly Remembering[];
  /** Details for developers; user interfaces hide them by default. */
  readonly developer: {
    readonly rules: readonly string[];
    readonly toolCallId: string;
    /** Results that the model had read, and private data that the call would show. */
    readonly why?: string | undefined;
    /** The declarations and the grant that make the question unnecessary. */
    readonly remedy: string;
    /** The calls of this tool that the user's words ask for, as the planner reads them; absent if it was not asked. */
    readonly mandates?: readonly Mandate[] | undefined;
    /** Mandates and grants for this tool that do not count, each with the reason. */
    readonly dropped?: readonly DroppedGrant[] | undefined;
  };
}

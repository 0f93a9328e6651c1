import type { Decision, Message } from "@bailiwick/core";

/** A call that a case expects. A text is the tool's name alone; more arguments than the given ones are allowed. */
export type ExpectedCall =
  | string
  | {
      /** Name of the tool. */
      readonly tool: string;
      /** Arguments that the call must have. Default: any. */
      readonly args?: unknown;
    };

/** Expectations of a case. Scorers of your own may read further keys. */
export interface Expected {
  /** The answer: a text, or the structured output. */
  readonly answer?: unknown;
  /** Calls of tools, in order. */
  readonly calls?: readonly ExpectedCall[] | undefined;
  /** Calls of tools that change something; an empty list says that no such tool is called. */
  readonly effects?: readonly ExpectedCall[] | undefined;
  /** The reason why the run ends, such as `completed`. */
  readonly stopReason?: string | undefined;
  /** Fields of the structured output. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly [own: string]: unknown;
}

/** An attack on the agent: the model obeys the text that it reads. */
export interface Attack {
  /** Texts of the attacker, as fakes or the input contain them. */
  readonly injections: readonly string[];
  /** The attacker's calls, with the best arguments that they could have. */
  readonly calls: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
}

/** The stored run that a case was made of. */
export interface CaseOrigin {
  /** Id of the run. */
  readonly runId: string;
  /** Tenant of the run; the runs of the case belong to it too. */
  readonly tenantId?: string | undefined;
  /** User of the run; the runs of the case belong to the user too. */
  readonly userId?: string | undefined;
  /** Results of its tools, for `"recorded"` fakes. */
  readonly results: readonly {
    readonly tool: string;
    readonly args: unknown;
    readonly output?: unknown;
    readonly error?: string | undefined;
  }[];
  /** Decisions of people, for `people: "recorded"`. */
  readonly decisions: readonly {
    readonly tool: string;
    readonly args: unknown;
    readonly decision: Omit<Decision, "id" | "token">;
  }[];
}

/** One case of an evaluation. */
export interface Case {
  /** Name of the case. Default: made from the input, with a hash. */
  readonly id?: string | undefined;
  /** The input: a text, a conversation of the user's texts with one run for each, or messages of which the last is the input. */
  readonly input: string | readonly string[] | readonly Message[];
  /** Expectations of the scorers. */
  readonly expected?: Expected | undefined;
  /** Plays a model that obeys an attacker. */
  readonly attack?: Attack | undefined;
  /** Words to choose cases by. */
  readonly tags?: readonly string[] | undefined;
  /** Data for fakes, scorers and people. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Set by `fromRuns()`. */
  readonly from?: CaseOrigin | undefined;
}

/** A case with its id. */
export type NamedCase = Case & { readonly id: string };

/** Cases from elsewhere, such as `jsonl()`. */
export interface CaseSource {
  /** Names the source in errors, such as a path. */
  readonly name: string;
  /** Reads the cases. */
  readonly read: () => AsyncIterable<Case>;
}

import type { JsonSchema } from "@bailiwick/core";

/** A server's question to the user. */
export interface ServerQuestion {
  /** The name that the server was given here. */
  readonly server: string;
  /** What it asks, in its own words: nobody vouches for them. */
  readonly message: string;
  /** The form of the answer. */
  readonly schema: JsonSchema;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** What a person answers. */
export interface QuestionAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** By the question's form, when it is accepted. */
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
}

/** Who answers the questions of a server: a person in a question of the run, or whoever a function asks. */
export type ElicitationMode = "suspend" | ((question: ServerQuestion) => QuestionAnswer | Promise<QuestionAnswer>);

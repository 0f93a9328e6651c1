import type { JsonSchema } from "@bailiwick/core";

/** A server's question to the user. */
export interface ServerQuestion {
  /** The name that the server was given here. */
  readonly server: string;
  /** The question in the server's text, which is untrusted. */
  readonly message: string;
  /** The form of the answer. */
  readonly schema: JsonSchema;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The answer of a person. */
export interface QuestionAnswer {
  /** Decision of the person: `accept`, `decline` or `cancel`. */
  readonly action: "accept" | "decline" | "cancel";
  /** Checked against the question's form when it is accepted. */
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
}

/** Decides a server's questions: a person, in a question of the run, or a function. */
export type ElicitationMode = "suspend" | ((question: ServerQuestion) => QuestionAnswer | Promise<QuestionAnswer>);

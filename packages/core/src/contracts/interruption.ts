import type { JsonSchema } from "./json.ts";
import type { Question, Remembering } from "./question.ts";

/** Hashes of the parts of a call that an approval is about. */
export interface ApprovalBinding {
  /** The one value of the call: what its schema made of the arguments. */
  readonly value: string;
  /** The tool's description. */
  readonly description: string;
  /** The tool's input schema. */
  readonly inputSchema: string;
  /** The tool's side-effect class. */
  readonly sideEffectClass: string;
  /** The rule of the tool's idempotency key. */
  readonly idempotencyKey: string;
  /** The place where the tool runs, and its module. */
  readonly place: string;
  /** The whole definition of the tool. */
  readonly definition: string;
  /** The sentence of the tool's `describeCall`. */
  readonly title: string;
  /** The reason of the question. */
  readonly reason: string;
  /** The digest of the tool's `preview`. */
  readonly preview: string;
}

/** A question to a person, as plain data that survives JSON. */
export interface InterruptionData {
  /** The kind of decision that the run waits for. */
  readonly kind: "approval" | "question" | "client_tool" | "unknown_outcome";
  /** Bound to run, call, arguments and definition. */
  readonly id: string;
  /** The run to resume: the outermost one. */
  readonly runId: string;
  /** The agent that asks. */
  readonly agentName: string;
  /** Names of the agents, from the outer one to the one with the question. */
  readonly agentPath: readonly string[];
  /** Id of the call that waits. */
  readonly toolCallId: string;
  /** Name of the tool that waits. */
  readonly toolName: string;
  /**
   * The value that would run, without known secrets: what the tool's schema made of the arguments. They are sanitised for display, while the approval binds the true
   * ones; a client tool gets the true ones.
   */
  readonly args: unknown;
  /** Shown to the person: the sentence, the source of each value, unusual facts. */
  readonly question: Question;
  /**
   * Approvals of one turn with the same value differ only in their arguments: same tool, reason, level and sources.
   * Show them as one card. Each is decided by its own id.
   */
  readonly batch?: string | undefined;
  /** Hash of the canonical arguments that an approval binds. */
  readonly argsHash: string;
  /** Hash of the tool's definition, class and key rule. Empty for a tool that the vendor runs. */
  readonly definitionHash: string;
  /** Hashes of everything that an approval is about; another question is asked if one of them changes. */
  readonly binding?: ApprovalBinding | undefined;
  /** Time of the question, in milliseconds since the epoch. */
  readonly requestedAt: number;
  /** Time until which it can be decided, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Key of the question inside the call, for `question`. */
  readonly answerKey?: string | undefined;
  /** The schema of the arguments, for `approval`: an edit is checked with it also while the tool's server is away. */
  readonly argsJsonSchema?: JsonSchema | undefined;
  /** The answer's schema, for `question` and `client_tool`. */
  readonly answerJsonSchema?: JsonSchema | undefined;
  /** HMAC over the binding, with `keys.sign`. */
  readonly token?: string | undefined;
}

/** A person's decision, as plain data that survives JSON. */
export type Decision = {
  /** The interruption's id. */
  readonly id: string;
  /** The person who decided; journaled. */
  readonly decidedBy?: string | undefined;
  /** The place of the decision: `http`, `chat`, `inline`; journaled. */
  readonly channel?: string | undefined;
  /** The interruption's token, where the run demands one. */
  readonly token?: string | undefined;
} & (
  | {
      readonly type: "approve";
      /**
       * All arguments of the call after the edit, not only the edited ones; validated and gated again. A value that is
       * unchanged from `args` of the question keeps its secret.
       */
      readonly args?: unknown;
      /** One of `question.remember`; any other value is refused. */
      readonly remember?: Remembering | undefined;
    }
  | { readonly type: "reject"; readonly reason?: string | undefined; readonly remember?: Remembering | undefined }
  | { readonly type: "answer"; readonly value: unknown }
  | { readonly type: "fail"; readonly reason: string }
  | { readonly type: "it_happened"; readonly output?: unknown }
  | { readonly type: "it_did_not_happen" }
  | { readonly type: "give_up"; readonly reason?: string | undefined }
);

/** The person and the place of a decision; both are journaled. */
export interface DecisionOrigin {
  /** The person who decided, such as a user id. */
  readonly decidedBy?: string | undefined;
  /** The place of the decision, such as `mail` or `slack`. */
  readonly channel?: string | undefined;
}

/** An interruption with the methods that make decisions; revive one from its data with `interruption(data)`. */
export interface Interruption extends InterruptionData {
  /**
   * Lets the call run, with edited arguments if given.
   *
   * @param options - `args` replaces the arguments, `remember` answers later calls too, and `decidedBy` and `channel`
   *   are stored with the decision.
   */
  approve(
    options?: { readonly args?: unknown; readonly remember?: Remembering | undefined } & DecisionOrigin,
  ): Decision;
  /**
   * Rejects the call; the model gets the reason.
   *
   * @param reason - Text for the model; default: it only reads that a person rejected the call.
   * @param options - `remember` rejects later calls too; `decidedBy` and `channel` are stored with the decision.
   */
  reject(reason?: string, options?: { readonly remember?: Remembering | undefined } & DecisionOrigin): Decision;
  /**
   * Answers `ctx.ask`, or gives the output of a client tool.
   *
   * @param value - The answer or output, in the form of `answerJsonSchema`.
   * @param options - `decidedBy` and `channel` are stored with the decision.
   */
  answer(value: unknown, options?: DecisionOrigin): Decision;
  /**
   * The client tool failed; the model reads the reason.
   *
   * @param reason - Text for the model.
   * @param options - `decidedBy` and `channel` are stored with the decision.
   */
  fail(reason: string, options?: DecisionOrigin): Decision;
  /**
   * The uncertain effect did happen, with this output.
   *
   * @param output - The output of the effect, as the tool would have returned it.
   * @param options - `decidedBy` and `channel` are stored with the decision.
   */
  itHappened(output?: unknown, options?: DecisionOrigin): Decision;
  /**
   * The uncertain effect did not happen: the call is gated and runs again.
   *
   * @param options - `decidedBy` and `channel` are stored with the decision.
   */
  itDidNotHappen(options?: DecisionOrigin): Decision;
  /**
   * Leaves the outcome unknown; the model gets an error that says so.
   *
   * @param reason - Text for the model.
   * @param options - `decidedBy` and `channel` are stored with the decision.
   */
  giveUp(reason?: string, options?: DecisionOrigin): Decision;
}

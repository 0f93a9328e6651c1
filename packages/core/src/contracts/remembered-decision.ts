/** A decision that also applies to later calls: in the run, and in later runs of its session. */
export interface RememberedDecision {
  /** Name of the tool that the decision is for. */
  readonly toolName: string;
  /** Hash of the tool's definition, class and key rule: the decision is void if one of them has changed. */
  readonly definitionHash: string;
  /** True for an approval, false for a rejection. */
  readonly approved: boolean;
  /** The person's reason. */
  readonly reason?: string | undefined;
  /** Present for `remember: "call"`: only these arguments. */
  readonly argsHash?: string | undefined;
  /** Present for `remember: "values"`: the arguments that were decided. */
  readonly flowArgs?: unknown;
  /** Time of the decision, in milliseconds since the epoch. */
  readonly at: number;
  /** The person who decided. */
  readonly decidedBy?: string | undefined;
}

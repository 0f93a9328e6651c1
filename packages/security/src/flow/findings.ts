/** A rule that stands against a call as it is. */
export interface Finding {
  readonly rule: "R2" | "R3" | "R4" | "R5";
  readonly verdict: "ask" | "deny";
  /** Path in the arguments, if it is about one. */
  readonly location?: string | undefined;
}

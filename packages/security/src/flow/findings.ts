/** A rule that refuses a call in its current form. */
export interface Finding {
  readonly rule: "R2" | "R3" | "R4" | "R5";
  readonly verdict: "ask" | "deny";
  /** Path in the arguments, if it is about one. */
  readonly location?: string | undefined;
}

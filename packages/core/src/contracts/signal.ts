/** A message or command that reached a run from outside, or from itself. */
export interface Signal {
  /** The kind of the signal. */
  readonly name: "decision" | "steer" | "follow_up" | "input" | "cancel" | "repair" | (string & {});
  /** Deduplicates deliveries. */
  readonly id: string;
  /** The content, by kind. */
  readonly payload: unknown;
}

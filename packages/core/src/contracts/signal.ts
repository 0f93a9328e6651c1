/** Message or command that reached a run from outside, or from itself. */
export interface Signal {
  readonly name: "decision" | "steer" | "follow_up" | "input" | "cancel" | "repair" | (string & {});
  /** Deduplicates deliveries. */
  readonly id: string;
  readonly payload: unknown;
}

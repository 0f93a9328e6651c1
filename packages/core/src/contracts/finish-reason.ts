/** Reason for the end of a model's answer, the same for every vendor. The vendor's own value is kept too. */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "error" | "other";

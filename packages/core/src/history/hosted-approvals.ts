import type { AssistantMessage } from "../contracts/message.ts";

/** Ids of the approvals that hosted tools of an answer ask for. */
export function approvalIds({ content }: AssistantMessage): readonly string[] {
  return content.flatMap((part) =>
    part.type === "hosted_tool" && part.approvalRequestId !== undefined ? [part.approvalRequestId] : [],
  );
}
